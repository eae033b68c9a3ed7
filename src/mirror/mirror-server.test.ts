// Tests a mirror of another server's files: the files are complete and checked, an interrupted copy is resumed, and a
// store can load them.

import { afterAll, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { appendFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { ImpatientTimers } from '../../test/support/impatient-timers.ts'
import { runBackbook } from '../../test/support/programs/program.ts'
import { NO_TOKENS, SECRET, temporaryFolder, testApp } from '../../test/support/server.ts'
import { TestStore } from '../../test/support/store.ts'
import { answerInProcess } from '../../workers/pool/answer-in-process.ts'
import { syntheticDay } from '../../workers/synthetic/synthetic-day.ts'
import { type MirrorWanted, mirrorServer } from './mirror-server.ts'
import { RemoteServer } from './remote-server.ts'

const DATE = '2026-07-20'
const store = new TestStore()
const { kalshiLines, kalshiTicker, polymarketLines } = syntheticDay({
  ...{ date: DATE, kalshiRecords: 2_000, polymarketRecords: 1_500 },
})
await store.loadLines('kalshi.ndjson', Array.from(kalshiLines))
await store.loadLines('polymarket.ndjson', Array.from(polymarketLines))
afterAll(() => store.close())

const workers = {
  ...answerInProcess(store.store),
  stats: () => ({ threads: 0, running: 0, queued: 0, queueMax: 9, completed: 0 }),
}
const { catalogue } = store.store
const app = testApp({ catalogue, workers, config: { ...NO_TOKENS, data: store.folder } })

type ReceivedRequest = { path: string; range: string | null }
/** Starts a client of the server; `change` may change each answer. */
function server(
  change: (request: ReceivedRequest, answer: () => Promise<Response>) => Promise<Response> = (_, answer) => answer(),
) {
  const requests: ReceivedRequest[] = []
  const timers = new ImpatientTimers()
  const remote = new RemoteServer({
    url: 'http://localhost',
    key: SECRET,
    async fetch(url, init) {
      const one = { path: url.slice('http://localhost'.length), range: init.headers['range'] ?? null }
      requests.push(one)
      return change(one, async () => app.fetch(new Request(url, init)))
    },
    timers,
  })
  return { remote, requests, waited: timers.waited }
}

const ALL: Omit<MirrorWanted, 'folder'> = { venues: ['polymarket', 'kalshi'], market: null }
const ONE: Omit<MirrorWanted, 'folder'> = { venues: ['kalshi'], market: kalshiTicker }
const run = (remote: RemoteServer, folder: string, wanted = ALL) =>
  mirrorServer(remote, { ...wanted, folder }, () => undefined)
const recordsOf = (folder: string) => join(folder, 'kalshi', DATE, kalshiTicker, 'records.ndjson.zst')

test('all files are copied once, with a manifest, and give the same store', async () => {
  using folder = temporaryFolder()
  const first = await run(server().remote, folder.path)
  expect(first).toMatchObject({ dates: 2, present: 0, failures: [] })
  const again = server()
  expect(await run(again.remote, folder.path)).toMatchObject({ copied: 0, sent_bytes: 0, present: first.copied })
  expect(again.requests.filter(({ path }) => path.includes('/files/'))).toEqual([])

  const copy = new TestStore()
  try {
    for (const venue of ['polymarket', 'kalshi'] as const) {
      const { files } = await Bun.file(join(folder.path, venue, DATE, 'manifest.json')).json()
      const markets = readdirSync(join(folder.path, venue, DATE)).filter((name) => name !== 'manifest.json')
      expect(files).toHaveLength(3 * markets.length)
      await copy.load(...markets.map((market) => join(folder.path, venue, DATE, market, 'records.ndjson.zst')))
      for (const market of markets) {
        const [copied, original] = await Promise.all(
          [copy, store].map(async ({ store: { catalogue: of } }) => of.head({ venue, market, date: DATE })),
        )
        expect([market, copied?.books]).toEqual([market, original?.books as never])
        expect(await copy.records(venue, market, DATE)).toEqual(await store.records(venue, market, DATE))
      }
    }
  } finally {
    await copy.close()
  }
})

test('an interrupted copy resumes where it stopped', async () => {
  using folder = temporaryFolder()
  const broken = server(async ({ path, range }, answer) => {
    const response = await answer()
    if (!path.endsWith('.zst') || range !== null) return response
    const bytes = new Uint8Array(await response.arrayBuffer())
    const pull = (controller: ReadableStreamDefaultController) => {
      if (pieces.length > 0) controller.enqueue(pieces.shift())
      else controller.error(new Error('the connection was lost'))
    }
    const pieces = [bytes.slice(0, 1_000)]
    return new Response(new ReadableStream({ pull }), response)
  })
  const first = await run(broken.remote, folder.path, ONE)
  expect([first.copied, first.failures.map(({ file }) => file.endsWith('records.ndjson.zst'))]).toEqual([2, [true]])
  expect(Bun.file(`${recordsOf(folder.path)}.partial`).size).toBe(1_000)
  const second = server()
  expect(await run(second.remote, folder.path, ONE)).toMatchObject({ copied: 1, present: 2, failures: [] })
  expect(second.requests.map(({ range }) => range).filter((range) => range !== null)).toEqual(['bytes=1000-'])
  expect(existsSync(`${recordsOf(folder.path)}.partial`)).toBe(false)
})

test('a file that is damaged, too long or of another version is copied again', async () => {
  using folder = temporaryFolder()
  await run(server().remote, folder.path, ONE)
  const path = recordsOf(folder.path)
  const right = await Bun.file(path).bytes()
  await truncate(path, right.length - 1)
  expect(await run(server().remote, folder.path, ONE)).toMatchObject({ copied: 1, sent_bytes: right.length })
  await Bun.write(
    path,
    Uint8Array.from(right, (byte, i) => (i === 500 ? byte ^ 1 : byte)),
  )
  await appendFile(`${path}.partial`, 'x'.repeat(700))
  const third = server()
  expect(await run(third.remote, folder.path, ONE)).toMatchObject({ copied: 1, failures: [] })
  expect(third.requests.filter(({ path: each }) => each.endsWith('.zst')).map(({ range }) => range)).toEqual([
    ...['bytes=700-', null],
  ])
  expect(await Bun.file(path).bytes()).toEqual(right)
})

test('a file that differs from the list is reported and not put in its place', async () => {
  using folder = temporaryFolder()
  const wrong = server(async ({ path }, answer) => (path.endsWith('.zst') ? new Response('something') : answer()))
  const { failures, copied } = await run(wrong.remote, folder.path, ONE)
  expect([copied, failures.map(({ reason }) => reason)]).toEqual([
    ...[2, [expect.stringContaining('does not match its digest')]],
  ])
  expect(readdirSync(join(folder.path, 'kalshi', DATE, kalshiTicker)).sort()).toEqual([
    ...['candles-1s.parquet', 'trades.parquet'],
  ])
})

test('retries a busy server', async () => {
  using folder = temporaryFolder()
  let left = 2
  const busy = server(async (_, answer) =>
    left-- > 0 ? new Response('{}', { status: 503, headers: { 'retry-after': '3' } }) : answer(),
  )
  expect(await run(busy.remote, folder.path, ONE)).toMatchObject({ copied: 3, failures: [] })
  expect(busy.waited).toEqual([3_000, 3_000])
})

test('a quota that is used up is no reason to wait', async () => {
  using folder = temporaryFolder()
  const used = { code: 'quota_exceeded', detail: 'The calls of this month are used up' }
  const refused = server(async () => Response.json(used, { status: 429, headers: { 'retry-after': '3' } }))
  await expect(run(refused.remote, folder.path, ONE)).rejects.toThrow('The calls of this month are used up')
  expect(refused.waited).toEqual([])
})

test.each(['..', '.', 'A/B', '../../etc', ''])('a market named %p is refused', async (market) => {
  using folder = temporaryFolder()
  const malicious = server(async ({ path }, answer) =>
    path.includes('/files?')
      ? Response.json({ next_cursor: null, data: [{ market, revision: 1, files: [] }] })
      : answer(),
  )
  await expect(run(malicious.remote, folder.path)).rejects.toThrow('the market')
  expect(readdirSync(folder.path)).toEqual([])
})

test('a repeated cursor ends the mirror', async () => {
  using folder = temporaryFolder()
  const repeating = server(async ({ path }, answer) =>
    path.includes('/files?') ? Response.json({ next_cursor: 'again', data: [] }) : answer(),
  )
  await expect(run(repeating.remote, folder.path)).rejects.toThrow('the cursor "again" is repeated')
  expect(repeating.requests.filter(({ path }) => path.includes('/files?'))).toHaveLength(2)
})

test.each([
  ['no JSON', () => new Response('<html>')],
  ['other JSON', () => Response.json([])],
  ['a refusal', () => Response.json({ detail: 'This server does not know the API key' }, { status: 401 })],
])('%s ends the mirror', async (_, answer) => {
  using folder = temporaryFolder()
  await expect(run(server(async () => answer()).remote, folder.path)).rejects.toThrow(/\/polymarket\/calendar/)
})

test.each([
  [['mirror', 'localhost', '--to', 'x'], 2, '<url> must be the http or https address of a server'],
  [['mirror', 'http://localhost:1', '--to', 'x', '--from', 'today'], 2, '--from must be a UTC date'],
  [['mirror', 'http://localhost:1', '--to', 'x', '--to-date', '2026-02-30'], 2, '--to-date must be a UTC date'],
  [['mirror', 'http://localhost:1', '--to', 'x', '--market', 'A'], 2, '--market needs --venue'],
  [['mirror', 'http://localhost:1', '--to', 'x', '--venue', 'kalshi', '--market', 'A B'], 2, '--market must be'],
  [['mirror', 'http://localhost:1'], 2, '--to <folder>'],
  [['mirror', 'http://localhost:1', '--to', 'x'], 1, 'the server does not answer'],
])('%p ends with %d', async (words, code, message) => {
  const { exitCode, err } = await runBackbook(words)
  expect([exitCode, err]).toEqual([code, expect.stringContaining(message)])
})
