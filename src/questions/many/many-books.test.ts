// long: whole days go through several formats
// A question about many books answers for each book the same bytes as a question about that book alone, in every
// format.

import { afterAll, describe, expect, test } from 'bun:test'
import { arrowRows, parquetRows } from '../../../test/support/compare/row-formats.ts'
import { AUTHORIZED, testApp } from '../../../test/support/server.ts'
import { TestStore } from '../../../test/support/store.ts'
import { answerInProcess } from '../../../workers/pool/answer-in-process.ts'
import { syntheticDay } from '../../../workers/synthetic/synthetic-day.ts'
import { QUESTIONS } from '../routes/registry.ts'

const DATE = '2026-07-20'
const store = new TestStore()
const day = syntheticDay({ date: DATE, kalshiRecords: 6_000, polymarketRecords: 6_000 })
await store.loadLines('kalshi.ndjson', Array.from(day.kalshiLines))
await store.loadLines('polymarket.ndjson', [JSON.stringify(day.gammaEvent), ...day.polymarketLines])
const { catalogue } = store.store
const workers = {
  ...answerInProcess(store.store),
  stats: () => ({ threads: 0, running: 0, queued: 0, queueMax: 9, completed: 0 }),
}
const app = testApp({ catalogue, workers })
afterAll(() => store.close())

const idsOf = async (venue: 'kalshi' | 'polymarket') =>
  (await catalogue.markets(venue, { prefix: '', offset: 0, limit: 20 })).markets
const TICKERS = await idsOf('kalshi')
const BOOKS: string[] = []
for (const market of await idsOf('polymarket')) {
  const [stored] = await catalogue.heads('polymarket', market)
  BOOKS.push(...stored!.head.books.map(({ id }) => `${market}:${id}`))
}
const UNKNOWN = { kalshi: 'KX-NONE', polymarket: `0x${'0'.repeat(64)}:12` }
const SLUG = (day.gammaEvent as { slug: string }).slug
const START = Date.parse(DATE) / 1_000
const WINDOWS = [
  `date=${DATE}&resolution=600`,
  `date=${DATE}&resolution=60&fill=none`,
  `start_timestamp=${START + 3_600}&end_timestamp=${START + 7_199}&resolution=300&fill=range`,
]

async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const request = new Request(`http://localhost${path}`, { method, headers: { ...AUTHORIZED, ...headers } })
  const response = await app.fetch(request)
  return { status: response.status, headers: response.headers, bytes: await response.arrayBuffer() }
}
const textOf = (bytes: ArrayBuffer) => Buffer.from(bytes).toString()
const jsonOf = (bytes: ArrayBuffer) => JSON.parse(textOf(bytes))

type Venue = 'kalshi' | 'polymarket'
const ENTRIES: Record<Venue, string[]> = { kalshi: TICKERS, polymarket: BOOKS }
const LIST: Record<Venue, string> = { kalshi: 'tickers', polymarket: 'books' }
const many = (venue: Venue, entries: readonly string[], rest: string, path = '/markets/orderbook-summary') =>
  `/${venue}${path}?${LIST[venue]}=${entries.join(',')}&${rest}`

function single(venue: Venue, entry: string, rest: string, path: string): string {
  const [market, asset] = entry.split(':')
  const ids = venue === 'kalshi' ? `ticker=${market}` : `condition_id=${market}&asset_id=${asset}`
  return `/${venue}${path.replace('markets', 'market')}?${ids}&${rest}`
}

const INSTANTS = [`timestamp=${START + 40_000}`, `timestamp=${START + 70_000}&depth=3`]
const QUESTION_PATHS = QUESTIONS.filter(({ kind, path }) => kind === 'records' && path.startsWith('/markets/')).flatMap(
  (question) => (question.path === '/markets/book' ? INSTANTS : WINDOWS).map((rest) => [question.path, rest] as const),
)
const WITH_ROWS = QUESTION_PATHS.filter(([path]) => path !== '/markets/book')
const linesOf = (text: string) => text.split('\n').slice(0, -1)

