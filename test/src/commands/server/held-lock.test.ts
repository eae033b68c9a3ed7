// Goal: no request to a server waits for a process that holds the store's write lock, even if that process is stopped.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openStoreToRead } from '../../../../storage/open-store.ts'
import { DAY, TICKER } from '../../../model/lines.ts'
import { type Data, dataFolder } from '../../../support/disk/data-folder.ts'
import { runProcess } from '../../../support/programs/program.ts'
import { type ServeProcess, serveProcess } from '../../../support/programs/serve-process.ts'

const ROOT = join(import.meta.dir, '../../../..')
/** A script that holds the lock of the store until it is killed. */
const HOLD = `
  import { writeSync } from 'node:fs'
  import { openEnvironment } from '${ROOT}/storage/lmdb/environment.ts'
  openEnvironment(process.argv[1]).databases.root.transactionSync(() => {
    writeSync(1, 'held')
    Bun.sleepSync(600_000)
  })
`
const CONDITION = `0x${'cd'.repeat(32)}`
const DEADLINE_MS = 20_000

let given: Data
let server: ServeProcess
const gamma = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const slug = new URL(request.url).searchParams.get('slug')
    return Response.json([
      { slug, title: 'T', markets: [{ slug: `${slug}-m`, question: 'Q', conditionId: CONDITION }] },
    ])
  },
})

beforeAll(async () => {
  given = await dataFolder()
  server = await serveProcess(given.data, { GAMMA_URL: `http://127.0.0.1:${gamma.port}` })
})

afterAll(async () => {
  await server.stop()
  await gamma.stop(true)
  given[Symbol.dispose]()
})

async function holder(folder: string) {
  const child = Bun.spawn([process.execPath, '-e', HOLD, folder], { stdout: 'pipe', stderr: 'inherit' })
  for await (const bytes of child.stdout) {
    expect(new TextDecoder().decode(bytes)).toBe('held')
    break
  }
  const release = async () => {
    child.kill('SIGKILL')
    await child.exited
  }
  return { stop: () => child.kill('SIGSTOP'), [Symbol.asyncDispose]: release }
}

/** Returns whether a slug is stored. Waits for it, but only for some time. */
async function isStored(slug: string): Promise<boolean> {
  for (const deadlineMs = performance.now() + DEADLINE_MS; performance.now() < deadlineMs; await Bun.sleep(20)) {
    const store = await openStoreToRead(given.data)
    const answer = await store.catalogue.slug(slug)
    await store.close()
    if (answer !== undefined) return true
  }
  return false
}

test.each(['holds the lock', 'was stopped with it'])('a writer that %s delays no request', async (how) => {
  const slug = how.replaceAll(' ', '-')
  const headers = { authorization: `Bearer ${given.secret}` }
  const ask = async (path: string) => (await fetch(`${server.url}${path}`, { headers })).status
  {
    await using writer = await holder(given.data)
    if (how !== 'holds the lock') writer.stop()
    expect(await ask(`/api/v1/kalshi/market/date-range?ticker=${TICKER}`)).toBe(200)
    expect(await ask(`/api/v1/kalshi/market/data?ticker=${TICKER}&date=${DAY}`)).toBe(200)
    expect(await ask(`/api/v1/kalshi/market/orderbook-summary?ticker=${TICKER}&date=${DAY}`)).toBe(200)
    // The first answer comes from Gamma. The second comes from memory, since the slug cannot be stored yet.
    for (let time = 0; time < 2; time++) expect(await ask(`/api/v1/lookup/slug?slug=${slug}`)).toBe(200)
    expect(await ask(`/api/v1/lookup/slug?slug=${slug}-m`)).toBe(200)
    expect(await ask(`/api/v1/kalshi/market/date-range?ticker=${TICKER}`)).toBe(200)
    // A server can start, and can stop even if it could not store everything.
    await using another = await serveProcess(given.data, { GAMMA_URL: `http://127.0.0.1:${gamma.port}` })
    expect((await fetch(`${another.url}/api/v1/lookup/slug?slug=${slug}-2`)).status).toBe(200)
    expect((await another.stop()).exitCode).toBe(0)
    const { out } = await runProcess(['markets', '--data', given.data])
    expect(out).toContain(TICKER)
  }
  expect(await isStored(slug)).toBe(true)
})
