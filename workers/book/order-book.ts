// The book of one outcome, and how far it can be trusted.

import type { BookTrust } from '../../storage/format/partition-head.ts'
import { MICROS } from '../../storage/units.ts'
import { grown } from '../bytes/grown.ts'
import { AFTER } from '../evidence/trust-table.ts'
import { ASK, BID, Ladder, RUNG_MICROS, RUNGS, SIDE_CELLS, type Side } from './ladder.ts'
import { type ComparedLevel, levelKey } from './level-key.ts'

/** Price of an empty side. Real prices are never negative. */
export const NO_PRICE = -1

/** The best level of both sides. An empty side has the price NO_PRICE and the size 0. */
export type Top = { bid: number; bidSize: number; ask: number; askSize: number }

/** The top of an empty book. */
export const NO_TOP: Readonly<Top> = { bid: NO_PRICE, bidSize: 0, ask: NO_PRICE, askSize: 0 }

/** Buffers for the levels of a side. */
export class SideLevels {
  prices = new Int32Array(RUNGS)
  sizes = new Float64Array(RUNGS)

  /** Grows the buffers and keeps their content. With levels between rungs, a side may have more than RUNGS levels. */
  reserve(count: number): void {
    if (count <= this.prices.length) return
    this.prices = grown(this.prices, count)
    this.sizes = grown(this.sizes, count)
  }
}

/** Returns whether the first `count` levels are equal. */
export function isSameSide(one: SideLevels, other: SideLevels, count: number): boolean {
  for (let i = 0; i < count; i++) {
    if (one.prices[i] !== other.prices[i] || one.sizes[i] !== other.sizes[i]) return false
  }
  return true
}

/** Returns whether the best bid reaches the best ask, both as heights; the height of an empty side is below 0. */
export const haveMet = (bid: number, ask: number): boolean => bid >= 0 && ask >= 0 && bid + ask >= MICROS

/** Books by number; 0 stands for the whole market and has no book. */
export type Books = readonly (OrderBook | undefined)[]

export class OrderBook {
  readonly ladder = new Ladder()
  /** How far the book can be trusted. A snapshot, an agreeing hash or the closing book of an earlier day establishes
   *  the book. A lost book is empty. */
  trust: BookTrust = AFTER.record.unknown
  /** Time of the open quote: more records of the same venue time may follow. -1 if no quote is open. */
  openQuoteMs = -1
  /** The venue's best prices after the last message; NaN if unknown. Used while the book's trust is `observed`. */
  venueBid = Number.NaN
  venueAsk = Number.NaN
  /** Levels at prices between the cells (not a multiple of 0.0001), by height. No venue has had any so far. */
  #fine: [Map<number, number>, Map<number, number>] | undefined

  /** Empties the book after a snapshot or a gap, and sets its trust. If `evidence` is undefined, nothing is known of
   *  the book afterwards. */
  reset(evidence?: 'snapshot' | 'gap'): void {
    this.ladder.clear()
    this.#fine = undefined
    this.trust = evidence === undefined ? AFTER.record.unknown : AFTER[evidence][this.trust]
    this.venueBid = Number.NaN
    this.venueAsk = Number.NaN
  }

  /** Copies the levels and the trust of another book. No quote is open afterwards. */
  become(other: OrderBook): void {
    this.reset()
    this.trust = other.trust
    this.openQuoteMs = -1
    this.venueBid = other.venueBid
    this.venueAsk = other.venueAsk
    for (const side of [BID, ASK] as const)
      for (const [height, size] of other.levels(side)) this.setLevel(side, height, size)
  }

  /** Sets the level at a height in 1e-6 dollars: for a bid its price, for an ask one dollar minus its price. A size at
   *  or below 0 removes the level. */
  setLevel(side: Side, height: number, size: number): void {
    if (height % RUNG_MICROS === 0) return this.ladder.set(side * SIDE_CELLS + height / RUNG_MICROS, size)
    this.#fine ??= [new Map(), new Map()]
    if (size > 0) this.#fine[side].set(height, size)
    else this.#fine[side].delete(height)
  }