describe.each(['kalshi', 'polymarket'] as const)('books of %s', (venue) => {
  const entries = ENTRIES[venue]
  const withUnknown = [entries[1]!, UNKNOWN[venue], ...entries.filter((_, i) => i !== 1)]

  test.each(QUESTION_PATHS)(
    '%s?%s return for each book what a request for it alone returns, in the order of the request',
    async (path, rest) => {
      const { status, headers, bytes } = await get(many(venue, withUnknown, rest, path))
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
      const { markets, ...shared } = jsonOf(bytes)
      const text = textOf(bytes)
      let at = 0
      for (const [index, entry] of withUnknown.entries()) {
        const answer = await get(single(venue, entry, rest, path))
        if (entry === UNKNOWN[venue]) {
          const { code, detail } = jsonOf(answer.bytes)
          expect(markets[index].error).toEqual({ code, detail })
          expect(code).toBe('market_not_stored')
          continue
        }
        expect({ ...shared, ...markets[index] }).toEqual(jsonOf(answer.bytes))
        const whole = textOf(answer.bytes)
        const expected = whole.slice(Math.max(0, whole.indexOf('"data":')))
        at = text.indexOf(expected, at) + expected.length
        expect(at).toBeGreaterThanOrEqual(expected.length)
      }
      expect(markets).toHaveLength(withUnknown.length)
    },
  )

  test.each(WITH_ROWS)('%s?%s are the rows of each in every format', async (path, rest) => {
    const stored = withUnknown.filter((entry) => entry !== UNKNOWN[venue])
    const bytesOf = async (format: string) => {
      const { status, bytes } = await get(`${many(venue, withUnknown, rest, path)}&format=${format}`)
      expect(status).toBe(200)
      return bytes
    }
    const singles = (format: string) =>
      Promise.all(
        stored.map(async (entry) => (await get(`${single(venue, entry, rest, path)}&format=${format}`)).bytes),
      )

    const csvs = (await singles('csv')).map((bytes) => linesOf(textOf(bytes)))
    const csv = linesOf(textOf(await bytesOf('csv')))
    expect(csv).toEqual([csvs[0]![0]!, ...csvs.flatMap(([, ...rows]) => rows)])
    expect(csv.length).toBeGreaterThan(10)

    const idsOf = (entry: string) => {
      const [market, asset_id] = entry.split(':')
      return JSON.stringify({ market, asset_id }).slice(0, -1)
    }
    const ndjsons = (await singles('ndjson')).flatMap((bytes, i) =>
      linesOf(textOf(bytes)).map((line) => `${idsOf(stored[i]!)},${line.slice(1)}`),
    )
    expect(linesOf(textOf(await bytesOf('ndjson')))).toEqual(ndjsons)

    const arrow = arrowRows(await bytesOf('arrow'))
    expect(arrow.rows).toEqual((await singles('arrow')).flatMap((bytes) => arrowRows(bytes).rows))
    const parquet = await parquetRows(await bytesOf('parquet'))
    const parquets = await Promise.all((await singles('parquet')).map(parquetRows))
    expect(parquet.rows).toEqual(parquets.flatMap(({ rows }) => rows))
    for (const { metadata } of [arrow, parquet]) {
      const names = [...metadata.keys()]
      expect(names).toContain('backbook.resolution_seconds')
      for (const name of ['market_ticker', 'market_condition_id', 'asset_id', 'data_points']) {
        expect(names).not.toContain(`backbook.${name}`)
      }
    }
    const { market, asset_id } = JSON.parse(`${idsOf(UNKNOWN[venue]!)}}`)
    const error = {
      [venue === 'kalshi' ? 'market_ticker' : 'market_condition_id']: market,
      ...(asset_id && { asset_id }),
    }
    for (const format of ['json', 'ndjson', 'csv', 'arrow', 'parquet']) {
      for (const method of ['GET', 'HEAD']) {
        const parsed = `${many(venue, withUnknown, rest, path)}&format=${format}`
        const { headers } = await get(parsed, {}, method)
        expect([headers.get('x-error-count'), headers.get('x-data-count')]).toEqual(['1', null])
        expect(JSON.parse(headers.get('x-errors')!)).toEqual([
          { ...error, code: expect.stringMatching(/_not_stored$/) },
        ])
      }
      const one = `${many(venue, [UNKNOWN[venue]!, stored[0]!], rest, path)}&format=${format}`
      const lines = linesOf(textOf((await get(single(venue, stored[0]!, `${rest}&format=ndjson`, path))).bytes))
      const count = format === 'json' ? null : String(lines.length)
      expect((await get(one)).headers.get('x-data-count')).toBe(count)
    }
    const [some, ...rows] = linesOf(textOf(await bytesOf('csv&columns=market,timestamp')))
    expect([some, rows.length]).toEqual(['market,timestamp', csv.length - 1])
  })

  test('have tags and HEAD, with and without the prefix of all paths', async () => {
    const path = many(venue, withUnknown, WINDOWS[0]!)
    const { headers, bytes } = await get(path)
    expect(Buffer.from((await get(`/api/v1${path}`)).bytes)).toEqual(Buffer.from(bytes))
    expect((await get(path, { 'if-none-match': headers.get('etag')! })).status).toBe(304)
    const other = await get(many(venue, entries, WINDOWS[0]!))
    expect(other.headers.get('etag')).not.toBe(headers.get('etag'))
    expect([headers.get('cache-control'), other.headers.get('cache-control')]).toEqual([
      'private, no-cache',
      'private, max-age=3600',
    ])
    const head = await get(path, {}, 'HEAD')
    expect([head.status, head.bytes.byteLength, head.headers.get('etag')]).toEqual([200, 0, headers.get('etag')])
    const packed = await get(path, { 'accept-encoding': 'zstd' })
    expect(packed.headers.get('content-encoding')).toBe('zstd')
  })
})

