// Goal: the same request over HTTP gives the same values in every format. A parameter or a header selects the format.
// Headers and metadata hold the envelope, and each format has its own tag.

import { afterAll, describe, expect, test } from 'bun:test'
import { QUESTIONS as ALL_QUESTIONS } from '../../../src/questions/routes/registry.ts'
import { answerInProcess } from '../../../workers/pool/answer-in-process.ts'
import { syntheticDay } from '../../../workers/synthetic/synthetic-day.ts'
import type { JsonObject } from '../../model/json.ts'
import { type Lists, rowInFormat } from '../../model/questions/flat-rows.ts'
import { arrowRows, csvRows, ndjsonRows, parquetRows } from '../../support/compare/row-formats.ts'
import { AUTHORIZED, NO_TOKENS, testApp } from '../../support/server.ts'
import { TestStore } from '../../support/store.ts'

const DATE = '2026-07-20'
const store = new TestStore()
const { kalshiLines, polymarketLines } = syntheticDay({ date: DATE, kalshiRecords: 40_000, polymarketRecords: 12_000 })
await store.loadLines('kalshi.ndjson', Array.from(kalshiLines))
await store.loadLines('polymarket.ndjson', Array.from(polymarketLines))
const { catalogue } = store.store
const { markets } = await catalogue.markets('polymarket', { prefix: '', offset: 0, limit: 1 })
const [day] = await catalogue.heads('polymarket', markets[0]!)
const dayStart = Date.parse(DATE) / 1_000
const workers = {
  ...answerInProcess(store.store),
  stats: () => ({ threads: 0, running: 0, queued: 0, queueMax: 9, completed: 0 }),
}
const app = testApp({ catalogue, workers, config: { ...NO_TOKENS, answerCacheBytes: 2 ** 25, corsOrigins: '*' } })
afterAll(() => store.close())

const TICKER = (await catalogue.markets('kalshi', { prefix: '', offset: 0, limit: 1 })).markets[0]!
const KALSHI = `/kalshi/market/orderbook-summary?ticker=${TICKER}`
const POLYMARKET = `/polymarket/market/orderbook-summary?condition_id=${markets[0]}&asset_id=${day!.head.books[0]!.id}`
/** The columns that hold text. */
const TEXTS = ['market', 'asset_id', 'ticker', 'kind', 'side', 'trade_id', 'trust']
const SECONDS = `start_timestamp=${dayStart}&end_timestamp=${dayStart + 7_199}`
const LISTS = 'levels=2&bands=0.05,0.01&sizes=100,7.5'
const ABOUT: Lists = {
  values: { _within: ['0.05', '0.01'], buy_: ['100', '7.5'], sell_: ['100', '7.5'] },
  levels: 2,
}
const question = (summary: string, name: string) => summary.replace('orderbook-summary', name)
const ONE_BOOK = ALL_QUESTIONS.filter((each) => each.kind === 'records').filter(({ path }) =>
  path.startsWith('/market/'),
)

async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const request = new Request(`http://localhost${path}`, { method, headers: { ...AUTHORIZED, ...headers } })
  const response = await app.fetch(request)
  return { status: response.status, headers: response.headers, bytes: await response.arrayBuffer() }
}
const textOf = (bytes: ArrayBuffer) => Buffer.from(bytes).toString()
const jsonOf = (bytes: ArrayBuffer) => JSON.parse(textOf(bytes))

const only = (row: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)))

/** Expects the same cells. Rows may have more columns: the market and the book. */
function expectCells(rows: readonly object[], expected: readonly object[]): void {
  expect(rows.length).toBe(expected.length)
  for (const [i, row] of expected.entries()) expect(only(rows[i]!, Object.keys(row))).toEqual(row)
}

