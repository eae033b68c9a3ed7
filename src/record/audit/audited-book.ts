// A book that can be compared with REST. Prices and sizes are integers in 1e-6: a bid has its price, an ask or a NO
// bid has minus its price. REST returns the book at an unknown moment of the request, so its book may equal any state
// during the request. Pure.

import type { AuditResult } from '../../../storage/finding/audits.ts'

export class SignedBook {
  readonly #levels = new Map<number, number>()
  #isKnown = false
  #window: AuditWindow | undefined

  /** False before the first snapshot, and after a message that could not be parsed. */
  get isKnown(): boolean {
    return this.#isKnown
  }

  get levels(): Levels {
    return this.#levels
  }

  /** Begins to note the states of the book. Returns false if the book is not known, or already watched. */
  watch(): boolean {
    if (!this.#isKnown || this.#window !== undefined) return false
    this.#window = [new Map(this.#levels)]
    return true
  }

  /** Compares the states since `watch` with the book from REST. `restLevels` is undefined if REST has no such book.
   *  Returns undefined if the book was not watched. */
  conclude(restLevels: Levels | undefined): AuditResult | undefined {
    const window = this.#window
    this.#window = undefined
    return window && auditResult(window, restLevels)
  }

  /** Replaces all levels. Undefined makes the book unknown. */
  become(levels: Levels | undefined): void {
    this.#levels.clear()
    this.#isKnown = levels !== undefined
    for (const [price, size] of levels ?? []) this.#levels.set(price, size)
    this.#window?.push(levels)
  }

  forget(): void {
    this.become(undefined)
  }

  /** Sets the size of a level; 0 or less removes it. A price or size that could not be parsed (undefined) makes the
   *  book unknown. */
  set(price: number | undefined, size: number | undefined): void {
    if (!this.#isKnown) return
    if (price === undefined || size === undefined) return this.forget()
    setLevel(this.#levels, price, size)
    this.#window?.push([price, size])
  }
}

/** Parses the two lists of levels of a book. `read` returns the price and size of a level, not yet parsed. Returns
 *  undefined if a level cannot be parsed. */
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

/** Parses a price and applies the sign. Returns undefined if the value is not a positive price, or if `sign` is
 *  undefined. */
export function signedPrice(printed: unknown, sign: 1 | -1 | undefined): number | undefined {
  const micros = microsOf(printed)
  return micros === undefined || micros <= 0 || sign === undefined ? undefined : sign * micros
}

/** The levels of a book: size in 1e-6 contracts by price in 1e-6 dollars. The sign of the price shows the side. */
export type Levels = ReadonlyMap<number, number>

const DECIMAL = /^-?(?:\d{1,9}(?:\.\d{1,6})?|\.\d{1,6})$/

/** Parses a decimal with at most nine digits before the point and six after it, exactly, into 1e-6. Returns undefined
 *  for anything else. */
export const microsOf = (text: unknown): number | undefined =>
  typeof text === 'string' && DECIMAL.test(text) ? Math.round(Number(text) * 1e6) : undefined

function setLevel(levels: Map<number, number>, price: number, size: number): void {
  if (size > 0) levels.set(price, size)
  else levels.delete(price)
}

/** The first entry is the book at the start of an audit. The others are, in order, the changes of its levels and the
 *  snapshots that replaced the book. An undefined entry means that the book was lost. */
export type AuditWindow = (Levels | readonly [price: number, size: number] | undefined)[]

/** Compares the book from REST with each state of a window. `expected` is undefined if REST had no such book. */
export function auditResult(window: Readonly<AuditWindow>, expected: Levels | undefined): AuditResult {
  if (expected === undefined || window.includes(undefined)) return 'undecidable'
  let state = new Map<number, number>()
  for (const step of window) {
    if (step instanceof Map) state = new Map(step)
    else setLevel(state, ...(step as readonly [number, number]))
    if (areEqual(state, expected)) return window.length === 1 ? 'exact' : 'consistent'
  }
  return 'inconsistent'
}

const areEqual = (one: Levels, other: Levels): boolean =>
  one.size === other.size && one.entries().every(([price, size]) => other.get(price) === size)
