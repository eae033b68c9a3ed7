// With `source`, each question about a market answers byte for byte as a store that holds only that source.

import { afterAll, describe, expect, test } from 'bun:test'
import { CONDITION, DAY, kalshiDelta, kalshiSnapshot, NOON, received, TICKER } from '../../test/model/lines.ts'
import { ARCHIVE, ASSETS, FIFTH, FOURTH, SECOND, storeOf, THIRD } from '../../test/support/archives/two-sources.ts'
import { AUTHORIZED, fakeWorkers, testApp } from '../../test/support/server.ts'
import { TestStore } from '../../test/support/store.ts'
import { answerInProcess } from '../../workers/pool/answer-in-process.ts'
import { createWorkers } from '../../workers/pool/pool.ts'
import type { Workers } from '../../workers/requests.ts'

const DAY_MS = 86_400_000
const OTHER = 'ag6'

const all = await storeOf(['own', ARCHIVE])
const alone = { own: await storeOf(['own']), [ARCHIVE]: await storeOf([ARCHIVE]) }
afterAll(() => Promise.all([all, ...Object.values(alone)].map((store) => store.close())))

type Answer = { status: number; etag: string | null; bytes: Buffer; text: string }
const asking = ({ store }: TestStore, workers: Workers = { ...fakeWorkers(), ...answerInProcess(store) }) => {
  const app = testApp({ catalogue: store.catalogue, workers, nowMs: () => NOON + 30 * DAY_MS })
  return async (path: string): Promise<Answer> => {
    const response = await app.fetch(new Request(`http://localhost${path}`, { headers: AUTHORIZED }))
    const bytes = Buffer.from(await response.arrayBuffer())
    return { status: response.status, etag: response.headers.get('etag'), bytes, text: bytes.toString() }
  }
}
const get = asking(all)
const getAlone = { own: asking(alone.own), [ARCHIVE]: asking(alone[ARCHIVE]!) }

const DATES = [DAY, SECOND, THIRD, FOURTH, FIFTH]
const BOUNDS = `start_timestamp=${NOON - DAY_MS}&end_timestamp=${NOON + 5 * DAY_MS}`
const ofDate = (path: string, rest = '') => DATES.map((date) => `${path}?ticker=${TICKER}&date=${date}${rest}`)
const PATHS = [
  ...ofDate('/kalshi/market/data'),
  ...ofDate('/kalshi/market/data', '&format=ndjson&offset=1&limit=2'),
  `/kalshi/market/data/range?ticker=${TICKER}&${BOUNDS}`,
  ...ofDate('/kalshi/market/orderbook-summary', '&resolution=60&fill=range'),
  ...ofDate('/kalshi/market/orderbook-summary', '&format=parquet'),
  ...ofDate('/kalshi/market/depth-summary', '&format=arrow'),
  ...ofDate('/kalshi/market/trades', '&format=csv'),
  ...ofDate('/kalshi/market/trade-summary', '&resolution=60'),
  ...ofDate('/kalshi/market/depth-map', '&format=ndjson'),
  ...ofDate('/kalshi/market/book/changes'),
  ...DATES.map((date) => `/kalshi/market/book?ticker=${TICKER}&timestamp=${date}T18:00:00Z`),
  `/kalshi/market/date-range?ticker=${TICKER}`,
  `/kalshi/market/coverage?ticker=${TICKER}`,
  `/kalshi/market/info?ticker=${TICKER}`,
  `/kalshi/markets/orderbook-summary?tickers=${TICKER},KXNONE&date=${SECOND}&format=csv`,
  `/kalshi/markets/book?tickers=${TICKER}&timestamp=${FOURTH}T18:00:00Z`,
]

describe.each(['own', ARCHIVE] as const)('source=%s', (source) => {
  test.each(PATHS)('%s', async (path) => {
    const answer = await get(`${path}&source=${source}`)
    const expected = await getAlone[source]!(path)
    expect(expected.status).toBe(200)
    expect([answer.status, answer.text]).toEqual([expected.status, expected.text])
    expect(answer.bytes.equals(expected.bytes)).toBe(true)
  })
})

test('worker threads also answer from the requested source', async () => {
  const workers = createWorkers({ place: all.place, threads: 1, queueMax: 10 })
  try {
    const getFromThreads = asking(all, workers)
    for (const path of PATHS.filter((each) => each.includes(SECOND))) {
      const parsed = `${path}&source=${ARCHIVE}`
      expect((await getFromThreads(parsed)).text).toBe((await get(parsed)).text)
    }
  } finally {
    await workers.close()
  }
})

test('answers differ by source, and so do their tags and cached copies', async () => {
  for (const path of [
    `/kalshi/market/orderbook-summary?ticker=${TICKER}&date=${SECOND}`,
    `/kalshi/market/date-range?ticker=${TICKER}`,
    `/kalshi/market/coverage?ticker=${TICKER}`,
  ]) {
    const paths = [path, `${path}&source=own`, `${path}&source=${ARCHIVE}`]
    const [shown, own, archive] = [await get(paths[0]!), await get(paths[1]!), await get(paths[2]!)]
    expect(new Set([shown.etag, own.etag, archive.etag]).size).toBe(3)
    expect(archive.text).not.toBe(own.text)
    for (const [i, before] of [shown, own, archive].entries()) expect((await get(paths[i]!)).text).toBe(before.text)
  }
})