test('books of an event are those of its markets, all tokens of each', async () => {
  const { markets } = jsonOf((await get(`/polymarket/markets/orderbook-summary?event=${SLUG}&date=${DATE}`)).bytes)
  const known = await catalogue.event('polymarket', SLUG)
  const ids = markets.map((each: { market_condition_id: string }) => each.market_condition_id)
  expect([...new Set(ids)]).toEqual(known!.markets)
  const named = markets.map((each: Record<string, string>) => `${each['market_condition_id']}:${each['asset_id']}`)
  expect(named.toSorted()).toEqual(BOOKS.toSorted())
})

test('a token that a market does not have gets an error in its place', async () => {
  const [market] = BOOKS[0]!.split(':')
  const { markets } = jsonOf((await get(many('polymarket', [`${market}:7`, BOOKS[0]!], `date=${DATE}`))).bytes)
  expect(markets[0]).toMatchObject({ market_condition_id: market, asset_id: '7', error: { code: 'asset_not_stored' } })
  expect(markets[1].data_points).toBeGreaterThan(0)
})

test('books without any stored data are 404 in every format', async () => {
  for (const format of ['json', 'csv', 'parquet']) {
    const { status, bytes } = await get(many('kalshi', ['KX-1', 'KX-2'], `date=${DATE}&format=${format}`))
    const detail = 'Nothing is stored of any of the 2 requested books: see market/list'
    expect([status, jsonOf(bytes)]).toMatchObject([404, { code: 'market_not_stored', detail }])
  }
  const { bytes } = await get(many('kalshi', ['KX-1'], `date=${DATE}`))
  expect(jsonOf(bytes).detail).toStartWith('Nothing is stored of the kalshi market with ticker KX-1')
})

const ID = `0x${'a'.repeat(64)}`
const TICKER_RULE =
  '1 to 200 tickers with commas between, each 1 to 128 characters of letters, digits, "-", "." and "_"'
const BOOK_RULE =
  '1 to 200 books with commas between, each CONDITION:ASSET, which are 64 hexadecimal digits, with or without 0x, and ' +
  'up to 78 decimal digits'
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `KX-${i}`).join(',')