  /** Whether the best bid reaches the best ask. */
  get isCrossed(): boolean {
    return haveMet(this.#bestHeight(BID), this.#bestHeight(ASK))
  }

  /** Removes the levels beyond the venue's best prices if the book's trust is `observed`. `onLevel` receives each
   *  removed level. */
  cutAtVenueBest(onLevel?: ComparedLevel): void {
    if (this.#usesVenueBest) this.cutBeyond(this.venueBid, this.venueAsk, onLevel)
  }

  /** Removes the levels beyond these prices, 1e-6 dollars: bids, then asks, the best first. NO_PRICE removes a whole
   *  side. */
  cutBeyond(bid: number, ask: number, onLevel?: ComparedLevel): void {
    this.#cutAbove(BID, bid, onLevel)
    this.#cutAbove(ASK, ask === NO_PRICE ? NO_PRICE : MICROS - ask, onLevel)
  }

  #cutAbove(side: Side, height: number, onLevel: ComparedLevel | undefined): void {
    for (let best = this.#bestHeight(side); best > height; best = this.#bestHeight(side)) {
      const before = this.sizeAt(side, best)
      this.setLevel(side, best, 0)
      onLevel?.(levelKey(side, best), 0, false, 0, before)
    }
  }

  /** Returns the height of the venue's best price of a side if no size was observed there; else -1. */
  unobservedBest(side: Side): number {
    const best = side === BID ? this.venueBid : this.venueAsk
    if (!this.#usesVenueBest || best === NO_PRICE) return -1
    const height = side === BID ? best : MICROS - best
    return this.sizeAt(side, height) === 0 ? height : -1
  }

  get #usesVenueBest(): boolean {
    return this.trust === 'observed' && !Number.isNaN(this.venueBid) && !Number.isNaN(this.venueAsk)
  }

  /** Returns the size in 1e-6 contracts at a height; 0 if the book has no level there. */
  sizeAt(side: Side, height: number): number {
    if (height % RUNG_MICROS === 0) return this.ladder.sizes[side * SIDE_CELLS + height / RUNG_MICROS] ?? 0
    return this.#fine?.[side].get(height) ?? 0
  }

  /** Returns every level of a side from the best down, as [height, size]. No size is 0. */
  levels(side: Side): [number, number][] {
    const levels: [number, number][] = [...(this.#fine?.[side] ?? [])]
    for (const cell of this.ladder.cells(side)) {
      levels.push([(cell - side * SIDE_CELLS) * RUNG_MICROS, this.ladder.sizes[cell]!])
    }
    return this.#fine === undefined ? levels : levels.sort((a, b) => b[0] - a[0])
  }

  /** Writes the levels of a side from the best down, prices in 1e-6 dollars, and returns how many there are. */
  readSide(side: Side, levels: SideLevels): number {
    const { prices, sizes } = levels
    if (this.#fine !== undefined) return this.#readFineSide(side, levels)
    const count = this.ladder.readSide(side, prices, sizes)
    if (side === BID) for (let i = 0; i < count; i++) prices[i] = prices[i]! * RUNG_MICROS
    else for (let i = 0; i < count; i++) prices[i] = MICROS - prices[i]! * RUNG_MICROS
    return count
  }

  #readFineSide(side: Side, levels: SideLevels): number {
    const all = this.levels(side)
    levels.reserve(all.length)
    all.forEach(([height, size], i) => {
      levels.prices[i] = side === BID ? height : MICROS - height
      levels.sizes[i] = size
    })
    return all.length
  }

  top(): Top {
    const top = { ...NO_TOP }
    this.readTop(top)
    return top
  }

  /** Writes the top of the book to `top`, prices in 1e-6 dollars. */
  readTop(top: Top): void {
    if (this.trust !== 'established' || this.#fine !== undefined) return this.#readUncommonTop(top)
    const { best, sizes } = this.ladder
    const bid = best[BID]!
    const ask = best[ASK]!
    top.bid = bid < 0 ? NO_PRICE : bid * RUNG_MICROS
    top.bidSize = bid < 0 ? 0 : sizes[bid]!
    top.ask = ask < 0 ? NO_PRICE : MICROS - (ask - SIDE_CELLS) * RUNG_MICROS
    top.askSize = ask < 0 ? 0 : sizes[ask]!
  }

  #readUncommonTop(top: Top): void {
    const usesVenueBest = this.#usesVenueBest
    const askHeight = this.#bestHeight(ASK)
    top.bid = usesVenueBest ? this.venueBid : this.#bestHeight(BID)
    top.ask = usesVenueBest ? this.venueAsk : askHeight < 0 ? NO_PRICE : MICROS - askHeight
    top.bidSize = top.bid < 0 ? 0 : this.sizeAt(BID, top.bid)
    top.askSize = top.ask < 0 ? 0 : this.sizeAt(ASK, MICROS - top.ask)
  }

  /** Returns the height of the best level of a side; -1 if the side is empty. */
  #bestHeight(side: Side): number {
    const cell = this.ladder.best[side]!
    let best = cell < 0 ? -1 : (cell - side * SIDE_CELLS) * RUNG_MICROS
    if (this.#fine !== undefined) for (const height of this.#fine[side].keys()) best = Math.max(best, height)
    return best
  }
}
