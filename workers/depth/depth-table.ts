// Reads depth over time as a table: the book at the end of each bucket. The buckets are those of a summary of the same
// request.

import type { Store } from '../../storage/open-store.ts'
import { DAY_MS, dateStartMs, utcDate } from '../../storage/units.ts'
import { bookConstants } from '../read/book-constants.ts'
import { replayWindow } from '../read/window-replay.ts'
import type { SummaryRequest } from '../requests.ts'
import { BucketGrid } from '../summary/bucket-grid.ts'
import { bucketRuns } from '../summary/plan-summary.ts'
import { type TrustedRun, trustedRuns } from '../summary/trusted-runs.ts'
import { PRICE_PLACES, PRICE_UNITS } from '../table/print-price.ts'
import { type Column, columnNames, NULL, type Table, type TableChunk } from '../table/table.ts'
import { TRUSTS, trustSteps } from '../trust/trust-steps.ts'
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
} from './depth-row.ts'

/** Bands and sizes are as the caller wrote them: the names of columns contain them. */
export type DepthRequest = SummaryRequest & { levels: number; bands: readonly string[]; sizes: readonly string[] }

const PRICE = { places: PRICE_PLACES }
const SIZE = { places: 6 }
const CHUNK_ROWS = 512
/** Records per step after the range. These records are applied only while a quote of the range is open. */
const STEP_RECORDS = 64

/** A column, and the origin of its values: an index in a row, a level, or the run of the bucket. */
type DepthColumn = Column & { of: number | { isAsk: boolean; level: number; isSize: boolean } | 'run' }

/** Returns the table. Rejects with DataError: market_not_stored, block_corrupt. */
export function tableOfDepth(store: Store, request: DepthRequest): Promise<{ dataPoints: number; table: Table }> {
  const { venue, market, book, fromMs, toMs } = request
  // A quote that is open at the end of the range may continue up to the end of its day.
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
    const steps = trustSteps(days, book)
    const trusted = trustedRuns(runs, steps, { grid, toMs, shownTrusts: request.trust })
    const rows = request.fill === 'none' ? observedRuns(trusted, ends.observed) : trusted
    const columns = depthColumns(request)
    const table: Table = {
      constants: bookConstants(request),
      timestampUnit: request.timestampUnit,
      columns,
      chunks: chunksOf(columns, entries, rows, grid),
    }
    return { dataPoints: rows.reduce((sum, { first, last }) => sum + last - first + 1, 0), table }
  })
}

/** Returns the names of the table's columns in flat formats. */
export const depthColumnNames = (request: DepthRequest): string[] =>
  columnNames(depthColumns(request), bookConstants(request))

const shapeOf = ({ levels, bands, sizes }: DepthRequest): DepthShape => ({
  levels,
  bands: bands.map(microsOf),
  sizes: sizes.map(microsOf),
})

/** Returns a decimal with at most six places as a number of 1e-6. */
function microsOf(text: string): number {
  const [whole = '', fraction = ''] = text.split('.')
  return Number(whole + fraction.padEnd(6, '0'))
}

function depthColumns(request: DepthRequest): DepthColumn[] {
  const shape = shapeOf(request)
  const { bands, sizes } = request
  const size = (place: number) => (i: number) => sizePlace(shape, i, place)
  return [
    { name: 'trust', type: { names: TRUSTS }, isNullable: false, of: 'run' },
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

/** Returns one column for each of the given values. If there are no values, returns one column of empty lists. */
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

/** Returns the buckets with a quote, each as a run of its own. */
function observedRuns(runs: readonly TrustedRun[], observed: readonly number[]): TrustedRun[] {
  let next = 0
  return runs.flatMap(({ first, last, trust }) => {
    const of: TrustedRun[] = []
    for (; next < observed.length && observed[next]! <= last; next++) {
      const number = observed[next]!
      if (number >= first) of.push({ first: number, last: number, trust })
    }
    return of
  })
}

function* chunksOf(
  columns: readonly DepthColumn[],
  all: DepthEntries,
  runs: readonly TrustedRun[],
  grid: BucketGrid,
): Generator<TableChunk> {
  const timestampsMs = new Float64Array(CHUNK_ROWS)
  const entries = new Int32Array(CHUNK_ROWS)
  /** For each entry of the chunk: its index among all entries, and its trust. */
  const indexes = new Int32Array(CHUNK_ROWS)
  const trusts = new Float64Array(CHUNK_ROWS)
  let [rowCount, entryCount, index] = [0, 0, 0]
  const valuesOf = (column: number) => {
    const { of } = columns[column]!
    return of === 'run' ? trusts.slice(0, entryCount) : valuesIn(of, all, indexes.subarray(0, entryCount))
  }
  const chunk = () => ({ rowCount, timestampsMs, entryCount, entries, values: valuesOf, texts: noTexts })
  for (const { first, last, trust } of runs) {
    for (let number = first; number <= last; number++) {
      while (index + 1 < all.count && all.numberOf(index + 1) <= number) index++
      if (entryCount === 0 || indexes[entryCount - 1] !== index || trusts[entryCount - 1] !== trust) {
        trusts[entryCount] = trust
        indexes[entryCount++] = index
      }
      timestampsMs[rowCount] = grid.startMs(number)
      entries[rowCount++] = entryCount - 1
      if (rowCount < CHUNK_ROWS) continue
      yield chunk()
      rowCount = entryCount = 0
    }
  }
  if (rowCount > 0) yield chunk()
}

function noTexts(): never {
  throw new Error('depth has no column of texts')
}

function valuesIn(of: Exclude<DepthColumn['of'], 'run'>, all: DepthEntries, indexes: Int32Array): Float64Array {
  if (typeof of === 'number') return Float64Array.from(indexes, (index) => all.value(index, of))
  const { isAsk, level, isSize } = of
  return Float64Array.from(indexes, (index) => {
    const value = all.level(index, isAsk, level, isSize)
    return value === undefined ? NULL : isSize ? value : PRICE_UNITS * value
  })
}
