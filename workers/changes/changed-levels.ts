// Collects the levels that records of one book change, as rows. Rows of a record are bids, then asks, the best first.
// Each level has one row per record, however often the record sets it, and none if the record leaves it unchanged.

import { MICROS } from '../../storage/units.ts'
import type { BookColumns } from '../book/book-columns.ts'
import { ASK, BID, RUNG_MICROS, SIDE_CELLS } from '../book/ladder.ts'
import { levelsOf } from '../book/level-difference.ts'
import { type ComparedLevel, levelKey, levelOf } from '../book/level-key.ts'
import type { OrderBook } from '../book/order-book.ts'
import type { QuoteSink } from '../book/replay.ts'
import { grown } from '../bytes/grown.ts'
import { NULL } from '../table/table.ts'

/** Kinds and sides of rows. A row stores the indexes of its kind and side. */
export const KINDS = ['level', 'snapshot', 'gap'] as const
export const SIDES = ['bid', 'ask'] as const
const [LEVEL, SNAPSHOT, GAP] = [0, 1, 2]

const FIRST_ROWS = 1_024

export class ChangedLevels implements QuoteSink {
  count = 0
  timesMs = new Float64Array(FIRST_ROWS)
  /** Places of the records in the date; NULL for a switch to another source. */
  records = new Float64Array(FIRST_ROWS)
  kinds = new Float64Array(FIRST_ROWS)
  sides = new Float64Array(FIRST_ROWS)
  /** Prices in 1e-6 dollars. `before` and `after` are sizes in 1e-6 contracts. All are NULL in the single row of a
   *  gap that removes nothing. */
  prices = new Float64Array(FIRST_ROWS)
  before = new Float64Array(FIRST_ROWS)
  after = new Float64Array(FIRST_ROWS)
  /** Level key of each row. */
  #levels = new Float64Array(FIRST_ROWS)
  #columns: Pick<BookColumns, 'timesMs'> = { timesMs: new Float64Array(0) }
  #firstRecord = 0
  /** Index of the first row of the current record. */
  #start = 0
  /** Levels of the book before a snapshot. */
  #found = new Map<number, number>()
  readonly #onLevel: ComparedLevel = (level, _change, _isSigned, sizeNow, sizeBefore) =>
    this.#addChange(level, sizeBefore, sizeNow)
  #record = 0

  /** Sets the block of the following records. */
  block({ firstRecord, columns }: { firstRecord: number; columns: Pick<BookColumns, 'timesMs'> }): void {
    this.#end()
    this.#columns = columns
    this.#firstRecord = firstRecord
  }

  /** Must be called before the rows are read. */
  finish(): void {
    this.#end()
  }

  clear(): void {
    this.count = 0
    this.#start = 0
  }

  quote(): void {}
  marketGap(): void {}

  isComparing(): boolean {
    return true
  }

  changedCell(record: number, cell: number, sizeNow: number, sizeBefore: number): void {
    if (this.#start < this.count) this.#end()
    if (sizeNow === sizeBefore) return
    const isAsk = cell >= SIDE_CELLS
    this.#record = record
    const row = this.#room()
    this.kinds[row] = LEVEL
    this.sides[row] = isAsk ? ASK : BID
    this.prices[row] = isAsk ? MICROS - (cell - SIDE_CELLS) * RUNG_MICROS : cell * RUNG_MICROS
    this.before[row] = sizeBefore
    this.after[row] = sizeNow
    this.#start = this.count
  }

  comparedLevels(_number: number, record: number): ComparedLevel {
    this.#begin(record)
    return this.#onLevel
  }

  snapshot(book: OrderBook, _number: number, record: number): void {
    this.#begin(record)
    this.#found = levelsOf(book)
  }

  snapshotApplied(book: OrderBook): void {
    this.#addSnapshot(this.#found, book)
  }

  losing(book: OrderBook, _number: number, record: number): void {
    this.#begin(record)
    for (const [level, size] of levelsOf(book)) this.#add(GAP, level, size, 0)
    if (this.count > this.#start) return
    const row = this.#room()
    this.kinds[row] = GAP
    this.sides[row] = this.prices[row] = this.before[row] = this.after[row] = NULL
    // The rows of the next record start after this row, so it is not dropped as an unchanged level.
    this.#start = this.count
  }

  gap(): void {}

  /** Reports the switch as a snapshot without a record. */
  switched(before: OrderBook, after: OrderBook, atMs: number): void {
    this.#end()
    this.#addSnapshot(levelsOf(before), after)
    this.timesMs.fill(atMs, this.#start, this.count)
    this.records.fill(NULL, this.#start, this.count)
    this.#end()
  }

  #begin(record: number): void {
    this.#end()
    this.#record = record
  }

  /** Adds a row for a change of a level. If the record sets the level again, its row gets the new size. */
  #addChange(level: number, before: number, after: number): void {
    for (let row = this.#start; row < this.count; row++) {
      if (this.#levels[row] !== level) continue
      this.after[row] = after
      return
    }
    this.#add(LEVEL, level, before, after)
  }

  #addSnapshot(found: Map<number, number>, book: OrderBook): void {
    for (const [level, size] of levelsOf(book)) {
      this.#add(SNAPSHOT, level, found.get(level) ?? 0, size)
      found.delete(level)
    }
    for (const [level, size] of found) this.#add(SNAPSHOT, level, size, 0)
  }

  #add(kind: number, level: number, before: number, after: number): void {
    const row = this.#room()
    const { side, height } = levelOf(level)
    this.kinds[row] = kind
    this.sides[row] = side
    this.prices[row] = side === BID ? height : MICROS - height
    this.before[row] = before
    this.after[row] = after
    this.#levels[row] = level
  }

  /** Returns the index of a new row of the current record. */
  #room(): number {
    const row = this.count++
    if (row === this.timesMs.length) this.#grow()
    this.timesMs[row] = this.#columns.timesMs[this.#record]!
    this.records[row] = this.#firstRecord + this.#record
    return row
  }

  /** Ends the rows of the current record: drops unchanged levels and sorts the rest. */
  #end(): void {
    const start = this.#start
    let end = start
    for (let row = start; row < this.count; row++) {
      if (this.before[row] === this.after[row]) continue
      if (end < row) this.#copy(row, end)
      end++
    }
    this.count = end
    if (end - start > 1) this.#sort(start, end)
    this.#start = end
  }

  #copy(from: number, to: number): void {
    for (const column of this.#columnsOfRows()) column[to] = column[from]!
  }

  #sort(start: number, end: number): void {
    const levels = this.#levels
    // Bids before asks, and within a side the greatest height first.
    const rankOf = (row: number) => {
      const { side, height } = levelOf(levels[row]!)
      return levelKey(side, MICROS - height)
    }
    const rows = Array.from({ length: end - start }, (_, i) => start + i)
    if (rows.every((row) => row === start || rankOf(row - 1) < rankOf(row))) return
    rows.sort((one, other) => rankOf(one) - rankOf(other))
    for (const column of this.#columnsOfRows())
      column.set(
        rows.map((row) => column[row]!),
        start,
      )
  }

  #columnsOfRows(): Float64Array[] {
    const { timesMs, records, kinds, sides, prices, before, after } = this
    return [timesMs, records, kinds, sides, prices, before, after, this.#levels]
  }

  #grow(): void {
    this.timesMs = grown(this.timesMs)
    this.records = grown(this.records)
    this.kinds = grown(this.kinds)
    this.sides = grown(this.sides)
    this.prices = grown(this.prices)
    this.before = grown(this.before)
    this.after = grown(this.after)
    this.#levels = grown(this.#levels)
  }
}
