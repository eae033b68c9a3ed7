// A book that can be compared with REST, as integers in 1e-6: a bid is stored at its price, an ask or a NO bid at
// minus its price. The response shows the book at an unknown moment of the request, so it may equal any state that the
// book had during the request. Pure.

import type { AuditResult } from '../status/recorder-figures.ts'

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
    this.#window = new AuditWindow(this.#levels)
    return true
  }

  /** Compares the states since `watch` with the book from REST. `restLevels` is undefined if REST has no such book.
   *  Returns undefined if the book was not watched. */
  conclude(restLevels: Levels | undefined): AuditResult | undefined {
    const window = this.#window
    this.#window = undefined
    return window?.result(restLevels)
  }

  /** Replaces all levels. Undefined makes the book unknown. */
  become(levels: Levels | undefined): void {
    this.#levels.clear()
    this.#isKnown = levels !== undefined
    for (const [price, size] of levels ?? []) this.#levels.set(price, size)
    if (levels === undefined) this.#window?.broken()
    else this.#window?.replaced(levels)
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
    this.#window?.changed(price, Math.max(0, size))
    return price
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

const [ZERO, POINT, MINUS] = [48, 46, 45]
/** Factors that convert the digits of a decimal, read as an integer, to micros. The index is the number of decimal
 *  places. */
const SCALES = [1_000_000, 100_000, 10_000, 1_000, 100, 10, 1]
const WHOLE_DIGITS_MAX = 9

/** Parses a decimal with at most nine digits before the point and six after it, exactly, into 1e-6. Returns undefined
 *  for anything else. */
export function microsOf(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  const start = text.charCodeAt(0) === MINUS ? 1 : 0
  let micros = 0
  let point = text.length
  for (let at = start; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO
    if (digit >= 0 && digit <= 9) micros = micros * 10 + digit
    else if (digit === POINT - ZERO && point === text.length) point = at
    else return undefined
  }
  const wholes = point - start
  const places = Math.max(0, text.length - point - 1)
  const scale = SCALES[places]
  const isOpen = places === 0 && (wholes === 0 || point < text.length)
  if (isOpen || wholes > WHOLE_DIGITS_MAX || scale === undefined) return undefined
  return start === 1 ? -micros * scale : micros * scale
}

export class AuditWindow {
  /** The book at the start of the window, and the levels that changed since. */
  readonly #first: Map<number, number>
  readonly #changes: [price: number, size: number][] = []
  #isBroken = false

  constructor(levels: Levels) {
    this.#first = new Map(levels)
  }

  /** Notes the new size of a level; 0 if the level is gone. */
  changed(price: number, size: number): void {
    this.#changes.push([price, size])
  }

  /** Notes that a snapshot replaced the book. */
  replaced(levels: Levels): void {
    for (const price of this.#levelsNow().keys()) if (!levels.has(price)) this.#changes.push([price, 0])
    for (const [price, size] of levels) this.#changes.push([price, size])
  }

  /** Notes that the book is no longer known. */
  broken(): void {
    this.#isBroken = true
  }

  /** Compares the book from REST with each state of the window. `expected` is undefined if REST had no such book. */
  result(expected: Levels | undefined): AuditResult {
    if (expected === undefined || this.#isBroken) return 'undecidable'
    const state = this.#first
    let differing = 0
    for (const [price, size] of state) if (expected.get(price) !== size) differing++
    for (const price of expected.keys()) if (!state.has(price)) differing++
    if (differing === 0) return this.#changes.length === 0 ? 'exact' : 'consistent'
    for (const [price, size] of this.#changes) {
      const expectedSize = expected.get(price) ?? 0
      const oldSize = state.get(price) ?? 0
      if (oldSize === expectedSize && size !== expectedSize) differing++
      if (oldSize !== expectedSize && size === expectedSize) differing--
      if (size === 0) state.delete(price)
      else state.set(price, size)
      if (differing === 0) return 'consistent'
    }
    return 'inconsistent'
  }

  #levelsNow(): Levels {
    const levels = new Map(this.#first)
    for (const [price, size] of this.#changes) {
      if (size === 0) levels.delete(price)
      else levels.set(price, size)
    }
    return levels
  }
}
