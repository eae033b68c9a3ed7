// The text of a bid ladder in Polymarket's form, and of its mirror, the asks of the other token. Every message needs
// the text of the whole book for a checksum, so the texts of unchanged levels are reused.

import { type BidLadder, DOLLAR_MILLI } from './bid-ladder.ts'

/** Printed prices such as '0.41', without trailing zeros, by price in 1e-3 dollars. */
export const PRINTED_PRICES = Array.from({ length: DOLLAR_MILLI + 1 }, (_, milli) => String(milli / DOLLAR_MILLI))

export class PrintedLadder {
  readonly #ladder: BidLadder
  /** The end of each level's text, from the size on. The index is the price. */
  readonly #sizes: string[] = []
  #bids = ''
  #asks = ''
  #isStale = true

  constructor(ladder: BidLadder) {
    this.#ladder = ladder
    for (const price of ladder.prices()) this.change(price)
  }

  /** Notes a changed size. Call it for every price whose size changes. */
  change(priceMilli: number): void {
    this.#sizes[priceMilli] = `,"size":"${sizeText(this.#ladder.sizeCenti(priceMilli))}"}`
    this.#isStale = true
  }

  /** JSON of the bids, ascending. */
  get bidsJson(): string {
    if (this.#isStale) this.#print()
    return this.#bids
  }

  /** JSON of the asks of the other token, descending. */
  get asksJson(): string {
    if (this.#isStale) this.#print()
    return this.#asks
  }

  #print(): void {
    let bids = ''
    let asks = ''
    for (let price = this.#ladder.bestMilli; price > 0; price = this.#ladder.below(price)) {
      const size = this.#sizes[price]!
      const separator = bids === '' ? '' : ','
      bids = `{"price":"${PRINTED_PRICES[price]}"${size}${separator}${bids}`
      asks = `{"price":"${PRINTED_PRICES[DOLLAR_MILLI - price]}"${size}${separator}${asks}`
    }
    this.#bids = `[${bids}]`
    this.#asks = `[${asks}]`
    this.#isStale = false
  }
}

/** Prints hundredths of a contract without trailing zeros: '216.2'. */
export const sizeText = (centi: number) => String(centi / 100)