test.each([
  ['kalshi', `date=${DATE}`, 'tickers', 'is required unless event is given'],
  ['kalshi', `tickers=&date=${DATE}`, 'tickers', `must be ${TICKER_RULE}, got ""`],
  ['kalshi', `tickers=A,,B&date=${DATE}`, 'tickers', `must be ${TICKER_RULE}, got ""`],
  ['kalshi', `tickers=A,B%20C&date=${DATE}`, 'tickers', `must be ${TICKER_RULE}, got "B C"`],
  ['kalshi', `tickers=${numbered(201)}&date=${DATE}`, 'tickers', `must be ${TICKER_RULE}, got "201 tickers"`],
  ['kalshi', `tickers=A,B,a&date=${DATE}`, 'tickers', 'must name each once, got "a" twice'],
  ['kalshi', `tickers=A&event=E&date=${DATE}`, 'event', 'cannot be combined with tickers'],
  ['kalshi', `event=&date=${DATE}`, 'event', 'must be 1 to 200 characters of ASCII without blanks, got ""'],
  ['kalshi', `event=A%00&date=${DATE}`, 'event', /^must be 1 to 200 characters of ASCII without blanks/],
  [
    'kalshi',
    `tickers=A&ticker=A&date=${DATE}`,
    'ticker',
    /^is not a parameter: this endpoint takes tickers, event, date,/,
  ],
  ['kalshi', 'tickers=A', 'date', 'is required unless start_timestamp and end_timestamp are given'],
  ['kalshi', `tickers=A&date=${DATE}&resolution=0`, 'resolution', 'must be a whole number from 1 to 3600, got "0"'],
  ['kalshi', `tickers=A&date=${DATE}&fill=x`, 'fill', 'must be observed, none or range, got "x"'],
  ['kalshi', `tickers=A&date=${DATE}&format=xlsx`, 'format', 'must be json, ndjson, csv, arrow or parquet, got "xlsx"'],
  ['polymarket', `books=${ID}&date=${DATE}`, 'books', `must be ${BOOK_RULE}, got "${ID}"`],
  ['polymarket', `books=${ID}:1,0x12:1&date=${DATE}`, 'books', `must be ${BOOK_RULE}, got "0x12:1"`],
  [
    'polymarket',
    `books=${ID}:1,${'A'.repeat(64)}:1&date=${DATE}`,
    'books',
    `must name each once, got "${'A'.repeat(64)}:1" twice`,
  ],
  ['polymarket', `asset_id=1&books=${ID}:1&date=${DATE}`, 'asset_id', /^is not a parameter/],
] as const)('%s?%s is refused', async (venue, query, field, message) => {
  const { status, bytes } = await get(`/${venue}/markets/orderbook-summary?${query}`)
  const [error] = jsonOf(bytes).errors
  expect([status, error.field]).toEqual([400, field])
  if (typeof message === 'string') expect(error.message).toBe(message)
  else expect(error.message).toMatch(message)
})

test('200 tickers fit, and so do 200 books; more buckets than a million do not', async () => {
  expect(
    (await get(`/kalshi/markets/orderbook-summary?tickers=${numbered(199)},${TICKERS[0]}&date=${DATE}`)).status,
  ).toBe(200)
  const hex = (n: number) => n.toString(16).padStart(64, '0')
  const books = Array.from({ length: 199 }, (_, n) => `0x${hex(n)}:${'9'.repeat(78)}`)
  expect((await get(many('polymarket', [...books, BOOKS[0]!], `date=${DATE}`))).status).toBe(200)
  const { status, bytes } = await get(
    `/kalshi/markets/orderbook-summary?tickers=${numbered(12)}&date=${DATE}&resolution=1`,
  )
  const detail =
    'resolution must give at most 1000000 buckets in all, got "1", which gives 1036800 for 12 books: ask for longer ' +
    'buckets, fewer books or a shorter range'
  expect([status, jsonOf(bytes)]).toMatchObject([400, { code: 'range_too_long', detail }])
})

test('an event that no metadata names is 404', async () => {
  const { status, bytes } = await get(`/kalshi/markets/orderbook-summary?event=KXNO&date=${DATE}`)
  const detail = 'The loaded metadata has no market of the kalshi event "KXNO"'
  expect([status, jsonOf(bytes)]).toMatchObject([404, { code: 'event_not_found', detail }])
})
