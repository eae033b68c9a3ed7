// The book of one token, which the recorder compares with REST.

import { type Levels, microsOf } from '../audit/levels.ts'
import { SignedBook, signedLevels, signedPrice } from '../audit/signed-book.ts'
import type { Json } from './messages.ts'

const SIGNS: Readonly<Record<string, 1 | -1>> = { BUY: 1, SELL: -1 }

export class TokenBook extends SignedBook {
  /** A whole book, of the socket or of REST. */
  replace(said: Json): void {
    this.become(levelsIn(said))
  }

  /** An entry of a change. Returns the price that changed; undefined where the book is not known. */
  apply({ price, size, side }: Json): number | undefined {
    return this.set(signedPrice(price, SIGNS[String(side)]), microsOf(size))
  }
}

/** Undefined where they cannot be read. */
export const levelsIn = ({ bids, asks }: Json): Levels | undefined =>
  signedLevels(bids, asks, (level) => {
    const { price, size } = Object(level) as Json
    return [price, size]
  })
