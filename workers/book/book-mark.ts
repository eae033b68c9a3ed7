// Holds a book's tick size and the places of its last records, over all days so far. Every state stores this mark with
// the book, so a query about one moment reads no further back than the state before that moment.

import type { RecordKind } from '../../storage/format/shape.ts'
import { textMicros } from '../bytes/decimal-micros.ts'
import type { BookColumns } from './book-columns.ts'

/** Place of a record among the records of all books, on the date of its event time. */
export type RecordPlace = { timeMs: number; record: number }

export type BookMark = {
  /** Place of the book's last record, of any kind. A gap of the whole market counts as a record of each book. */
  last: RecordPlace | null
  /** Place of the last snapshot, delta or gap. */
  change: RecordPlace | null
  /** Place of the last trade with a readable price and size. */
  trade: RecordPlace | null
  /** The tick size in 1e-6 dollars, as stated by the record at `timeMs`. */
  tickSize: { timeMs: number; micros: number } | null
}

/** Record number of a place that marks a switch: from its time on, the date shows the book of another source. */
const NO_RECORD = -1

/** Returns whether a place exists and marks a record, not a switch to another source. */
export const hasRecord = (place: RecordPlace | null): place is RecordPlace =>
  place !== null && place.record !== NO_RECORD

/** Returns the mark of a book after the date switches to another source. `shown` is the mark of the book in that
 *  source; null if that source does not have the book. Keeps the last trade of the date. */
export function markAfterSwitch(before: BookMark, shown: BookMark | null, atMs: number): BookMark {
  const place = { timeMs: atMs, record: NO_RECORD }
  const { trade } = before
  if (shown === null) return { ...NO_MARK, trade }
  return { last: place, change: place, trade, tickSize: shown.tickSize }
}

export const NO_MARK: BookMark = { last: null, change: null, trade: null, tickSize: null }

/** The parts of a block that `markAfter` reads. */
export type MarkedBlock = {
  columns: BookColumns
  /** Place of the block's first record among the records of the date. */
  firstRecord: number
  /** For each shape, the trade size of each row: NaN if unreadable, undefined if the shape is not a trade. */
  tradeSizes: readonly (Float64Array | undefined)[]
  fields: RecordFields
}

export type RecordFields = {
  /** Returns a text of the record's message by its key; undefined if it has none. */
  text(record: number, key: string): string | undefined
  /** Returns the row of a record among the records of its shape. */
  rowOf(record: number): number
}

/** The message fields that state a tick size. Messages of Kalshi have none. */
const TICK_SIZE_KEYS: Partial<Record<RecordKind, string>> = { snapshot: 'tick_size', tick_size: 'new_tick_size' }

/** Applies the block's records up to, but not including, record `end`. Returns the new mark. `number` is the number of
 *  the book. */
export function markAfter(mark: BookMark, block: MarkedBlock, number: number, end: number): BookMark {
  const { timesMs, operations, books, shapes } = block.columns
  const kinds = shapes.map(({ kind }) => kind)
  const after = { ...mark }
  let [isLast, isChange] = [true, true]
  let isTrade = kinds.includes('trade')
  let isTickSize = kinds.some((kind) => TICK_SIZE_KEYS[kind] !== undefined)
  for (let record = end - 1; record >= 0 && (isLast || isChange || isTrade || isTickSize); record--) {
    const shape = operations[record]! >>> 1
    const kind = kinds[shape]!
    if (shapes[shape]!.isAside) continue
    if (books[record] !== number && !(books[record] === 0 && kind === 'gap')) continue
    const place = () => ({ timeMs: timesMs[record]!, record: block.firstRecord + record })
    if (isLast) after.last = place()
    isLast = false
    if (isChange && (kind === 'snapshot' || kind === 'delta' || kind === 'gap')) {
      after.change = place()
      isChange = false
    }
    if (isTrade && isReadableTrade(block, record)) {
      after.trade = place()
      isTrade = false
    }
    const micros = isTickSize ? tickSizeAt(block.fields, record, kind) : Number.NaN
    if (Number.isNaN(micros)) continue
    after.tickSize = { timeMs: timesMs[record]!, micros }
    isTickSize = false
  }
  return after
}

/** Returns the mark after a gap of the whole market, for a book without a record in the block. */
export const markAfterGap = (mark: BookMark, gap: RecordPlace): BookMark => ({ ...mark, last: gap, change: gap })

/** Returns the place of the last gap of the whole market in a block; undefined if it has none. */
export function lastMarketGap({ columns, firstRecord }: Pick<MarkedBlock, 'columns' | 'firstRecord'>) {
  const { recordCount, timesMs, operations, books, shapes } = columns
  if (shapes.every(({ kind }) => kind !== 'gap')) return undefined
  for (let record = recordCount - 1; record >= 0; record--) {
    if (books[record] !== 0 || shapes[operations[record]! >>> 1]!.kind !== 'gap') continue
    return { timeMs: timesMs[record]!, record: firstRecord + record }
  }
  return undefined
}

function isReadableTrade({ columns: { operations }, tradeSizes, fields }: MarkedBlock, record: number): boolean {
  const sizes = tradeSizes[operations[record]! >>> 1]
  return sizes !== undefined && !Number.isNaN(sizes[fields.rowOf(record)]!)
}

/** Returns the tick size in 1e-6 dollars; NaN if the record states none. */
function tickSizeAt(fields: RecordFields, record: number, kind: RecordKind): number {
  const key = TICK_SIZE_KEYS[kind]
  const text = key === undefined ? undefined : fields.text(record, key)
  return text === undefined ? Number.NaN : textMicros(text)
}
