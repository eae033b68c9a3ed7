// Requests of clients that already have an answer. They get a 304 while that answer is valid, and nothing is
// computed. Later they get the new answer.

import { expect, test } from 'bun:test'
import { ask, fakeCatalogue, fakeWorkers, TICKER, testApp } from '../../support/server.ts'

const DATE = 'date=2026-08-10'
const SUMMARY = `/kalshi/market/orderbook-summary?ticker=${TICKER}&${DATE}`
const PAGE = `/kalshi/market/data?ticker=${TICKER}&${DATE}`
const RANGE = `/kalshi/market/data/range?ticker=${TICKER}&start_timestamp=1786320000&end_timestamp=1786406399`
const LIST = '/kalshi/market/list'
const DATES = `/kalshi/market/date-range?ticker=${TICKER}`
const COVERAGE = `/kalshi/market/coverage?ticker=${TICKER}`
const NOON = Date.UTC(2026, 7, 12, 12)

function server() {
  const stored = { stamp: '2026-08-10:a ', markets: '1', dateCount: 2, nowMs: NOON, reads: 0 }
  const workers = fakeWorkers()
  const catalogue = fakeCatalogue({
    stamp: () => stored.stamp,
    marketsStamp: () => stored.markets,
    market: () => ({
      firstDate: '2026-08-10',
      lastDate: '2026-08-12',
      dateCount: stored.dateCount,
      recordCount: 5,
      revision: 1,
    }),
    markets: () => {
      stored.reads += 1
      return { markets: [], totalCount: 0 }
    },
    heads: () => {
      stored.reads += 1
      return []
    },
  })
  const app = testApp({ workers, catalogue, nowMs: () => stored.nowMs })
  const work = () => workers.summaries.length + workers.pages.length + stored.reads
  const get = async (path: string, tag?: string, more: Record<string, string> = {}) => {
    const before = work()
    const given = { authorization: `Bearer bb_${'k'.repeat(43)}`, ...more, ...(tag ? { 'if-none-match': tag } : {}) }
    const { status, headers, text } = await ask(app, path, { headers: given })
    return { status, headers, text, tag: headers.get('etag') ?? '', isMade: work() > before }
  }
  return { stored, get }
}

test.each([SUMMARY, PAGE, RANGE, LIST, DATES, COVERAGE])('%s is not computed if its tag is valid', async (path) => {
  const { get } = server()
  const first = await get(path)
  expect([first.status, first.tag]).toEqual([200, expect.stringMatching(/^W\/".+"$/)])
  const again = await get(path, `"other", ${first.tag.slice(2)}`)
  expect([again.status, again.text, again.isMade]).toEqual([304, '', false])
  for (const name of ['etag', 'cache-control', 'vary', 'ratelimit-policy']) {
    expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)])
  }
  expect(again.headers.has('content-type')).toBe(false)
  expect((await get(path, '*')).status).toBe(304)
  expect((await get(path, '"other"')).status).toBe(200)
})

test.each([
  [SUMMARY, { stamp: '2026-08-10:b ' }],
  [PAGE, { stamp: '2026-08-10:b ' }],
  [RANGE, { stamp: '2026-08-10:a 2026-08-11:a ' }],
  [COVERAGE, { stamp: '2026-08-10:b ' }],
  [LIST, { markets: '2' }],
  [DATES, { dateCount: 3 }],
])('%s is another answer after a change of the store: %p', async (path, change) => {
  const { stored, get } = server()
  const { tag } = await get(path)
  Object.assign(stored, change)
  const after = await get(path, tag)
  expect([after.status, after.tag === tag]).toEqual([200, false])
})

test('while a window is open, its tag is valid for the current bucket', async () => {
  const { stored, get } = server()
  const path = SUMMARY.replace('08-10', '08-12')
  const { tag } = await get(path)
  stored.nowMs = NOON + 59_999
  expect((await get(path, tag)).status).toBe(304)
  stored.nowMs = NOON + 60_000
  expect((await get(path, tag)).status).toBe(200)
})

test('a tag belongs to the query: other parameters have another tag', async () => {
  const { get } = server()
  const tags = [SUMMARY, `${SUMMARY}&resolution=1`, `${SUMMARY}&fill=none`, PAGE, `${PAGE}&limit=1`, `${PAGE}&offset=1`]
  expect(new Set(await Promise.all(tags.map(async (path) => (await get(path)).tag))).size).toBe(tags.length)
})

test('every encoding of an answer has the same weak tag', async () => {
  const { get } = server()
  const [plain, packed] = [await get(SUMMARY), await get(SUMMARY, undefined, { 'accept-encoding': 'zstd' })]
  expect([packed.tag, packed.headers.get('vary')]).toEqual([plain.tag, 'accept, accept-encoding, authorization'])
})

test.each([
  [SUMMARY, 'private, max-age=3600'],
  [PAGE, 'private, max-age=3600'],
  [RANGE, 'private, max-age=3600'],
  [SUMMARY.replace('08-10', '08-12'), 'private, no-cache'],
  [PAGE.replace('08-10', '08-12'), 'private, no-cache'],
  [LIST, 'private, no-cache'],
  [DATES, 'private, no-cache'],
  [COVERAGE, 'private, no-cache'],
])('%s has the cache-control %s', async (path, cacheControl) =>
  expect((await server().get(path)).headers.get('cache-control')).toBe(cacheControl),
)

test.each([
  [`${SUMMARY}&resolution=0`, 400],
  [`${LIST}?limit=x`, 400],
])('%s is refused, even if the client sends a matching tag', async (path, status) => {
  const { status: answered, headers } = await server().get(path, '*')
  expect([answered, headers.get('cache-control')]).toEqual([status, 'no-store'])
})

test('an unknown key is refused, even with a matching tag', async () =>
  expect((await server().get(SUMMARY, '*', { authorization: `Bearer bb_${'u'.repeat(43)}` })).status).toBe(401))