test("the tag of a source's date changes with its next date, also behind one of another source", async () => {
  const store = new TestStore()
  const load = (name: string, day: number, source?: string) =>
    store.loadLines(name, [JSON.stringify(kalshiDelta(day * DAY_MS, '0.4100', '1.00'))], source)
  const tag = async () => {
    const path = `/kalshi/market/orderbook-summary?ticker=${TICKER}&date=${DAY}&fill=range&source=own`
    return (await asking(store)(path)).etag
  }
  await load('own.ndjson', 0)
  await load('archive.ndjson', 1, ARCHIVE)
  const before = await tag()
  await load('later.ndjson', 2)
  expect(await tag()).not.toBe(before)
  await store.close()
})

test('the tag of the changes of a date changes with the date before, whose book they begin with', async () => {
  const store = new TestStore()
  const load = (name: string, day: number, price: string) =>
    store.loadLines(name, [
      JSON.stringify(received(day * DAY_MS, kalshiSnapshot([[price, '5.00']]))),
      JSON.stringify(kalshiDelta(day * DAY_MS + 5, price, '1.00')),
    ])
  const ask = () => asking(store)(`/kalshi/market/book/changes?ticker=${TICKER}&date=${SECOND}`)
  await load('second.ndjson', 1, '0.4100')
  const before = await ask()
  await load('first.ndjson', 0, '0.4200')
  const after = await ask()
  expect(after.text).not.toBe(before.text)
  expect(after.etag).not.toBe(before.etag)
  await store.close()
})

test('the cursor of one source is refused with another, and continues with its own', async () => {
  for (const path of [
    `/kalshi/market/data/range?ticker=${TICKER}&${BOUNDS}&limit=3`,
    `/kalshi/market/trades?ticker=${TICKER}&${BOUNDS}&limit=1`,
  ]) {
    const first = JSON.parse((await get(`${path}&source=${ARCHIVE}`)).text) as { next_cursor: string; data: unknown[] }
    const next = `${path}&cursor=${first.next_cursor}`
    for (const wrong of [next, `${next}&source=own`]) {
      expect(JSON.parse((await get(wrong)).text)).toMatchObject({ code: 'cursor_invalid' })
    }
    const second = JSON.parse((await get(`${next}&source=${ARCHIVE}`)).text) as { data: unknown[] }
    const both = path.replace(/limit=(\d)/, (_, limit) => `limit=${2 * Number(limit)}`)
    const whole = JSON.parse((await getAlone[ARCHIVE]!(both)).text) as { data: unknown[] }
    expect([...first.data, ...second.data]).toEqual(whole.data)
  }
})

test('a market without records from the source is not stored, and the answer names the source', async () => {
  const problem = JSON.parse((await get(`/kalshi/market/trades?ticker=${TICKER}&date=${DAY}&source=${OTHER}`)).text)
  expect(problem).toMatchObject({ status: 404, code: 'market_not_stored' })
  expect(problem.detail).toBe(
    `Nothing is stored of the kalshi market with ticker ${TICKER} from the source ag6: see market/coverage for its sources`,
  )
  const many = await get(`/kalshi/markets/book?tickers=${TICKER}&source=${OTHER}`)
  expect([many.status, JSON.parse(many.text).detail]).toEqual([404, problem.detail])
  const range = JSON.parse((await get(`/kalshi/market/date-range?ticker=${TICKER}&source=${OTHER}`)).text)
  expect(range).toMatchObject({ has_data: false, available_date_count: 0 })
})

test('a token that only another source has is not stored', async () => {
  const path = `/polymarket/market/book?condition_id=${CONDITION}&timestamp=${THIRD}T18:00:00Z&asset_id=`
  expect((await get(`${path}${ASSETS.archive}&source=${ARCHIVE}`)).status).toBe(200)
  const problem = JSON.parse((await get(`${path}${ASSETS.archive}&source=own`)).text)
  expect(problem).toMatchObject({ status: 404, code: 'asset_not_stored' })
})

test('coverage lists the spans of dates that an archive covers', async () => {
  const { dates } = JSON.parse((await get(`/kalshi/market/coverage?ticker=${TICKER}`)).text) as {
    dates: { date: string; spans?: unknown; sources?: { source: string; records: number }[] }[]
  }
  const whole = (date: string, source: string | null) => {
    return [{ source, from: Date.parse(date), to: Date.parse(date) + DAY_MS }]
  }
  expect(dates.map(({ date, spans }) => [date, spans])).toEqual([
    [DAY, undefined],
    [SECOND, whole(SECOND, null)],
    [THIRD, undefined],
    [FOURTH, whole(FOURTH, ARCHIVE)],
    [FIFTH, undefined],
  ])
  expect(dates[1]?.sources).toMatchObject([{ source: ARCHIVE, records: 6 }])
})
