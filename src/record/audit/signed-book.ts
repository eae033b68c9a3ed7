// A book for audits, as integers in 1e-6: a bid is stored at its price, an ask or a NO bid at minus its price.

import type { AuditResult } from '../status/recorder-figures.ts'
import { AuditWindow } from './audit-window.ts'

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

  /** Compares the states since `watch` with the book from REST; undefined if REST has none. Returns undefined if the
   *  book  was not watched. */
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

/** Size in 1e-6 contracts by price in 1e-6 dollars. The sign of the price tells the side. */
export type Levels = ReadonlyMap<number, number>

const [ZERO, POINT, MINUS] = [48, 46, 45]
/** Factors that convert an integer to micros, by its number of decimal places. */
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
