// One book of Kalshi, in whole micros: what the recorder compares with REST. A level of YES is at its price, one of NO
// at minus its price. Both are bids.

import { type Levels, microsOf } from '../audit/levels.ts'

export class LevelBook {
  readonly #levels = new Map<number, number>()
  #isKnown = false

  /** False until a snapshot, and after a message that could not be read. */
  get isKnown(): boolean {
    return this.#isKnown
  }

  get levels(): Levels {
    return this.#levels
  }

  /** The `msg` of an `orderbook_snapshot`. */
  replace(msg: Record<string, unknown>): void {
    this.become(levelsOf(msg['yes_dollars_fp'], msg['no_dollars_fp']))
  }

  /** Undefined where they are not known. */
  become(levels: Levels | undefined): void {
    this.#levels.clear()
    this.#isKnown = levels !== undefined
    for (const [price, size] of levels ?? []) this.#levels.set(price, size)
  }

  /** The `msg` of an `orderbook_delta`. Returns the price that changed; undefined where the book is not known. */
  apply(msg: Record<string, unknown>): number | undefined {
    if (!this.#isKnown) return undefined
    const price = signedPrice(msg['price_dollars'], msg['side'])
    const change = microsOf(msg['delta_fp'])
    if (price === undefined || change === undefined) {
      this.forget()
      return undefined
    }
    const size = (this.#levels.get(price) ?? 0) + change
    if (size > 0) this.#levels.set(price, size)
    else this.#levels.delete(price)
    return price
  }

  forget(): void {
    this.become(undefined)
  }
}

/** Of two lists of `[price, size]` as Kalshi prints them, absent where a side is empty; undefined where one cannot be
 *  read. */
export function levelsOf(yes: unknown, no: unknown): Levels | undefined {
  const levels = new Map<number, number>()
  for (const [list, side] of [
    [yes ?? [], 'yes'],
    [no ?? [], 'no'],
  ] as const) {
    if (!Array.isArray(list)) return undefined
    for (const level of list) {
      const price = Array.isArray(level) ? signedPrice(level[0], side) : undefined
      const size = Array.isArray(level) ? microsOf(level[1]) : undefined
      if (price === undefined || size === undefined) return undefined
      if (size > 0) levels.set(price, size)
    }
  }
  return levels
}

function signedPrice(text: unknown, side: unknown): number | undefined {
  const micros = microsOf(text)
  if (micros === undefined || micros <= 0) return undefined
  if (side === 'yes') return micros
  return side === 'no' ? -micros : undefined
}
