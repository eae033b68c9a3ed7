// The resting bids of one outcome of a binary market. Prices are integers of 1e-3 dollars from 1 to 999, sizes integers
// of 1e-2 contracts. A bid for one outcome at p is an ask for the other at 1000 - p, so two ladders form a whole book.

import assert from 'node:assert/strict'

export const DOLLAR_MILLI = 1_000

export class BidLadder {
  readonly #sizes = new Float64Array(DOLLAR_MILLI)
  #best = 0
  #count = 0

  /** The highest price; 0 if there is no bid. */
  get bestMilli(): number {
    return this.#best
  }

  get count(): number {
    return this.#count
  }

  sizeCenti(priceMilli: number): number {
    return this.#sizes[priceMilli]!
  }

  add(priceMilli: number, deltaCenti: number): void {
    const before = this.#sizes[priceMilli]!
    const after = before + deltaCenti
    assert(priceMilli > 0 && after >= 0)
    this.#sizes[priceMilli] = after
    if (before === 0 && after > 0) this.#count++
    if (before > 0 && after === 0) this.#count--
    if (after > 0 && priceMilli > this.#best) this.#best = priceMilli
    if (after === 0 && priceMilli === this.#best) this.#best = this.below(priceMilli)
  }

  /** Returns the price of the next level below a price; 0 if there is no such level. */
  below(priceMilli: number): number {
    let price = priceMilli - 1
    while (price > 0 && this.#sizes[price] === 0) price--
    return Math.max(price, 0)
  }

  /** Returns the price of the level at a rank; rank 0 is the best level. Returns 0 beyond the last level. */
  atRank(rank: number): number {
    let price = this.#best
    for (let step = 0; step < rank && price > 0; step++) price = this.below(price)
    return price
  }

  /** Returns the prices, ascending. */
  prices(): number[] {
    const prices: number[] = []
    for (let price = this.#best; price > 0; price = this.below(price)) prices.push(price)
    return prices.reverse()
  }
}
