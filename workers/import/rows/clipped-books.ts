// Applies the repair `clip-beyond-best`: follows the books of one market, and removes the levels beyond a row's best
// prices. The archive should have removed these levels.

import { MICROS } from '../../../storage/units.ts'
import { releaseBook, takeBook } from '../../book/book-pool.ts'
import { ASK, BID, type Side } from '../../book/ladder.ts'
import { heightOfLevel, isAskLevel } from '../../book/level-key.ts'
import { NO_PRICE, type OrderBook } from '../../book/order-book.ts'
import type { RowChange, RowScales, RowSide } from './row-values.ts'

export class ClippedBooks {
  readonly #books = new Map<string, OrderBook>()
  readonly #microsPerUnit: number

  constructor({ price }: Pick<RowScales, 'price'>) {
    this.#microsPerUnit = MICROS / 10 ** price
  }

  /** Drops the books of all tokens. */
  clear(): void {
    for (const book of this.#books.values()) releaseBook(book)
    this.#books.clear()
  }

  forget(token: string): void {
    this.#bookOf(token).reset()
  }

  /** Replaces the book of a token with a snapshot. */
  replace(token: string, bids: RowSide, asks: RowSide): void {
    const book = this.#bookOf(token)
    book.reset()
    for (let i = 0; i < bids.prices.length; i++) this.#set(book, BID, bids.prices[i]!, bids.sizes[i]!)
    for (let i = 0; i < asks.prices.length; i++) this.#set(book, ASK, asks.prices[i]!, asks.sizes[i]!)
  }

  /** Applies a change. Returns the removals of the levels beyond the row's best prices; none if the row has no best
   *  prices. */
  change(token: string, change: RowChange): RowChange[] {
    const { side, price, size, bestBid, bestAsk } = change
    const book = this.#bookOf(token)
    this.#set(book, side === 'BUY' ? BID : ASK, price, size)
    const removals: RowChange[] = []
    if (Number.isNaN(bestBid) || Number.isNaN(bestAsk)) return removals
    // An empty side is written as a price without orders: 0 for bids, 0 or 1 for asks.
    const bid = bestBid === 0 ? NO_PRICE : bestBid * this.#microsPerUnit
    const ask = bestAsk * this.#microsPerUnit
    book.cutBeyond(bid, ask === 0 || ask >= MICROS ? NO_PRICE : ask, (level) => {
      const height = heightOfLevel(level)
      const [of, micros] = isAskLevel(level) ? (['SELL', MICROS - height] as const) : (['BUY', height] as const)
      removals.push({ ...change, side: of, price: micros / this.#microsPerUnit, size: 0 })
    })
    return removals
  }

  #bookOf(token: string): OrderBook {
    let book = this.#books.get(token)
    if (book === undefined) {
      book = takeBook()
      this.#books.set(token, book)
    }
    return book
  }

  /** Sets a level. Ignores a price that is outside 0 to 1 dollar or is not a whole number of 1e-6 dollars. */
  #set(book: OrderBook, side: Side, price: number, size: number): void {
    const micros = price * this.#microsPerUnit
    if (!(micros >= 0 && micros <= MICROS && Number.isInteger(micros))) return
    book.setLevel(side, side === BID ? micros : MICROS - micros, size)
  }
}
