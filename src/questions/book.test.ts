// market/book and market/book/changes refuse invalid requests with a message that says what they accept. For the
// demo's day they answer GET and HEAD under every path, with entity tags. Other tests compare answers with the model.

import { afterAll, describe, expect, test } from 'bun:test'
import { AUTHORIZED, ask, CONDITION, fakeWorkers, TICKER, testApp } from '../../test/support/server.ts'
import { TestStore } from '../../test/support/store.ts'
import { answerInProcess } from '../../workers/pool/answer-in-process.ts'
import { syntheticDay } from '../../workers/synthetic/synthetic-day.ts'
import { moment } from '../http/parameters/moment.ts'

const DAY = 'date=2026-08-10'
const PLACE = 'a whole number from 0 to 9007199254740991'
const TIME = moment('').accepts
const BOTH = 'is required with'
const NO_DATE = 'needs date: bounds return all changes'
const BOUNDS = 'start_timestamp=5&end_timestamp=6'

describe.each([
  ['book', 'timestamp=1e3', { timestamp: `must be ${TIME}, got "1e3"` }],
  ['book', 'timestamp=253402300800000000', { timestamp: `must be ${TIME}, got "253402300800000000"` }],
  ['book', `${DAY}&record=-1`, { record: `must be ${PLACE}, got "-1"` }],
  [
    'book',
    'date=2026-02-30&record=1',
    { date: 'must be a UTC date written YYYY-MM-DD, from 1970-01-01 on, got "2026-02-30"' },
  ],
  ['book', 'depth=0', { depth: 'must be a whole number from 1 to 10000, got "0"' }],
  ['book', 'depth=10001', { depth: 'must be a whole number from 1 to 10000, got "10001"' }],
  ['book', `timestamp=5&${DAY}&record=1`, { timestamp: 'cannot be combined with date' }],
  ['book', 'timestamp=5&record=1', { timestamp: 'cannot be combined with record' }],
  ['book', DAY, { record: `${BOTH} date` }],
  ['book', 'record=1', { date: `${BOTH} record` }],
  ['book', `${DAY}&record=1`, { record: 'must be a record of a stored date: 2026-08-10 has none, got "1"' }],
  [
    'book',
    'format=csv',
    { format: 'is not a parameter: this endpoint takes ticker, timestamp, date, record, depth, source' },
  ],
  ['book/changes', '', { date: 'is required unless start_timestamp and end_timestamp are given' }],
  ['book/changes', `${DAY}&${BOUNDS}`, { date: 'cannot be combined with start_timestamp or end_timestamp' }],
  ['book/changes', 'start_timestamp=5', { end_timestamp: `${BOTH} start_timestamp` }],
  ['book/changes', `${BOUNDS}&record=1`, { record: NO_DATE }],
  ['book/changes', `${BOUNDS}&limit=1`, { limit: NO_DATE }],
  ['book/changes', `${DAY}&record=x`, { record: `must be ${PLACE}, got "x"` }],
  ['book/changes', `${DAY}&limit=0`, { limit: 'must be a whole number from 1 to 100000, got "0"' }],
  ['book/changes', `${DAY}&limit=100001`, { limit: 'must be a whole number from 1 to 100000, got "100001"' }],
  ['book/changes', `${DAY}&format=xml`, { format: 'must be json, ndjson, csv, arrow or parquet, got "xml"' }],
  [
    'book/changes',
    `${DAY}&format=csv&columns=size`,
    {
      columns: 'must be of market, timestamp, record, kind, side, price, before, after, trust, got "size"',
    },
  ],
])('%s?%s', (path, query, errors) => {
  test('is refused', async () => {
    const { status, body } = await ask(testApp(), `/kalshi/market/${path}?ticker=${TICKER}&${query}`)
    const { code, errors: fieldErrors } = body as { code: string; errors: { field: string; message: string }[] }
    expect([status, code]).toEqual([400, 'parameters_invalid'])
    expect(Object.fromEntries(fieldErrors.map(({ field, message }) => [field, message]))).toEqual(errors)
  })
})

