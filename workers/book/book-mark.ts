// What the records of a book have said beside its levels, of all days so far: where its last records are, and its tick
// size. It stands with the book in every state, so that no question about a moment looks further back than that.

import type { RecordKind } from '../../storage/format/shape.ts'
import type { BookColumns } from './book-columns.ts'
import { textMicros } from './level-columns.ts'

/** A record of the date that its event time is in: its place there, all books counted. */
export type RecordPlace = { timeMs: number; record: number }

export type BookMark = {
  /** The last record of the book, of any kind. A gap of the whole market is one of each book. */
  last: RecordPlace | null
  /** The last snapshot, delta or gap. */
  change: RecordPlace | null
  /** The last trade whose price and size can be read. */
  trade: RecordPlace | null
  /** In 1e-6 dollars, as the record at `timeMs` states it. */
  tickSize: { timeMs: number; micros: number } | null
}

/** In place of a record: another source is shown from the time on, whose book it is. */
const NO_RECORD = -1

/** Whether a record that is shown is there. */
export const hasRecord = (place: RecordPlace | null): place is RecordPlace =>
  place !== null && place.record !== NO_RECORD

/** Where another source is shown from on; null where it does not know the book. The last trade is that of the day. */
export function markAfterSwitch(before: BookMark, shown: BookMark | null, atMs: number): BookMark {
  const place = { timeMs: atMs, record: NO_RECORD }
  const { trade } = before
  if (shown === null) return { ...NO_MARK, trade }
  return { last: place, change: place, trade, tickSize: shown.tickSize }
}

export const NO_MARK: BookMark = { last: null, change: null, trade: null, tickSize: null }

/** What a mark takes of a block beside its columns. */
export type MarkedBlock = {
  columns: BookColumns
  /** Place of the block's first record. */
  firstRecord: number
  /** Of each shape the size of each row's trade, NaN for one that cannot be read; undefined where it is no trade. */
  tradeSizes: readonly (Float64Array | undefined)[]
  fields: RecordFields
}

export type RecordFields = {
  /** A text of the record's message by its key; undefined where it has none. */
  text(record: number, key: string): string | undefined
  /** Among the records of its shape. */
  rowOf(record: number): number
}

/** What states a tick size. Messages of Kalshi do not. */
const TICK_SIZE_KEYS: Partial<Record<RecordKind, string>> = { snapshot: 'tick_size', tick_size: 'new_tick_size' }

/** The mark after the records of a block before `end`; `number` is that of the book. */
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

/** After a gap of the whole market, of a book that has no record in the block. */
export const markAfterGap = (mark: BookMark, gap: RecordPlace): BookMark => ({ ...mark, last: gap, change: gap })

/** Where the last gap of the whole market in a block is. */
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

/** In 1e-6 dollars; NaN where the record states none. */
function tickSizeAt(fields: RecordFields, record: number, kind: RecordKind): number {
  const key = TICK_SIZE_KEYS[kind]
  const text = key === undefined ? undefined : fields.text(record, key)
  return text === undefined ? Number.NaN : textMicros(text)
}
