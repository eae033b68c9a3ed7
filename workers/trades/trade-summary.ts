// Reads the trades of one book from a store in buckets, as a table.

import { blockPart } from '../../storage/block-store.ts'
import type { StoredDay } from '../../storage/catalogue.ts'
import { readingOf } from '../../storage/damage.ts'
import { decodeBlock } from '../../storage/format/block.ts'
import type { Store } from '../../storage/open-store.ts'
import { DAY_MS, dateStartMs, utcDate } from '../../storage/units.ts'
import { bookConstants } from '../read/book-constants.ts'
import { consistently } from '../read/consistently.ts'
import { requireMarket } from '../read/require-market.ts'
import type { SummaryHead, TradeSummaryRequest } from '../requests.ts'
import { BucketGrid } from '../summary/bucket-grid.ts'
import type { BucketRun } from '../summary/plan-summary.ts'
import { PRICE_PLACES } from '../table/print-price.ts'
import { type Column, columnNames, NULL, type Table, type TableChunk } from '../table/table.ts'
import { tradesIn } from './block-trades.ts'
import { TradeBuckets } from './trade-buckets.ts'
import { planTrades } from './trades-page.ts'

const price = (name: string): Column => ({ name, type: { places: PRICE_PLACES }, isNullable: true })
const sum = (name: string): Column => ({ name, type: 'double', isNullable: false })
const count = (name: string): Column => ({ name, type: 'whole', isNullable: false })

const COLUMNS: readonly Column[] = [
  ...['open', 'high', 'low', 'close'].map(price),
  { name: 'vwap', type: 'double', isNullable: true },
  ...['volume', 'buy_volume', 'sell_volume', 'notional'].map(sum),
  ...['trade_count', 'buy_count', 'sell_count'].map(count),
]
/** Values of a bucket without a trade. */
const NOTHING = COLUMNS.map(({ isNullable }) => (isNullable ? NULL : 0))
const CHUNK_ROWS = 1_024

/** Returns the names of the table's columns in flat formats. */
export const tradeSummaryColumns = (request: TradeSummaryRequest): string[] =>
  columnNames(COLUMNS, bookConstants(request))

/** Returns the table. Rejects with DataError: market_not_stored, block_corrupt. */
export function tableOfTrades(
  store: Store,
  request: TradeSummaryRequest,
): Promise<{ head: SummaryHead; table: Table }> {
  return consistently(store, request, async () => {
    await requireMarket(store, request)
    const { venue, market, fromMs, toMs, resolutionSeconds, timestampUnit } = request
    const days = await store.catalogue.heads(venue, market, { from: utcDate(fromMs), to: utcDate(toMs) })
    const grid = new BucketGrid(resolutionSeconds)
    const buckets = await bucketsOf(store, request, days, grid)
    const runs = request.fill === 'range' ? runsOf(request, days, grid) : []
    const rows = { buckets, runs, grid }
    const about = { constants: bookConstants(request), timestampUnit, columns: COLUMNS }
    return { head: { dataPoints: rowCount(rows) }, table: { ...about, chunks: chunksOf(rows) } }
  })
}

async function bucketsOf(store: Store, request: TradeSummaryRequest, days: StoredDay[], grid: BucketGrid) {
  // Trades before the first bucket that begins in the range are in no bucket of the answer.
  const fromMs = grid.startMs(grid.firstFrom(request.fromMs))
  const planned = planTrades({ ...request, fromMs, after: null, limit: Number.POSITIVE_INFINITY }, days)
  const parts = await store.blocks.fetch(planned.map(({ key, entry }) => ({ key, ...blockPart(entry.id) })))
  const buckets = new TradeBuckets(grid)
  for (const { key, wanted, index, entry } of planned) {
    const read = () => tradesIn(decodeBlock(parts.bytes(key, blockPart(entry.id))), wanted)
    buckets.add(readingOf(key, `block ${index}`, read))
  }
  return buckets.finish()
}

/** Returns, for the stored dates, the runs of all buckets that begin in the range, up to the current time. */
function runsOf({ fromMs, toMs, nowMs }: TradeSummaryRequest, days: StoredDay[], grid: BucketGrid): BucketRun[] {
  return days
    .map(({ date }) => {
      const dayMs = dateStartMs(date)
      const first = grid.firstFrom(Math.max(fromMs, dayMs))
      return { first, last: grid.numberAt(Math.min(toMs, nowMs, dayMs + DAY_MS - 1)) }
    })
    .filter(({ first, last }) => first <= last)
}

/** The rows of the table. If `runs` is empty, only buckets with a trade are rows. */
type Rows = { buckets: TradeBuckets; runs: BucketRun[]; grid: BucketGrid }

/** Returns the index of the first bucket that is after all runs. Such buckets exist if a venue's clock is ahead of
 *  ours. */
function firstAfter({ buckets, runs }: Rows): number {
  const last = runs.at(-1)?.last ?? Number.NEGATIVE_INFINITY
  let first = buckets.count
  while (first > 0 && buckets.numbers[first - 1]! > last) first--
  return first
}

const rowCount = (rows: Rows): number =>
  rows.runs.reduce((total, { first, last }) => total + last - first + 1, rows.buckets.count - firstAfter(rows))

function* chunksOf(rows: Rows): Generator<TableChunk> {
  const { buckets, runs } = rows
  const chunk = new BucketChunk(rows)
  let index = 0
  for (const { first, last } of runs) {
    for (let number = first; number <= last; number++) {
      while (index < buckets.count && buckets.numbers[index]! < number) index++
      chunk.add(number, buckets.numbers[index] === number && index < buckets.count ? index : -1)
      if (chunk.rowCount < CHUNK_ROWS) continue
      yield chunk
      chunk.clear()
    }
  }
  for (index = firstAfter(rows); index < buckets.count; index++) {
    chunk.add(buckets.numbers[index]!, index)
    if (chunk.rowCount < CHUNK_ROWS) continue
    yield chunk
    chunk.clear()
  }
  if (chunk.rowCount > 0) yield chunk
}

class BucketChunk implements TableChunk {
  rowCount = 0
  entryCount = 0
  readonly timestampsMs = new Float64Array(CHUNK_ROWS)
  readonly entries = new Int32Array(CHUNK_ROWS)
  /** For each entry, the index of its bucket; -1 if the bucket has no trade. */
  readonly #indexes = new Int32Array(CHUNK_ROWS)
  readonly #buckets: TradeBuckets
  readonly #grid: BucketGrid

  constructor({ buckets, grid }: Rows) {
    this.#buckets = buckets
    this.#grid = grid
  }

  add(number: number, index: number): void {
    const isSame = index < 0 && this.entryCount > 0 && this.#indexes[this.entryCount - 1] === index
    if (!isSame) this.#indexes[this.entryCount++] = index
    this.timestampsMs[this.rowCount] = this.#grid.startMs(number)
    this.entries[this.rowCount++] = this.entryCount - 1
  }

  clear(): void {
    this.rowCount = 0
    this.entryCount = 0
  }

  values(column: number): Float64Array {
    const from = this.#buckets.columns[column]!
    const indexes = this.#indexes
    const values = new Float64Array(this.entryCount)
    for (let i = 0; i < values.length; i++) values[i] = indexes[i]! < 0 ? NOTHING[column]! : from[indexes[i]!]!
    return values
  }

  texts(): never {
    throw new Error('a summary of trades has no column of texts')
  }
}
