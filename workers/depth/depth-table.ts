// Depth over time as a table: of each bucket that an order-book summary gives for the same question, the book at its
// end.

import type { StoredDay } from '../../storage/catalogue.ts'
import type { Store } from '../../storage/open-store.ts'
import { DAY_MS, dateStartMs, utcDate } from '../../storage/units.ts'
import { doubtfulSpans, isDoubtful } from '../book/evidence.ts'
import { bookConstants } from '../read/book-constants.ts'
import { replayWindow } from '../read/window-replay.ts'
import type { SummaryRequest } from '../requests.ts'
import { BucketGrid } from '../summary/bucket-grid.ts'
import { type BucketRun, bucketRuns } from '../summary/plan-summary.ts'
import { PRICE_PLACES } from '../table/print-price.ts'
import { type Column, columnNames, NULL, type Table, type TableChunk } from '../table/table.ts'
import { BucketEnds } from './bucket-ends.ts'
import { DepthEntries } from './depth-entries.ts'
import {
  ASK_COUNT,
  ASK_DEPTH,
  BID_COUNT,
  BID_DEPTH,
  bandPlace,
  type DepthShape,
  IMBALANCE,
  MICROPRICE,
  sizePlace,
  TRUST,
  TRUSTS,
} from './depth-row.ts'

/** Bands and sizes as they were given: a name is made of each. */
export type DepthRequest = SummaryRequest & { levels: number; bands: readonly string[]; sizes: readonly string[] }

type Rows = { numbers: Iterator<number>; count: number }

const PRICE = { places: PRICE_PLACES }
const SIZE = { places: 6 }
/** Of a micro-dollar, in units of a price. */
const MICRO = 10
const CHUNK_ROWS = 512
/** More records behind the range are applied only while a quote of it is open. */
const STEP_RECORDS = 64

/** A column, and where its values are: a place in a row, or a level. */
type DepthColumn = Column & { of: number | { isAsk: boolean; level: number; isSize: boolean } }

/** Rejects with DataError: market_not_stored, block_corrupt. */
export function tableOfDepth(store: Store, request: DepthRequest): Promise<{ dataPoints: number; table: Table }> {
  const { venue, market, book, fromMs, toMs } = request
  // A quote that is open when the range ends goes on behind it, up to the end of its day.
  const endMs = dateStartMs(utcDate(toMs)) + DAY_MS - 1
  return replayWindow(store, { venue, market, book, fromMs, toMs: endMs }, async (replay, days) => {
    const next = await store.catalogue.neighbour({ venue, market, date: utcDate(toMs) }, 'after')
    const grid = new BucketGrid(request.resolutionSeconds)
    const runs = bucketRuns(request, days, next, grid)
    const entries = new DepthEntries(shapeOf(request))
    const first = runs[0]?.first
    const ends = new BucketEnds(grid, entries, { first: first ?? 0, toMs })
    if (first !== undefined) {
      ends.begin(replay.book)
      replay.advanceTo(toMs, ends)
      const isOpen = () => replay.book.openQuoteMs >= 0 && replay.book.openQuoteMs <= toMs
      while (isOpen() && replay.step(STEP_RECORDS, ends)) {}
      ends.finish(replay.book)
    }
    const rows = request.fill === 'none' ? observedRows(runs, ends.observed) : rowsOf(runs)
    const columns = depthColumns(request)
    const table: Table = {
      constants: bookConstants(request),
      timestampUnit: request.timestampUnit,
      columns,
      chunks: chunksOf(columns, entries, rows.numbers, { grid, isDoubtful: doubtIn(days, request, grid) }),
    }
    return { dataPoints: rows.count, table }
  })
}

/** Names of its columns in flat formats. */
export const depthColumnNames = (request: DepthRequest): string[] =>
  columnNames(depthColumns(request), bookConstants(request))

const shapeOf = ({ levels, bands, sizes }: DepthRequest): DepthShape => ({
  levels,
  bands: bands.map(micros),
  sizes: sizes.map(micros),
})

/** Of a decimal with six places at most. */
function micros(text: string): number {
  const [whole = '', fraction = ''] = text.split('.')
  return Number(whole + fraction.padEnd(6, '0'))
}

function depthColumns(request: DepthRequest): DepthColumn[] {
  const shape = shapeOf(request)
  const { bands, sizes } = request
  const size = (place: number) => (i: number) => sizePlace(shape, i, place)
  return [
    { name: 'trust', type: { names: TRUSTS }, isNullable: false, of: TRUST },
    ...levelColumns('bid', request.levels),
    ...levelColumns('ask', request.levels),
    { name: 'bid_level_count', type: 'whole', isNullable: false, of: BID_COUNT },
    { name: 'ask_level_count', type: 'whole', isNullable: false, of: ASK_COUNT },
    { name: 'bid_depth', type: SIZE, isNullable: false, of: BID_DEPTH },
    { name: 'ask_depth', type: SIZE, isNullable: false, of: ASK_DEPTH },
    { name: 'imbalance', type: 'double', isNullable: true, of: IMBALANCE },
    { name: 'microprice', type: 'double', isNullable: true, of: MICROPRICE },
    ...listColumns('bid_depth_within', { type: SIZE, isNullable: true }, bands, (i) => bandPlace(i, false)),
    ...listColumns('ask_depth_within', { type: SIZE, isNullable: true }, bands, (i) => bandPlace(i, true)),
    ...listColumns('buy_price', { type: 'double', isNullable: true }, sizes, size(0)),
    ...listColumns('buy_filled', { type: SIZE, isNullable: true }, sizes, size(1)),
    ...listColumns('sell_price', { type: 'double', isNullable: true }, sizes, size(2)),
    ...listColumns('sell_filled', { type: SIZE, isNullable: true }, sizes, size(3)),
  ]
}

