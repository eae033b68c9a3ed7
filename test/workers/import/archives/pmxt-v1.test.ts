// Goal: what an hour of pmxt v1 becomes is what a slow reader of its rows says.

import { expect, test } from 'bun:test'
import { pmxtV1 } from '../../../../workers/import/formats/pmxt-v1.ts'
import { Random } from '../../../../workers/synthetic/random.ts'
import { loadTexts } from '../../../model/model.ts'
import { imported, LOADED_AT } from '../../../support/archives/imported.ts'
import { MemoryFile, parquetBytes } from '../../../support/archives/parquet-bytes.ts'
import { type PmxtRow, pmxtLine, randomRows } from '../../../support/archives/pmxt-rows.ts'
import { withStore } from '../../../support/store.ts'
import { expectSameRecords } from '../../load/model-comparison.ts'

const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' } as const
const time = { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', repetition_type: 'REQUIRED' } as const
const SCHEMA = [
  { name: 'timestamp_received', ...time },
  { name: 'timestamp_created_at', ...time },
  { name: 'market_id', ...text },
  { name: 'update_type', ...text },
  { name: 'data', ...text },
]

function cellsOf(row: PmxtRow) {
  const said = { token_id: row.token, side: 'YES', timestamp: row.venue! / 1_000 }
  const [bids, asks] = [row.bids, row.asks].map((side) => JSON.parse(side || '[]') as unknown)
  const best = { best_bid: row.bestBid, best_ask: row.bestAsk }
  const change = { ...best, change_price: row.price, change_size: row.size, change_side: row.side }
  const isBook = row.type === 'book'
  return {
    timestamp_received: BigInt(row.received),
    timestamp_created_at: BigInt(row.venue!),
    market_id: row.market,
    update_type: isBook ? 'book_snapshot' : row.type,
    data: JSON.stringify({ ...said, ...(isBook ? { bids, asks } : change) }),
  }
}

const file = (groups: PmxtRow[][]) =>
  new MemoryFile(
    parquetBytes(
      SCHEMA,
      groups.map((rows) => rows.map(cellsOf)),
    ),
  )
const booksAndChanges = (rows: PmxtRow[]) => rows.filter(({ type }) => type === 'book' || type === 'price_change')

test.each([1, 2, 3])('all rows, in row groups that divide batches, seed %d', (seed) =>
  withStore(async (store) => {
    const made = booksAndChanges(randomRows(new Random(seed, 'v1'), 3, 60))
    const rows = made.sort((one, other) => one.received - other.received)
    const { report } = await imported(store, pmxtV1, file([rows.slice(0, 90), rows.slice(90, 200), rows.slice(200)]))
    expect(report).toMatchObject({ rows: rows.length, messages: rows.length, rejected: 0 })
    await expectSameRecords(store, loadTexts([rows.map(pmxtLine).join('\n')], LOADED_AT))
  }),
)

test.each([5, 6, 7, 8])('of one market, of row groups without it only the column of markets, seed %d', (seed) =>
  withStore(async (store) => {
    const random = new Random(seed, 'v1')
    const rows = booksAndChanges(randomRows(random, 6, 60)).sort((one, other) => one.received - other.received)
    const markets = [...new Set(rows.map(({ market }) => market))].sort()
    const chosen = random.pick(markets)
    // It is in some of the row groups: its other rows go.
    const size = random.between(5, 40)
    const groups = Array.from({ length: Math.ceil(rows.length / size) }, (_, i) => rows.slice(size * i, size * (i + 1)))
    const kept = groups.map((group) => (random.chance(0.5) ? group.filter((row) => row.market !== chosen) : group))
    const wanted = kept.flat().filter(({ market }) => market === chosen)
    const [whole, one] = [file(kept), file(kept)]
    const { report } = await imported(store, pmxtV1, one, { markets: [chosen] })
    expect(report).toMatchObject({ rows: wanted.length, messages: wanted.length, rejected: 0, absent: [] })
    await expectSameRecords(store, loadTexts([wanted.map(pmxtLine).join('\n')], LOADED_AT))
    await withStore(async (other) => void (await imported(other, pmxtV1, whole)))
    expect(bytesOf(one)).toBeLessThan(0.8 * bytesOf(whole))
    const none = file(kept)
    const nobody = `0x${'ff'.repeat(32)}`
    const { report: empty } = await imported(store, pmxtV1, none, { markets: [nobody] })
    expect(empty).toMatchObject({ rows: 0, absent: [nobody] })
    // The footer, in two pieces where it is long, and nothing else.
    expect(none.ranges.length).toBeLessThanOrEqual(2)
  }),
)

const bytesOf = ({ ranges }: MemoryFile) => ranges.reduce((sum, [start, end]) => sum + end - start, 0)

test('data that is no update is rejected, and an hour of nothing is none', () =>
  withStore(async (store) => {
    const [row] = booksAndChanges(randomRows(new Random(4, 'v1'), 1, 20)).filter(({ type }) => type === 'price_change')
    const broken = ['', '[]', '{"token_id":"1"', '{}', '{"token_id":"1","change_price":"x","change_size":"1"}']
    const cells = broken.map((data) => ({ ...cellsOf(row!), data }))
    const { report } = await imported(store, pmxtV1, new MemoryFile(parquetBytes(SCHEMA, [cells])))
    expect(report).toMatchObject({ rows: 5, rejected: 5, messages: 0 })
    expect((await imported(store, pmxtV1, file([]))).report).toMatchObject({ rows: 0, messages: 0 })
  }))
