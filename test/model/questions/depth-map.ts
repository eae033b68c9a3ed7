// Answers sizes over price and time, in columns of time and steps of price.

import { applyRecord, type Book, copyOf, type Side } from '../book.ts'
import type { TimedRecord } from '../event-time.ts'
import { decimal, larger, ONE, quotient, toNumber } from '../exact.ts'
import { type Partition, recordsOf } from '../quotes.ts'
import { type LoadedRange, loadRange, type RangeRequest } from '../summary.ts'

const DAY_MS = 86_400_000

export type DepthMapRequest = RangeRequest & {
  resolutionMs: number
  /** Height of a price step, dollars, as text from the request. */
  priceStep: string
  aggregate: 'max' | 'mean' | 'last'
  nowMs: number
}

/** The row of one price step: a size for each column, positive for bids, negative for asks. The sizes are rounded to 32
 *  bits. */
export type DepthMapRow = { price: number; sizes: number[] }
/** Equal neighbours of a row. `from` is the start of the first column, `to` the end of the last, both Unix ms. */
export type DepthMapRun = { price: number; from: number; to: number; size: number }

export type DepthMap = {
  start_ms: number
  resolution_ms: number
  columns: number
  price_step: number
  /** Runs of known columns, both ends included. */
  known: [first: number, last: number][]
  rows: DepthMapRow[]
  /** The same sizes as `rows`, but exact. */
  runs: DepthMapRun[]
}

/** A time without a change of the book: from `from` up to, but not including, `to`, Unix ms. */
type Segment = { from: number; to: number; book: Book }
/** The size of a price step over the known ms of a column. */
type Cell = { max: bigint; sizeMs: bigint; last: bigint }
type Column = { knownMs: number; bids: Map<bigint, Cell>; asks: Map<bigint, Cell> }

export function depthMap(partitions: Partition[], book: string, request: DepthMapRequest): DepthMap {
  const { resolutionMs, priceStep, nowMs } = request
  const loaded = loadRange(partitions, book, { ...request, resolution: 1, fill: 'observed', nowMs })
  const { start, end } = loaded.range
  const step = decimal(priceStep)!
  const columns: Column[] = Array.from({ length: Math.ceil((end - start + 1) / resolutionMs) }, () => {
    return { knownMs: 0, bids: new Map(), asks: new Map() }
  })
  for (const segment of knownSegments(loaded, book)) {
    const [first, last] = [segment.from, segment.to - 1].map((ms) => Math.floor((ms - start) / resolutionMs))
    for (let index = first!; index <= last!; index++) {
      const from = Math.max(segment.from, start + index * resolutionMs)
      const to = Math.min(segment.to, start + (index + 1) * resolutionMs)
      addSegment(columns[index]!, segment.book, to - from, step)
    }
  }
  const exact = rowsOf(columns, step, request)
  const rows = exact.map(({ price, sizes }) => ({ price, sizes: sizes.map(Math.fround) }))
  return {
    start_ms: start,
    resolution_ms: resolutionMs,
    columns: columns.length,
    price_step: toNumber(step),
    known: knownRuns(columns),
    rows,
    runs: exact.flatMap((row) => runsOf(row, start, resolutionMs)),
  }
}

/** Returns the segments of time in which the book is known, each with its book. Leaves out segments of 0 ms. */
function knownSegments(loaded: LoadedRange, book: string): Segment[] {
  const { range, partitions, known } = loaded
  if (known === undefined) return []
  const from = Math.max(range.start, known.from)
  const to = Math.min(range.end, known.to) + 1
  return partitions.flatMap((partition) => {
    const dayStart = Date.parse(partition.date)
    const span = { from: Math.max(dayStart, from), to: Math.min(dayStart + DAY_MS, to) }
    return segmentsOf(recordsOf(partition, book), loaded.book, span)
  })
}

/** Applies all of the records to `state`, and returns the segments within a span of their day. */
function segmentsOf(records: TimedRecord[], state: Book, span: { from: number; to: number }): Segment[] {
  const segments: Segment[] = []
  const pushSegment = (since: number, until: number) => {
    const from = Math.max(since, span.from)
    const to = Math.min(until, span.to)
    if (from < to && state.trust !== 'lost') segments.push({ from, to, book: copyOf(state) })
  }
  let since = span.from
  for (const record of records) {
    pushSegment(since, record.timestamp)
    since = record.timestamp
    applyRecord(state, record)
  }
  pushSegment(since, span.to)
  return segments
}

function addSegment(column: Column, book: Book, ms: number, step: bigint): void {
  column.knownMs += ms
  addSide(column.bids, book.bids, ms, step)
  addSide(column.asks, book.asks, ms, step)
}

function addSide(cells: Map<bigint, Cell>, side: Side, ms: number, step: bigint): void {
  const sizes = new Map<bigint, bigint>()
  for (const [price, size] of side) sizes.set(price / step, (sizes.get(price / step) ?? 0n) + size)
  for (const cell of cells.values()) cell.last = 0n
  for (const [index, size] of sizes) {
    const { max, sizeMs } = cells.get(index) ?? { max: 0n, sizeMs: 0n }
    cells.set(index, { max: larger(size, max), sizeMs: sizeMs + size * BigInt(ms), last: size })
  }
}

function rowsOf(columns: Column[], step: bigint, { aggregate }: DepthMapRequest): DepthMapRow[] {
  const indexes = new Set(columns.flatMap(({ bids, asks }) => [...bids.keys(), ...asks.keys()]))
  const ascending = [...indexes].sort((one, other) => (one < other ? -1 : 1))
  return ascending
    .map((index) => ({
      price: toNumber(index * step),
      sizes: columns.map((column) => sizeIn(column, index, aggregate)),
    }))
    .filter(({ sizes }) => sizes.some((size) => size !== 0))
}

function sizeIn({ knownMs, bids, asks }: Column, index: bigint, aggregate: DepthMapRequest['aggregate']): number {
  const units = (cell: Cell | undefined) => cell?.[aggregate === 'mean' ? 'sizeMs' : aggregate] ?? 0n
  const [bid, ask] = [units(bids.get(index)), units(asks.get(index))]
  const most = larger(bid, ask)
  const size = aggregate === 'mean' ? quotient(most, ONE * BigInt(knownMs || 1)) : toNumber(most)
  return bid >= ask ? size : -size
}

function knownRuns(columns: Column[]): [number, number][] {
  const runs: [number, number][] = []
  columns.forEach(({ knownMs }, index) => {
    if (knownMs === 0) return
    const last = runs.at(-1)
    if (last?.[1] === index - 1) last[1] = index
    else runs.push([index, index])
  })
  return runs
}

function runsOf({ price, sizes }: DepthMapRow, start: number, resolutionMs: number): DepthMapRun[] {
  const runs: DepthMapRun[] = []
  sizes.forEach((size, index) => {
    if (size === 0) return
    const from = start + index * resolutionMs
    const last = runs.at(-1)
    if (last?.size === size && last.to === from) last.to = from + resolutionMs
    else runs.push({ price, from, to: from + resolutionMs, size })
  })
  return runs
}
