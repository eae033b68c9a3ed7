// Writes rows of `order_book_deltas`: a level that changes, or all levels of a snapshot after a row that clears the
// book.

import { ASK, BID } from '../../book/ladder.ts'
import { type OrderBook, SideLevels } from '../../book/order-book.ts'
import type { NewFile } from '../new-file.ts'
import { CatalogRows } from './catalog-rows.ts'
import { DELTA_COLUMNS, type FixedBytes } from './catalog-schema.ts'
import type { PricePrecision } from './price-precision.ts'

const [ADD, UPDATE, DELETE, CLEAR] = [1, 2, 3, 4]
const [NO_SIDE, BUY, SELL] = [0, 1, 2]
const [LAST, SNAPSHOT] = [128, 32]

export class CatalogDeltas {
  readonly rows: CatalogRows<typeof DELTA_COLUMNS>
  readonly #levels = new SideLevels()
  readonly #precision: PricePrecision
  /** The pending row: only the next call shows whether it is the last of its message. */
  #action = 0
  #side = 0
  #price = 0
  #size = 0
  #eventUs = 0
  #initUs = 0

  /** `precision` receives every price. */
  constructor(file: NewFile, fixedBytes: FixedBytes, precision: PricePrecision) {
    this.#precision = precision
    this.rows = new CatalogRows(DELTA_COLUMNS, fixedBytes, file)
  }

  /** Sets the times of the rows that are added next. */
  at(eventUs: number, initUs: number): void {
    this.#eventUs = eventUs
    this.#initUs = initUs
  }

  /** Adds a level's new size; 0 deletes it. */
  change(isAsk: boolean, price: number, size: number): void {
    this.#add(size > 0 ? UPDATE : DELETE, isAsk ? SELL : BUY, price, size, 0)
  }

  /** Adds the whole book in the venues' order: the best level of each side last. */
  snapshot(book: OrderBook): void {
    this.#add(CLEAR, NO_SIDE, 0, 0, SNAPSHOT)
    this.#addLevels(book, SNAPSHOT)
    this.end(SNAPSHOT)
  }

  /** Adds the known levels of a book that may have other levels too. */
  known(book: OrderBook): void {
    this.#addLevels(book, 0)
    this.end()
  }

  /** Clears the book, because it is unknown. */
  clear(): void {
    this.#add(CLEAR, NO_SIDE, 0, 0, SNAPSHOT)
    this.end(SNAPSHOT)
  }

  /** Ends the message: it has no more rows. */
  end(flags = 0): void {
    if (this.#action > 0) this.#write(flags | LAST)
    this.#action = 0
  }

  #addLevels(book: OrderBook, flags: number): void {
    const levels = this.#levels
    for (const side of [BID, ASK] as const) {
      const count = book.readSide(side, levels)
      const name = side === BID ? BUY : SELL
      for (let i = count - 1; i >= 0; i--) this.#add(ADD, name, levels.prices[i]!, levels.sizes[i]!, flags)
    }
  }

  #add(action: number, side: number, price: number, size: number, flags: number): void {
    if (this.#action > 0) this.#write(flags)
    this.#precision.note(price)
    this.#action = action
    this.#side = side
    this.#price = price
    this.#size = size
  }

  #write(flags: number): void {
    const row = this.rows.next(this.#eventUs, this.#initUs)
    const { columns } = this.rows
    columns.action.values[row] = this.#action
    columns.side.values[row] = this.#side
    columns.price.setMicros(row, this.#price)
    columns.size.setMicros(row, this.#size)
    columns.order_id.set(row, 0)
    columns.flags.values[row] = flags
    columns.sequence.set(row, 0)
  }
}
