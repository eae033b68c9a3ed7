// Applies the changes of one book to the price steps of a map.

import { MICROS } from '../../storage/units.ts'
import { ASK, BID, RUNG_MICROS, SIDE_CELLS, type Side } from '../book/ladder.ts'
import { type ComparedLevel, heightOfLevel, isAskLevel } from '../book/level-key.ts'
import { type OrderBook, SideLevels } from '../book/order-book.ts'
import type { ReadBlock, WindowSink } from '../read/window-replay.ts'
import type { PriceSteps } from './price-steps.ts'

export class BookOnMap implements WindowSink {
  readonly forgetsColumns = true
  readonly #steps: PriceSteps
  readonly #levels = new SideLevels()
  #timesMs: Float64Array = new Float64Array(0)
  #timeMs = 0
  /** Whether the current time belongs to the map. */
  #isOpen = false

  constructor(steps: PriceSteps) {
    this.#steps = steps
  }

  /** Adds the levels of the book before any record is applied. */
  begin(book: OrderBook): void {
    this.#addLevels(book, 1)
  }

  open(book: OrderBook, timeMs: number): void {
    this.#isOpen = true
    if (book.trust !== 'lost') this.#steps.resume(timeMs)
  }

  close(timeMs: number): void {
    this.#isOpen = false
    this.#steps.suspend(timeMs)
  }

  block({ columns }: ReadBlock): void {
    this.#timesMs = columns.timesMs
  }

  quote(): void {}
  gap(): void {}
  marketGap(): void {}

  isComparing(): boolean {
    return true
  }

  changedCell(record: number, cell: number, sizeNow: number, sizeBefore: number): void {
    if (sizeNow === sizeBefore) return
    const isAsk = cell >= SIDE_CELLS
    const price = isAsk ? MICROS - (cell - SIDE_CELLS) * RUNG_MICROS : cell * RUNG_MICROS
    this.#steps.change(price, isAsk, sizeNow - sizeBefore, this.#timesMs[record]!)
  }

  comparedLevels(_number: number, record: number): ComparedLevel {
    this.#timeMs = this.#timesMs[record]!
    return this.#changeLevel
  }

  snapshot(book: OrderBook, _number: number, record: number): void {
    this.#timeMs = this.#timesMs[record]!
    this.#addLevels(book, -1)
  }

  snapshotApplied(book: OrderBook): void {
    this.#addLevels(book, 1)
    if (this.#isOpen && !this.#steps.isKnown) this.#steps.resume(this.#timeMs)
  }

  switched(before: OrderBook, after: OrderBook, atMs: number): void {
    this.#timeMs = atMs
    if (after.trust === 'lost') this.#steps.suspend(atMs)
    this.#addLevels(before, -1)
    this.#addLevels(after, 1)
    if (after.trust !== 'lost' && this.#isOpen && !this.#steps.isKnown) this.#steps.resume(atMs)
  }

  losing(_book: OrderBook, _number: number, record: number): void {
    this.#steps.suspend(this.#timesMs[record]!)
    this.#steps.clear()
  }

  readonly #changeLevel: ComparedLevel = (level, _change, _isSigned, sizeNow, sizeBefore) => {
    if (sizeNow === sizeBefore) return
    const isAsk = isAskLevel(level)
    const height = heightOfLevel(level)
    this.#steps.change(isAsk ? MICROS - height : height, isAsk, sizeNow - sizeBefore, this.#timeMs)
  }

  #addLevels(book: OrderBook, sign: 1 | -1): void {
    for (const side of [BID, ASK] as const) this.#addSide(book, side, sign)
  }

  #addSide(book: OrderBook, side: Side, sign: 1 | -1): void {
    const levels = this.#levels
    const count = book.readSide(side, levels)
    for (let i = 0; i < count; i++) {
      this.#steps.change(levels.prices[i]!, side === ASK, sign * levels.sizes[i]!, this.#timeMs)
    }
  }
}
