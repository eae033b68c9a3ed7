// One book as an audit compares it, in whole micros: a bid is at its price, an ask or a bid for NO at minus its price.

import { type Levels, microsOf } from './levels.ts'

export class SignedBook {
  readonly #levels = new Map<number, number>()
  #isKnown = false

  /** False until a whole book came, and after a message that could not be read. */
  get isKnown(): boolean {
    return this.#isKnown
  }

  get levels(): Levels {
    return this.#levels
  }

  /** Undefined where they are not known. */
  become(levels: Levels | undefined): void {
    this.#levels.clear()
    this.#isKnown = levels !== undefined
    for (const [price, size] of levels ?? []) this.#levels.set(price, size)
  }

  forget(): void {
    this.become(undefined)
  }

  /** Gives a level this size; 0 or less removes it. What could not be read, undefined, makes the book unknown. Returns
   *  the price; undefined where the book is not known. */
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

/** The two lists of levels of a book; `read` gives the price and the size of a level as they are printed. Undefined
 *  where one cannot be read. */
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

/** Undefined for what is no price, and without a sign. */
export function signedPrice(printed: unknown, sign: 1 | -1 | undefined): number | undefined {
  const micros = microsOf(printed)
  return micros === undefined || micros <= 0 || sign === undefined ? undefined : sign * micros
}
