// A book that moves over the rows of blocks: forwards by their `after`, backwards by their `before`. What the venues'
// messages mean is the server's; here levels are only set.

import type { KalshiBook } from '../../src/client/backbook.d.ts'
import { ASK, BID, type ChangeBlock, GAP, LEVEL, NO_LEVEL, SNAPSHOT } from '../data/replay/change-block.ts'

/** Dollars to contracts. */
export type Levels = ReadonlyMap<number, number>

/** Null where it is not known: behind the undoing of what made it so. */
export type Trust = KalshiBook['trust']

export class ReplayBook {
  readonly #bids: Map<number, number>
  readonly #asks: Map<number, number>
  trust: Trust | null
  /** Whether `trust` is known. A record that changes no level has no row, and may have changed it all the same: only that
   *  an established book stays so until a gap is certain. */
  isSure = true

  /** Each level is [price, contracts]. The venue's best price of size 0 is no level: no row would remove it. */
  constructor(bids: readonly (readonly number[])[], asks: readonly (readonly number[])[], trust: Trust | null) {
    const filled = (levels: readonly (readonly number[])[]) => levels.filter(([, size]) => size! > 0)
    this.#bids = new Map(filled(bids) as [number, number][])
    this.#asks = new Map(filled(asks) as [number, number][])
    this.trust = trust
  }

  get bids(): Levels {
    return this.#bids
  }

  get asks(): Levels {
    return this.#asks
  }

  /** From before the row `from` to before the row `to`; backwards where `to` is the lesser. */
  move(block: ChangeBlock, from: number, to: number): void {
    for (let row = from; row < to; row++) {
      this.#set(block.sides[row]!, block.prices[row]!, block.after[row]!)
      this.#trustAfter(block.kinds[row]!)
    }
    for (let row = from - 1; row >= to; row--) {
      this.#set(block.sides[row]!, block.prices[row]!, block.before[row]!)
      if (block.kinds[row] !== LEVEL) this.trust = null
    }
  }

  #set(side: number, price: number, size: number): void {
    if (side === NO_LEVEL) return
    const levels = side === BID ? this.#bids : this.#asks
    if (size === 0) levels.delete(price)
    else levels.set(price, size)
  }

  /** To be called when another place is reached, with or without rows on the way. */
  passed(direction: 1 | -1): void {
    if (direction === -1 || this.trust !== 'established') this.isSure = false
  }

  /** Sets the trust of the book at this place, as confirmed by the API, a snapshot or a gap. */
  confirm(trust: Trust): void {
    this.trust = trust
    this.isSure = true
  }

  #trustAfter(kind: number): void {
    if (kind === SNAPSHOT) this.confirm('established')
    else if (kind === GAP) this.confirm('lost')
    else if (this.trust === 'unknown') this.trust = 'observed'
  }
}

/** [price, contracts], the best first. */
export function sortedLevels(levels: Levels, side: number): [price: number, size: number][] {
  const sign = side === ASK ? 1 : -1
  return [...levels].sort(([a], [b]) => sign * (a - b))
}

/** The best price; undefined of an empty side. */
export function bestOf(levels: Levels, side: number): number | undefined {
  let best: number | undefined
  for (const price of levels.keys()) {
    if (best === undefined || (side === BID ? price > best : price < best)) best = price
  }
  return best
}
