// Tests the files of days over HTTP: listed with digests, served whole and in parts, made once, and kept within their
// size limit.

import { afterAll, expect, test } from 'bun:test'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, AUTHORIZED, ask, CONDITION, NO_TOKENS, TICKER, testApp } from '../../../test/support/server.ts'
import { TestStore } from '../../../test/support/store.ts'
import { answerInProcess } from '../../../workers/pool/answer-in-process.ts'
import { syntheticDay } from '../../../workers/synthetic/synthetic-day.ts'
import type { AppDependencies } from '../../app.ts'

const DATE = '2026-07-20'
const EARLY = '2026-02-07'
const store = new TestStore()
const { kalshiLines, kalshiTicker, polymarketLines } = syntheticDay({
  ...{ date: DATE, kalshiRecords: 3_000, polymarketRecords: 3_000 },
})
await store.loadLines('kalshi.ndjson', Array.from(kalshiLines))
await store.loadLines('polymarket.ndjson', Array.from(polymarketLines))
const early = syntheticDay({ date: EARLY, kalshiRecords: 10, polymarketRecords: 500 })
await store.loadLines('early.ndjson', Array.from(early.polymarketLines))
const { catalogue } = store.store
const { markets } = await catalogue.markets('kalshi', { prefix: '', offset: 0, limit: 1_000 })
afterAll(() => store.close())

let parsed = 0
const workers: AppDependencies['workers'] = {
  ask: (task, request) => {
    parsed++
    return answerInProcess(store.store).ask(task, request)
  },
  stats: () => ({ threads: 0, running: 0, queued: 0, queueMax: 9, completed: 0 }),
}
const appIn = (data: string, dayFilesBytes = 2 ** 30) =>
  testApp({ catalogue, workers, config: { ...NO_TOKENS, data, dayFilesBytes } })
const app = appIn(store.folder)

type Listed = { market: string; files: { name: string; bytes: number; sha256: string; rows: number }[] }
const listed = ({ body }: Answer) => (body as { data: Listed[] }).data
const get = async (path: string, headers: Record<string, string> = {}, from = app) => {
  const request = new Request(`http://localhost${path}`, { headers: { ...AUTHORIZED, ...headers } })
  const response = await from.fetch(request)
  return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }
}
const sha256 = (bytes: Uint8Array) => Bun.SHA256.hash(bytes, 'hex')

test('every market of a date is listed with three files, and each file matches the list', async () => {
  const all = listed(await ask(app, `/kalshi/files?date=${DATE}`))
  expect(all.map(({ market }) => market)).toEqual(markets)
  for (const { market, files } of all.slice(0, 5)) {
    expect(files.map(({ name }) => name)).toEqual(['records.ndjson.zst', 'candles-1s.parquet', 'trades.parquet'])
    for (const { name, bytes, sha256: digest } of files) {
      const file = await get(`/kalshi/files/${DATE}/${market}/${name}`)
      expect([file.status, file.bytes.length, sha256(file.bytes)]).toEqual([200, bytes, digest])
      expect(file.headers.get('etag')).toBe(`"${digest}"`)
      expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
    }
  }
})

test('pages hold every market once', async () => {
  const found: string[] = []
  for (let cursor = ''; ; ) {
    const answer = await ask(app, `/api/v1/kalshi/files?date=${DATE}&limit=3${cursor}`)
    const { has_more, next_cursor, data_count } = answer.body as Record<string, unknown>
    found.push(...listed(answer).map(({ market }) => market))
    expect([listed(answer).length, has_more]).toEqual([data_count as number, next_cursor !== null])
    if (next_cursor === null) break
    cursor = `&cursor=${next_cursor}`
  }
  expect(found).toEqual(markets)
})

test('one market alone is listed, and nothing of a date without data', async () => {
  expect(listed(await ask(app, `/kalshi/files?date=${DATE}&ticker=${kalshiTicker}`))).toHaveLength(1)
  expect(listed(await ask(app, `/kalshi/files?date=2026-07-21&ticker=${kalshiTicker}`))).toEqual([])
  expect(listed(await ask(app, '/polymarket/files?date=2026-07-21'))).toEqual([])
})

test('a file is made once, and a HEAD or a 304 needs no file', async () => {
  const data = join(store.folder, 'once')
  const fresh = appIn(data)
  const path = `/kalshi/files/${DATE}/${kalshiTicker}/records.ndjson.zst`
  const before = parsed
  const [first, second] = await Promise.all([get(path, {}, fresh), get(path, {}, fresh)])
  expect([first.status, second.status, parsed - before]).toEqual([200, 200, 1])
  const file = readdirSync(join(data, 'day-files')).filter((name) => name.endsWith('.file'))
  expect(file).toHaveLength(1)
  expect(statSync(join(data, 'day-files', file[0]!)).mode & 0o777).toBe(0o600)
  rmSync(join(data, 'day-files', file[0]!))
  const etag = first.headers.get('etag')!
  const head = await fresh.fetch(new Request(`http://localhost${path}`, { method: 'HEAD', headers: AUTHORIZED }))
  expect([head.headers.get('content-length'), head.headers.get('etag')]).toEqual([String(first.bytes.length), etag])
  expect((await get(path, { 'if-none-match': etag }, fresh)).status).toBe(304)
  expect(parsed - before).toBe(1)
  const again = await get(path, {}, appIn(data))
  expect([again.bytes, parsed - before]).toEqual([first.bytes, 2])
})

