// A book for audits, as integers in 1e-6: a bid is stored at its price, an ask or a NO bid at minus its price.

import { type Levels, microsOf } from './levels.ts'

export class SignedBook {
  readonly #levels = new Map<number, number>()
  #isKnown = false

  /** False before the first snapshot, and after a message that could not be parsed. */
  get isKnown(): boolean {
    return this.#isKnown
  }

  get levels(): Levels {
    return this.#levels
  }

  /** Replaces all levels. Undefined makes the book unknown. */
  become(levels: Levels | undefined): void {
    this.#levels.clear()
    this.#isKnown = levels !== undefined
    for (const [price, size] of levels ?? []) this.#levels.set(price, size)
  }

  forget(): void {
    this.become(undefined)
  }

  /** Sets the size of a level; 0 or less removes it. A price or size that could not be parsed (undefined) makes the
   *  book unknown. Returns the price, or undefined if the book is unknown. */
  set(price: number | undefined, size: number | undefined): number | undefined {
    if (!this.#isKnown) return undefined
    if (price === undefined || size === undefined) {
      this.forget()
      return undefined
    }
    if (size > 0) this.#levels.set(price, size)
    else this.#levels.delete(price)
    return price
  }
}

/** Parses the two lists of levels of a book. `read` returns the price and size of a level as printed. Returns undefined
 *  if a level cannot be parsed. */
export function signedLevels(
  bids: unknown,
  asks: unknown,
  read: (level: unknown) => readonly [price: unknown, size: unknown],
): Levels | undefined {
  const levels = new Map<number, number>()
  for (const [list, sign] of [
    [bids, 1],
    [asks, -1],
  ] as const) {
    if (!Array.isArray(list)) return undefined
    for (const level of list) {
      const [printedPrice, printedSize] = read(level)
      const [price, size] = [signedPrice(printedPrice, sign), microsOf(printedSize)]
      if (price === undefined || size === undefined) return undefined
      if (size > 0) levels.set(price, size)
    }
  }
  return levels
}

/** Parses a price and applies the sign. Returns undefined if it is not a positive price, or if there is no sign. */
export function signedPrice(printed: unknown, sign: 1 | -1 | undefined): number | undefined {
  const micros = microsOf(printed)
  return micros === undefined || micros <= 0 || sign === undefined ? undefined : sign * micros
}
