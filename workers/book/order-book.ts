// The book of one outcome, and how far it can be trusted.

import { MICROS } from '../../storage/units.ts'
import { BookSide } from './book-side.ts'

/** Where a side of the top is empty. Prices are never negative. */
export const NO_PRICE = -1

/** - observed: no snapshot yet; levels are known as they are seen
 *  - established: by a snapshot, or by the book an earlier day closed with
 *  - lost: after a gap, empty until the next snapshot */
export type BookTrust = 'observed' | 'established' | 'lost'

export class OrderBook {
  readonly bid = new BookSide()
  readonly ask = new BookSide()
  trust: BookTrust = 'observed'
  /** Time of the quote that is still open, since more records of its venue time may follow; -1 where none is. */
  openQuoteMs = -1
  /** The venue's own best prices after the last message, used while the book is only observed; NaN where unknown. */
  venueBid = Number.NaN
  venueAsk = Number.NaN

  reset(trust: BookTrust): void {
    this.bid.clear()
    this.ask.clear()
    this.trust = trust
    this.venueBid = Number.NaN
    this.venueAsk = Number.NaN
  }

  /** Best bid in 1e-6 dollars, or NO_PRICE. */
  get bestBid(): number {
    if (this.#usesVenueBest) return this.venueBid
    return this.bid.bestHeight
  }

  /** Best ask in 1e-6 dollars, or NO_PRICE. */
  get bestAsk(): number {
    if (this.#usesVenueBest) return this.venueAsk
    const height = this.ask.bestHeight
    return height < 0 ? NO_PRICE : MICROS - height
  }

  /** Size at the best bid in 1e-6 contracts, 0 where there is none or it was never seen. */
  get bestBidSize(): number {
    const price = this.bestBid
    return price < 0 ? 0 : this.bid.sizeAt(price)
  }

  get bestAskSize(): number {
    const price = this.bestAsk
    return price < 0 ? 0 : this.ask.sizeAt(MICROS - price)
  }

  get #usesVenueBest(): boolean {
    return this.trust === 'observed' && this.venueBid === this.venueBid
  }
}
