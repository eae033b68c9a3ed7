// Goal: a server that receives a stop signal continues to answer while balancers notice, and no request is lost.

import { expect, test } from 'bun:test'
import { serveProcess } from '../../../support/programs/serve-process.ts'
import { temporaryFolder } from '../../../support/server.ts'

test('it answers until it has drained, reports that it is not ready, and closes connections', async () => {
  using folder = temporaryFolder()
  await using server = await serveProcess(folder.path, { DRAIN_SECONDS: '3' })
  const status = async (path: string) => (await fetch(`${server.url}${path}`)).status
  expect(await status('/ready')).toBe(200)
  const stopped = server.stop()
  for (let tries = 0; tries < 1_000 && (await status('/ready')) === 200; tries++) await Bun.sleep(1)
  const answer = await server.raw('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  // The server ends the connection, although the client did not ask for that.
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(answer.toLowerCase()).toContain('connection: close')
  expect(await server.raw('GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n')).toMatch(/^HTTP\/1\.1 503 /)
  expect((await stopped).exitCode).toBe(0)
})
