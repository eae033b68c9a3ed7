// The book of one token, which the recorder compares with REST. A bid is at its price, an ask at minus its price.

import { type Levels, microsOf } from '../audit/levels.ts'
import type { Json } from './messages.ts'

export class TokenBook {
  readonly #levels = new Map<number, number>()
  #isKnown = false

  /** False until a book came, and after a message that could not be read. */
  get isKnown(): boolean {
    return this.#isKnown
  }

  get levels(): Levels {
    return this.#levels
  }

  /** A whole book, of the socket or of REST. */
  replace(said: Json): void {
    const levels = levelsIn(said)
    this.#levels.clear()
    this.#isKnown = levels !== undefined
    for (const [price, size] of levels ?? []) this.#levels.set(price, size)
  }

  /** An entry of a change. Returns the price that changed; undefined where the book is not known. */
  apply({ price, size, side }: Json): number | undefined {
    if (!this.#isKnown) return undefined
    const [at, left] = [signedPrice(price, side), microsOf(size)]
    if (at === undefined || left === undefined) {
      this.forget()
      return undefined
    }
    if (left > 0) this.#levels.set(at, left)
    else this.#levels.delete(at)
    return at
  }

  forget(): void {
    this.#levels.clear()
    this.#isKnown = false
  }
}

/** Undefined where they cannot be read. */
export function levelsIn(said: Json): Levels | undefined {
  const levels = new Map<number, number>()
  for (const [list, side] of [
    [said['bids'], 'BUY'],
    [said['asks'], 'SELL'],
  ] as const) {
    if (!Array.isArray(list)) return undefined
    for (const level of list as (Json | null)[]) {
      const [price, size] = [signedPrice(level?.['price'], side), microsOf(level?.['size'])]
      if (price === undefined || size === undefined) return undefined
      if (size > 0) levels.set(price, size)
    }
  }
  return levels
}

function signedPrice(text: unknown, side: unknown): number | undefined {
  const micros = microsOf(text)
  if (micros === undefined || micros <= 0) return undefined
  if (side === 'BUY') return micros
  return side === 'SELL' ? -micros : undefined
}
