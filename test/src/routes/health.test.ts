// /health, and what it says of a store that cannot be read.

import { expect, test } from 'bun:test'
import { ask, fakeCatalogue, testApp } from '../../support/server.ts'

test.each(['/health', '/api/v1/health'])('%s tells version and uptime', async (path) => {
  let nowMs = 1_000
  const app = testApp({ nowMs: () => nowMs })
  nowMs += 12_900
  const { status, body } = await ask(app, path, { headers: {} })
  expect([status, body]).toEqual([200, { status: 'ok', version: expect.any(String), uptime_seconds: 12 }])
})

test('a store that cannot be read is 503, and only the log is told why', async () => {
  const logged: string[] = []
  const catalogue = fakeCatalogue({
    lastRecordMs: () => {
      throw new Error('MDB_CORRUPTED')
    },
  })
  const log = (_id: string, _request: Request, error: unknown) => void logged.push(String((error as Error).cause))
  const { body, text } = await ask(testApp({ catalogue, log }), '/health')
  expect(body).toMatchObject({ status: 503, code: 'store_unavailable' })
  expect(text).not.toContain('MDB')
  expect(logged).toEqual(['Error: MDB_CORRUPTED'])
})
