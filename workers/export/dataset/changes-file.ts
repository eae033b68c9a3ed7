// Writes the changes of one book and date to a Parquet file: a row for each level that a record changes, with its new
// size. A date's rows are complete: they begin with the levels of the opening book.

import { MICROS } from '../../../storage/units.ts'
import { levelsOf } from '../../book/level-difference.ts'
import { bestFirst, heightOfLevel, isAskLevel } from '../../book/level-key.ts'
import type { OrderBook } from '../../book/order-book.ts'
import {
  DoubleColumn,
  GROUP_ROWS,
  OptionalUint64Column,
  Uint64Column,
  WordColumn,
} from '../../parquet/plain-columns.ts'
import { type PlainElement, PlainParquet } from '../../parquet/plain-parquet.ts'
import type { PresentRecord } from '../book-events.ts'
import type { BookExport } from '../book-pass.ts'
import type { BeginFile, NewFile } from '../new-file.ts'
import { BOOK } from './tables.ts'

const US_PER_MS = 1_000
/** Kinds of rows. `opening`: levels that the date begins with. `gap`: levels removed because the book is unknown. */
const KINDS = ['opening', 'snapshot', 'level', 'gap'] as const
const KIND = { opening: 0, snapshot: 1, level: 2, gap: 3 } as const
/** `none`: a gap of a book without levels. */
const SIDES = ['bid', 'ask', 'none'] as const
const NO_SIDE = 2

const time = (name: string, repetition: 'REQUIRED' | 'OPTIONAL'): PlainElement => ({
  name,
  type: 'INT64',
  repetition_type: repetition,
  converted_type: 'TIMESTAMP_MICROS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
})
const text = (name: string): PlainElement => ({
  name,
  type: 'BYTE_ARRAY',
  repetition_type: 'REQUIRED',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
})
const double = (name: string): PlainElement => ({ name, type: 'DOUBLE', repetition_type: 'REQUIRED' })
const whole = (name: string): PlainElement => ({ name, type: 'INT64', repetition_type: 'OPTIONAL' })

export type ChangesCounts = {
  rows: number
  /** Records that change a book before its first snapshot. */
  unseenBook: number
}

export class ChangesFile implements BookExport<ChangesCounts> {
  readonly #path: string
  readonly #file: NewFile
  readonly #parquet: PlainParquet
  readonly #columns = {
    timestamp: new Uint64Column(),
    venueTime: new OptionalUint64Column(),
    receivedAt: new OptionalUint64Column(),
    record: new OptionalUint64Column(),
    kind: new WordColumn(KINDS),
    side: new WordColumn(SIDES),
    price: new DoubleColumn(),
    size: new DoubleColumn(),
  }
  readonly #book: WordColumn
  #count = 0
  #unseenBook = 0
  /** Sizes of the levels after the rows so far. */
  readonly #levels = new Map<number, number>()

  constructor(path: string, book: string, begin: BeginFile) {
    this.#path = path
    this.#file = begin()
    this.#book = new WordColumn([book])
    const elements = [
      ...[time('timestamp', 'REQUIRED'), time('venue_time', 'OPTIONAL'), time('received_at', 'OPTIONAL')],
      ...[text(BOOK), whole('record')],
      ...[text('kind'), text('side'), double('price'), double('size')],
    ]
    this.#parquet = new PlainParquet({ elements, write: (bytes) => this.#file.write(bytes) })
  }

  opening(at: PresentRecord, book: OrderBook): void {
    this.#writeDifferences(at, KIND.opening, book)
  }

  switched(at: PresentRecord, book: OrderBook): void {
    this.#writeDifferences(at, KIND.snapshot, book)
  }

  snapshot(at: PresentRecord, book: OrderBook): void {
    this.#writeDifferences(at, KIND.snapshot, book)
  }

  level(at: PresentRecord, key: number, sizeNow: number): void {
    this.#set(at, KIND.level, key, sizeNow)
  }

  changed(_at: PresentRecord, book: OrderBook): void {
    if (book.trust !== 'established') this.#unseenBook++
  }

  trade(): void {}

  gap(at: PresentRecord): void {
    if (this.#levels.size === 0) this.#row(at, KIND.gap, NO_SIDE, 0, 0)
    for (const key of Array.from(this.#levels.keys()).sort(bestFirst)) this.#set(at, KIND.gap, key, 0)
  }

  finish(): ChangesCounts {
    if (this.#count > 0) this.#writeGroup()
    this.#parquet.end(new Map())
    this.#file.finish(this.#path, this.#parquet.rowCount)
    return { rows: this.#parquet.rowCount, unseenBook: this.#unseenBook }
  }

  abort(): void {
    this.#file.abort()
  }

  /** Writes the levels in which the book differs from the rows so far: bids, then asks, best first. */
  #writeDifferences(at: PresentRecord, kind: number, book: OrderBook): void {
    const now = levelsOf(book)
    const keys = new Set([...this.#levels.keys(), ...now.keys()])
    for (const key of Array.from(keys).sort(bestFirst)) this.#set(at, kind, key, now.get(key) ?? 0)
  }

  #set(at: PresentRecord, kind: number, key: number, size: number): void {
    if ((this.#levels.get(key) ?? 0) === size) return
    if (size === 0) this.#levels.delete(key)
    else this.#levels.set(key, size)
    const isAsk = isAskLevel(key)
    this.#row(at, kind, isAsk ? 1 : 0, isAsk ? MICROS - heightOfLevel(key) : heightOfLevel(key), size)
  }

  #row(
    { record, timeMs, venueUs, receivedMs }: PresentRecord,
    kind: number,
    side: number,
    price: number,
    size: number,
  ) {
    if (this.#count === GROUP_ROWS) this.#writeGroup()
    const row = this.#count++
    const columns = this.#columns
    columns.timestamp.set(row, timeMs * US_PER_MS)
    columns.venueTime.set(row, venueUs)
    columns.receivedAt.set(row, receivedMs * US_PER_MS)
    columns.record.set(row, record)
    columns.kind.set(row, kind)
    columns.side.set(row, side)
    columns.price.values[row] = price / MICROS
    columns.size.values[row] = size / MICROS
  }

  #writeGroup(): void {
    const { timestamp, venueTime, receivedAt, record, kind, side, price, size } = this.#columns
    const count = this.#count
    this.#parquet.writeGroup(count, [
      timestamp.take(count, true),
      ...[venueTime, receivedAt].map((column) => column.take(count)),
      this.#book.take(count),
      ...[record, kind, side, price, size].map((column) => column.take(count)),
    ])
    this.#count = 0
  }
}