/** At least one request for each endpoint with rows. */
const QUESTIONS: [name: string, path: string][] = [
  ['a summary of a day', `${KALSHI}&date=${DATE}&resolution=60`],
  ['a summary of a window in seconds', `${KALSHI}&${SECONDS}&resolution=7`],
  ['a summary of a book of Polymarket', `${POLYMARKET}&date=${DATE}&resolution=300`],
  ['a summary of nothing', `${KALSHI}&date=2026-07-22`],
  ['trades', `${question(KALSHI, 'trades')}&date=${DATE}&limit=300`],
  ['trades of Polymarket', `${question(POLYMARKET, 'trades')}&date=${DATE}`],
  ['a summary of trades', `${question(KALSHI, 'trade-summary')}&${SECONDS}&resolution=60&fill=range`],
  ['depth', `${question(KALSHI, 'depth-summary')}&${SECONDS}&${LISTS}`],
  ['depth of Polymarket', `${question(POLYMARKET, 'depth-summary')}&date=${DATE}&resolution=600&${LISTS}`],
  ['changes from a record on', `${question(KALSHI, 'book/changes')}&date=${DATE}&limit=2000`],
  ['changes of a window', `${question(POLYMARKET, 'book/changes')}&${SECONDS}`],
]

test('the list contains every endpoint with rows', () => {
  const rows = ONE_BOOK.filter(({ formats = [] }) => formats.includes('csv')).map(({ path }) => path)
  expect(rows.filter((path) => !QUESTIONS.some(([, parsed]) => parsed.includes(`${path}?`)))).toEqual([])
})

describe.each(QUESTIONS)('%s', (_, path) => {
  test('has the same cells in every format', async () => {
    const { data, ...envelope } = jsonOf((await get(path)).bytes)
    const count = envelope.data_points ?? envelope.data_count ?? null
    expect(data.length > 0).toBe(!path.includes('2026-07-22'))
    const ndjson = await get(`${path}&format=ndjson`)
    expect(ndjsonRows(textOf(ndjson.bytes))).toEqual(data)
    const inFormat = (format: string) => data.map((row: JsonObject) => rowInFormat(row, format, ABOUT))
    const csv = await get(`${path}&format=csv`)
    expectCells(csvRows(textOf(csv.bytes), TEXTS), inFormat('csv'))
    const arrow = await get(`${path}&format=arrow`)
    expectCells(arrowRows(arrow.bytes).rows, inFormat('arrow'))
    const parquet = await get(`${path}&format=parquet`)
    const file = await parquetRows(parquet.bytes)
    expectCells(file.rows, inFormat('parquet'))
    for (const { headers } of [ndjson, csv, arrow, parquet]) {
      expect(headers.get('x-data-count')).toBe(count === null ? null : String(count))
    }
    for (const { metadata } of [arrowRows(arrow.bytes), file]) {
      for (const [name, value] of Object.entries(envelope)) {
        expect([name, metadata.get(`backbook.${name}`)]).toEqual([name, value === null ? undefined : String(value)])
      }
    }
  })

  test('has the requested columns', async () => {
    const all = csvRows(textOf((await get(`${path}&format=csv`)).bytes), TEXTS)
    const head = textOf((await get(`${path}&format=csv`)).bytes)
      .split('\n')[0]!
      .split(',')
    const names = head.filter((_, i) => i % 3 === 1)
    const csv = await get(`${path}&format=csv&columns=${names}`)
    expect(csvRows(textOf(csv.bytes), TEXTS)).toEqual(all.map((row) => only(row, names)))
  })
})

describe('raw records', () => {
  const DATA = `/kalshi/market/data?ticker=${TICKER}&date=${DATE}&limit=500`
  const RANGE = `/kalshi/market/data/range?ticker=${TICKER}&start_timestamp=${dayStart}&end_timestamp=${dayStart + 86_399}&limit=500`

  test('have one record on each line', async () => {
    for (const path of [DATA, RANGE]) {
      const json = jsonOf((await get(path)).bytes)
      const { bytes, headers } = await get(path, { accept: 'application/x-ndjson', origin: 'https://page.example' })
      expect(ndjsonRows(textOf(bytes))).toEqual(json.data)
      expect(headers.get('content-type')).toBe('application/x-ndjson')
      expect(headers.get('x-data-count')).toBe('500')
      expect(headers.get('x-has-more')).toBe('true')
      expect(headers.get('x-next-cursor')).toBe(json.next_cursor ?? null)
      expect(headers.get('x-total-count')).toBe(json.total_count === undefined ? null : String(json.total_count))
      expect(headers.get('access-control-expose-headers')).toContain('x-next-cursor')
    }
  })

  test('have no columns', async () => {
    expect(jsonOf((await get(`${DATA}&format=csv`)).bytes).detail).toBe('format must be json or ndjson, got "csv"')
    expect((await get(`${DATA}&columns=a`)).status).toBe(400)
    expect((await get(DATA, { accept: 'text/csv' })).headers.get('content-type')).toBe('application/json')
  })
})