test('parts are those of the whole', async () => {
  const path = `/kalshi/files/${DATE}/${kalshiTicker}/candles-1s.parquet`
  const { bytes, headers } = await get(path)
  const etag = headers.get('etag')!
  const parts = [await get(path, { range: 'bytes=0-99' }), await get(path, { range: 'bytes=100-', 'if-range': etag })]
  expect(parts.map(({ status }) => status)).toEqual([206, 206])
  expect(Buffer.concat(parts.map((part) => part.bytes)).equals(bytes)).toBe(true)
  expect(parts[1]!.headers.get('content-range')).toBe(`bytes 100-${bytes.length - 1}/${bytes.length}`)
  expect((await get(path, { range: 'bytes=-7' })).bytes).toEqual(bytes.slice(-7))
  const other = await get(path, { range: 'bytes=100-', 'if-range': '"other"' })
  expect([other.status, other.bytes.length]).toEqual([200, bytes.length])
  const beyond = await ask(app, path, { headers: { ...AUTHORIZED, range: `bytes=${bytes.length}-` } })
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`])
  expect(beyond.body).toMatchObject({ code: 'range_not_satisfiable' })
})

test('files beyond their room are removed, the one used longest ago first, and made again', async () => {
  const data = join(store.folder, 'small')
  const small = appIn(data, 1)
  const path = (name: string) => `/kalshi/files/${DATE}/${kalshiTicker}/${name}`
  const storedFiles = () => readdirSync(join(data, 'day-files')).filter((name) => name.endsWith('.file'))
  const { bytes } = await get(path('records.ndjson.zst'), {}, small)
  await get(path('trades.parquet'), {}, small)
  expect(storedFiles()).toEqual([`${sha256((await get(path('trades.parquet'), {}, small)).bytes)}.file`])
  expect((await get(path('records.ndjson.zst'), {}, small)).bytes).toEqual(bytes)
  expect(storedFiles()).toEqual([`${sha256(bytes)}.file`])
})

test('a damaged list of digests is rebuilt', async () => {
  const data = join(store.folder, 'damaged')
  const path = `/kalshi/files/${DATE}/${kalshiTicker}/trades.parquet`
  const { bytes } = await get(path, {}, appIn(data))
  for (const end of ['', '-wal']) await Bun.write(join(data, 'day-files', `digests.sqlite${end}`), 'x'.repeat(9_000))
  expect((await get(path, {}, appIn(data))).bytes).toEqual(bytes)
})

test('raw records of Polymarket are in no file before their first date, the rest is', async () => {
  const [day] = listed(await ask(app, `/polymarket/files?date=${EARLY}&limit=1`))
  expect(day!.files.map(({ name }) => name)).toEqual(['candles-1s.parquet', 'trades.parquet'])
  const of = (name: string) => ask(app, `/polymarket/files/${EARLY}/${day!.market}/${name}`)
  expect((await of('trades.parquet')).status).toBe(200)
  const refused = await of('records.ndjson.zst')
  expect([refused.status, refused.body]).toMatchObject([400, { code: 'date_too_early' }])
})

test.each([
  [`/kalshi/files/${DATE}/NOTHING/trades.parquet`, 404, 'market_not_stored'],
  [`/kalshi/files/2026-07-21/${kalshiTicker}/trades.parquet`, 404, 'date_not_stored'],
  [`/kalshi/files/${DATE}/${kalshiTicker}/trades.csv`, 400, 'parameters_invalid'],
  [`/kalshi/files/2026-02-30/${kalshiTicker}/trades.parquet`, 400, 'parameters_invalid'],
  [`/kalshi/files/${DATE}/A B/trades.parquet`, 400, 'parameters_invalid'],
  [`/polymarket/files/${DATE}/${TICKER}/trades.parquet`, 400, 'parameters_invalid'],
  [`/polymarket/files/${DATE}/${CONDITION}/trades.parquet`, 404, 'market_not_stored'],
  [`/kalshi/files/${DATE}/${kalshiTicker}/trades.parquet?format=csv`, 400, 'parameters_invalid'],
  [`/kalshi/files/${DATE}/${kalshiTicker}`, 404, 'route_unknown'],
  ['/kalshi/files', 400, 'parameters_invalid'],
  ['/kalshi/files?date=today', 400, 'parameters_invalid'],
  [`/kalshi/files?date=${DATE}&limit=0`, 400, 'parameters_invalid'],
  [`/kalshi/files?date=${DATE}&limit=1001`, 400, 'parameters_invalid'],
  [`/kalshi/files?date=${DATE}&ticker=A%20B`, 400, 'parameters_invalid'],
  [`/kalshi/files?date=${DATE}&ticker=NOTHING`, 404, 'market_not_stored'],
  [`/kalshi/files?date=${DATE}&condition_id=1`, 400, 'parameters_invalid'],
  [`/kalshi/files?date=${DATE}&cursor=a.b`, 400, 'parameters_invalid'],
  [`/kalshi/files?date=${DATE}&cursor=abcd`, 400, 'cursor_invalid'],
])('%s is refused', async (path, status, code) => {
  const answer = await ask(app, path)
  expect([answer.status, answer.body]).toMatchObject([status, { code }])
})

test('a cursor is valid only for its own date', async () => {
  const { next_cursor } = (await ask(app, `/kalshi/files?date=${DATE}&limit=1`)).body as Record<string, string>
  const answer = await ask(app, `/kalshi/files?date=2026-07-21&cursor=${next_cursor}`)
  expect(answer.body).toMatchObject({ code: 'cursor_invalid' })
})