function levelColumns(side: 'bid' | 'ask', levels: number): DepthColumn[] {
  const group = { name: `${side}s`, list: 'levels' } as const
  const isAsk = side === 'ask'
  return Array.from({ length: levels }).flatMap((_, level): DepthColumn[] => [
    { name: `${side}_price_${level + 1}`, group, type: PRICE, isNullable: true, of: { isAsk, level, isSize: false } },
    { name: `${side}_size_${level + 1}`, group, type: SIZE, isNullable: true, of: { isAsk, level, isSize: true } },
  ])
}

/** A value for each of what was given, or a list that is empty. */
function listColumns(
  name: string,
  type: Pick<Column, 'type' | 'isNullable'>,
  given: readonly string[],
  placeOf: (i: number) => number,
): DepthColumn[] {
  const group = { name, list: 'values' } as const
  if (given.length === 0) return [{ name, group, type: 'nothing', isNullable: false, of: -1 }]
  return given.map((about, i) => ({ name: `${name}_${about}`, group, ...type, of: placeOf(i) }))
}

function rowsOf(runs: readonly BucketRun[]): Rows {
  return { numbers: numbersOf(runs), count: runs.reduce((sum, { first, last }) => sum + last - first + 1, 0) }
}

function* numbersOf(runs: readonly BucketRun[]): Generator<number> {
  for (const { first, last } of runs) for (let number = first; number <= last; number++) yield number
}

/** Those with a quote. */
function observedRows(runs: readonly BucketRun[], observed: readonly number[]): Rows {
  const [from, to] = [runs[0]?.first ?? 0, runs.at(-1)?.last ?? -1]
  const numbers = observed.filter((number) => number >= from && number <= to)
  return { numbers: numbers.values(), count: numbers.length }
}

function* chunksOf(
  columns: readonly DepthColumn[],
  all: DepthEntries,
  numbers: Iterator<number>,
  { grid, isDoubtful }: { grid: BucketGrid; isDoubtful: (number: number) => boolean },
): Generator<TableChunk> {
  const timestampsMs = new Float64Array(CHUNK_ROWS)
  const entries = new Int32Array(CHUNK_ROWS)
  /** Of each entry of the chunk which it is of all. */
  const indexes = new Int32Array(CHUNK_ROWS)
  /** Of each entry of the chunk whether it is of buckets in which the book is doubtful. */
  const doubts = new Uint8Array(CHUNK_ROWS)
  let index = 0
  for (let next = numbers.next(); !next.done; ) {
    let [rowCount, entryCount] = [0, 0]
    for (; !next.done && rowCount < CHUNK_ROWS; next = numbers.next()) {
      while (index + 1 < all.count && all.numberOf(index + 1) <= next.value) index++
      const doubt = +isDoubtful(next.value)
      if (entryCount === 0 || indexes[entryCount - 1] !== index || doubts[entryCount - 1] !== doubt) {
        doubts[entryCount] = doubt
        indexes[entryCount++] = index
      }
      timestampsMs[rowCount] = grid.startMs(next.value)
      entries[rowCount++] = entryCount - 1
    }
    const valuesOf = (column: number) => {
      const values = valuesIn(columns[column]!, all, indexes.subarray(0, entryCount))
      return columns[column]!.of === TRUST ? values.map((trust, i) => (doubts[i] === 1 ? worse(trust) : trust)) : values
    }
    yield { rowCount, timestampsMs, entryCount, entries, values: valuesOf, texts: noTexts }
  }
}

/** Of a book that is doubtful too. */
const worse = (trust: number): number => Math.max(trust, TRUSTS.indexOf('doubtful'))

/** Whether the book is doubtful at some instant of a bucket. */
function doubtIn(
  days: readonly StoredDay[],
  { book, toMs }: DepthRequest,
  grid: BucketGrid,
): (number: number) => boolean {
  const spans = days.flatMap(({ date, head }) => {
    const dayEndMs = dateStartMs(date) + DAY_MS
    return doubtfulSpans(head, book).map(({ fromMs, endMs }) => ({ fromMs, endMs: Math.min(endMs, dayEndMs) }))
  })
  return (number) => spans.length > 0 && isDoubtful(spans, grid.startMs(number), Math.min(grid.endMs(number), toMs + 1))
}

function noTexts(): never {
  throw new Error('depth has no column of texts')
}

function valuesIn({ of }: DepthColumn, all: DepthEntries, indexes: Int32Array): Float64Array {
  if (typeof of === 'number') return Float64Array.from(indexes, (index) => all.value(index, of))
  const { isAsk, level, isSize } = of
  return Float64Array.from(indexes, (index) => {
    const value = all.level(index, isAsk, level, isSize)
    return value === undefined ? NULL : isSize ? value : MICRO * value
  })
}