describe('a request', () => {
  const path = `${KALSHI}&date=${DATE}&resolution=60`
  const typeOf = async (accept: string, more = '') => (await get(path + more, { accept })).headers.get('content-type')

  test.each([
    ['text/csv', 'text/csv; charset=utf-8'],
    ['application/vnd.apache.arrow.stream, application/json;q=0.5', 'application/vnd.apache.arrow.stream'],
    ['application/vnd.apache.parquet', 'application/vnd.apache.parquet'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'],
    ['image/png', 'application/json'],
    ['*/*', 'application/json'],
  ])('that accepts %s gets %s', async (accept, type) => expect(await typeOf(accept)).toBe(type))

  test('with a format parameter gets that format, whatever its Accept header', async () => {
    expect(await typeOf('text/csv', '&format=ndjson')).toBe('application/x-ndjson')
    expect(await typeOf('text/csv', '&format=json')).toBe('application/json')
    const { status, bytes } = await get(`${path}&format=xlsx`)
    expect([status, jsonOf(bytes).detail]).toEqual([
      400,
      'format must be json, ndjson, csv, arrow or parquet, got "xlsx"',
    ])
  })

  test.each([
    ['&format=csv&columns=mid', /^columns must be of market, timestamp, quote_count, .*trust, got "mid"$/],
    ['&columns=spread', /^columns is for the formats csv, arrow or parquet, got it with json$/],
    ['&format=csv&columns=spread,spread', /^columns must name each column once, got "spread,spread"$/],
    ['&format=csv&columns=', /^columns must be names of columns with commas between, got ""$/],
  ])('for %s is refused', async (more, detail) => {
    const { status, bytes } = await get(path + more)
    expect([status, jsonOf(bytes).errors[0].field]).toEqual([400, 'columns'])
    expect(jsonOf(bytes).detail).toMatch(detail)
  })

  test('has its own tag and its own cached answers in each format', async () => {
    const forms = [
      '',
      '&format=ndjson',
      '&format=csv',
      '&format=csv&columns=spread',
      '&format=arrow',
      '&format=parquet',
    ]
    const first = await Promise.all(forms.map((form) => get(path + form)))
    expect(new Set(first.map(({ headers }) => headers.get('etag'))).size).toBe(forms.length)
    for (const [index, { headers, bytes }] of first.entries()) {
      const form = forms[index]!
      const again = await get(path + form)
      expect(Buffer.from(again.bytes).equals(Buffer.from(bytes))).toBe(true)
      for (const name of ['content-type', 'x-data-count', 'vary']) {
        expect(again.headers.get(name)).toBe(headers.get(name))
      }
      expect(headers.get('vary')).toStartWith('accept, ')
      expect((await get(path + form, { 'if-none-match': headers.get('etag')! })).status).toBe(304)
      const head = await get(path + form, {}, 'HEAD')
      expect([head.status, head.headers.get('content-type')]).toEqual([200, headers.get('content-type')])
    }
  })

  test('is compressed like JSON, except Parquet', async () => {
    const encoded = async (form: string) =>
      (await get(`${path}&format=${form}`, { 'accept-encoding': 'zstd' })).headers.get('content-encoding')
    expect(await Promise.all(['json', 'ndjson', 'csv', 'arrow', 'parquet'].map(encoded))).toEqual([
      ...['zstd', 'zstd', 'zstd', 'zstd'],
      null,
    ])
  })
})
