// A book that moves over the rows of blocks: forwards by their `after` sizes, backwards by their `before` sizes. The
// server interprets the venues' messages; this class only sets levels.

import type { KalshiBook } from '../../src/client/backbook.d.ts'
import { ASK, BID, type ChangeBlock, GAP, LEVEL, NO_LEVEL, SNAPSHOT } from '../data/replay/change-block.ts'

/** Maps prices in dollars to contracts. */
export type Levels = ReadonlyMap<number, number>

/** How far a book can be trusted. It is unknown (null) after a step back over a snapshot or a gap. */
export type Trust = KalshiBook['trust']

export class ReplayBook {
  readonly #bids: Map<number, number>
  readonly #asks: Map<number, number>
  trust: Trust | null
  /** Whether `trust` is certain. A record that changes no level has no row, but may still have changed the trust. Only
   *  an established book stays certain when the replay moves forwards, because it stays established until a gap. */
  isSure = true

  /** Each level is [price, contracts]. Drops entries of size 0: the venue sends them for its best prices, but they are
   *  not levels, and no later row would remove them. */
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

  /** Moves from before the row `from` to before the row `to`; backwards if `to` is smaller. */
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

  /** Updates `isSure`. Must be called when the replay reaches another place, even without rows in between. */
  passed(direction: 1 | -1): void {
    if (direction === -1 || this.trust !== 'established') this.isSure = false
  }

  /** Sets the trust, as confirmed by the API, a snapshot or a gap. */
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

/** Returns [price, contracts] pairs, best first. */
export function sortedLevels(levels: Levels, side: number): [price: number, size: number][] {
  const sign = side === ASK ? 1 : -1
  return [...levels].sort(([a], [b]) => sign * (a - b))
}

/** Returns the best price; undefined if the side is empty. */
export function bestOf(levels: Levels, side: number): number | undefined {
  let best: number | undefined
  for (const price of levels.keys()) {
    if (best === undefined || (side === BID ? price > best : price < best)) best = price
  }
  return best
}