test.each(['book?', `book/changes?${DAY}&`])('%s needs a market, and on Polymarket a token', async (path) => {
  const errorsOf = async (query: string) => {
    const { status, body } = await ask(testApp(), query)
    return [status, (body as { errors: { field: string }[] }).errors?.map(({ field }) => field)]
  }
  expect(await errorsOf(`/kalshi/market/${path}`)).toEqual([400, ['ticker']])
  expect(await errorsOf(`/polymarket/market/${path}condition_id=${CONDITION}`)).toEqual([400, ['asset_id']])
  expect((await ask(testApp(), `/kalshi/market/${path}ticker=KXNONE`)).body).toMatchObject({
    code: 'market_not_stored',
  })
})

describe('the demo’s day', async () => {
  const store = new TestStore()
  const { kalshiLines } = syntheticDay({ date: '2026-07-20', kalshiRecords: 40_000 })
  await store.loadLines('kalshi.ndjson', Array.from(kalshiLines))
  const { catalogue } = store.store
  afterAll(() => store.close())
  const app = testApp({ catalogue, workers: { ...fakeWorkers(), ...answerInProcess(store.store) } })
  const [market] = (await catalogue.markets('kalshi', { prefix: '', offset: 0, limit: 1 })).markets
  const [day] = await catalogue.heads('kalshi', market!)
  const { recordCount, lastMs } = day!.head
  const paths = [
    `/kalshi/market/book?ticker=${market}&timestamp=1784548800`,
    `/kalshi/market/book?ticker=${market}&date=2026-07-20&record=500&depth=3`,
    `/kalshi/market/book/changes?ticker=${market}&date=2026-07-20&record=500&limit=100`,
    `/kalshi/market/book/changes?ticker=${market}&start_timestamp=1784548800&end_timestamp=1784548860&format=arrow`,
  ]

  test.each(paths)('%s', async (path) => {
    const answer = await ask(app, path)
    expect(answer.status).toBe(200)
    expect(answer.text.length).toBeGreaterThan(200)
    expect((await ask(app, `/api/v1${path}`)).text).toBe(answer.text)
    const head = await ask(app, path, { method: 'HEAD', headers: AUTHORIZED })
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', answer.headers.get('etag')])
    const known = { ...AUTHORIZED, 'if-none-match': answer.headers.get('etag')! }
    expect((await ask(app, path, { headers: known })).status).toBe(304)
  })

  test('an instant has the records up to it, and depth the best levels of each side', async () => {
    type Body = { as_of: number; bids: unknown[]; asks: unknown[] }
    const bookAt = async (query: string) =>
      (await ask(app, `/kalshi/market/book?ticker=${market}&${query}`)).body as Body
    const whole = await bookAt('timestamp=1784505832')
    expect(whole).toMatchObject({ timestamp: 1_784_505_832_000, date: '2026-07-20' })
    expect(whole.as_of).toBeLessThanOrEqual(1_784_505_832_000)
    const { bids, asks } = await bookAt('timestamp=1784505832&depth=2')
    expect([whole.bids.length > 2, whole.asks.length > 2]).toEqual([true, true])
    expect([bids, asks]).toEqual([whole.bids.slice(0, 2), whole.asks.slice(0, 2)])
  })

  test('ends with the last record, and says where the records end', async () => {
    const book = `/kalshi/market/book?ticker=${market}`
    const last = (await ask(app, `${book}&date=2026-07-20&record=${recordCount - 1}`)).body
    const later = (await ask(app, `${book}&timestamp=${lastMs + 86_400_000}`)).body as object
    expect(last).toEqual({ ...later, timestamp: lastMs })
    expect(last).toMatchObject({ as_of: lastMs, record: recordCount - 1, date: '2026-07-20', trust: 'established' })
    const beyond = await ask(app, `${book}&date=2026-07-20&record=${recordCount}`)
    expect((beyond.body as { detail: string }).detail).toBe(
      `record must be a record of 2026-07-20, 0 to ${recordCount - 1}, got "${recordCount}"`,
    )
    const changes = `/kalshi/market/book/changes?ticker=${market}&date=2026-07-20&record=`
    const hasMore = async (record: number) => (await ask(app, `${changes}${record}&limit=10`)).body
    expect(await hasMore(recordCount - 11)).toMatchObject({ has_more: true })
    expect(await hasMore(recordCount - 10)).toMatchObject({ has_more: false })
    expect(await hasMore(recordCount)).toMatchObject({ has_more: false, data: [] })
  })
})
