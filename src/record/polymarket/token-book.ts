// The book of a token, which the recorder compares with REST.

import { type Levels, microsOf, SignedBook, signedLevels, signedPrice } from '../audit/signed-book.ts'
import type { Json } from './messages.ts'

const SIGNS: Readonly<Record<string, 1 | -1>> = { BUY: 1, SELL: -1 }

export class TokenBook extends SignedBook {
  /** Replaces the book by one from the socket or REST. */
  replace(book: Json): void {
    this.become(levelsIn(book))
  }

  /** Applies one entry of a change. Returns the changed price; undefined if the book is not known. */
  apply({ price, size, side }: Json): number | undefined {
    return this.set(signedPrice(price, SIGNS[String(side)]), microsOf(size))
  }
}

/** Parses the levels of a book. Returns undefined if one cannot be parsed. */
export const levelsIn = ({ bids, asks }: Json): Levels | undefined =>
  signedLevels(bids, asks, (level) => {
    const { price, size } = Object(level) as Json
    return [price, size]
  })
