// A binary market in which orders arrive, leave, move and trade around a fair price. The model does not depend on a
// venue: it returns fills, and changes of the two ladders at one instant. The book is never crossed or locked: best YES
// bid + best NO bid < 1.

import { BidLadder, DOLLAR_MILLI } from './bid-ladder.ts'
import type { Random } from './random.ts'

export type Outcome = 'yes' | 'no'
export type LevelChange = { side: Outcome; priceMilli: number; deltaCenti: number }
/** `side` is the side of the resting order; the taker wanted the other outcome. */
export type Fill = { side: Outcome; priceMilli: number; sizeCenti: number }
export type Activity = { changes: LevelChange[]; fills: Fill[] }

export type MarketShape = {
  tickMilli: number
  halfSpreadMilli: number
  levelsMin: number
  levelsMax: number
  /** Size of the smallest usual order, in 1e-2 contracts. */
  lotCenti: number
}

const OUTCOMES = ['yes', 'no'] as const
const OTHER = { yes: 'no', no: 'yes' } as const
const TRADE_SHARE = 0.03
const AMEND_SHARE = 0.25
const FILLS_MAX = 3
/** If a level has more than this many lots, orders leave it instead of arriving. */
const LEVEL_LOTS_MAX = 400

export class MarketModel {
  readonly yes = new BidLadder()
  readonly no = new BidLadder()
  tickMilli: number
  readonly #random: Random
  readonly #shape: MarketShape

  constructor(random: Random, shape: MarketShape, fairMilli: number) {
    this.#random = random
    this.#shape = shape
    this.tickMilli = shape.tickMilli
    for (const side of OUTCOMES) this.#fill(side, fairMilli)
  }

  /** Applies and returns the next activity; empty if nothing is left to do. */
  next(fairMilli: number): Activity {
    const random = this.#random
    const side = this.#random.pick(OUTCOMES)
    for (const late of [side, OTHER[side]]) {
      const top = this.#topMilli(late, fairMilli)
      const { bestMilli } = this[late]
      if (bestMilli > Math.max(top, 0)) return random.chance(0.2) ? this.#take(late) : this.#retreat(late, top)
      if (bestMilli < top && random.chance(0.5)) return one(this.#place(late, top))
    }
    return this.#anywhere(this.#topMilli(side, fairMilli) > 0 ? side : OTHER[side], fairMilli)
  }

  /** Withdraws orders from the top of the book, as at the close. */
  withdraw(countMax: number): Activity {
    const changes: LevelChange[] = []
    for (let index = 0; index < countMax; index++) {
      const side = this.#random.pick(OUTCOMES)
      const priceMilli = this[side].bestMilli
      if (priceMilli > 0) changes.push(this.#change(side, priceMilli, -this.#part(side, priceMilli)))
    }
    return { changes, fills: [] }
  }

  #anywhere(side: Outcome, fairMilli: number): Activity {
    const random = this.#random
    const ladder = this[side]
    const top = this.#topMilli(side, fairMilli)
    if (ladder.count > 1) {
      if (random.chance(TRADE_SHARE)) return this.#take(side)
      if (top > 0 && random.chance(AMEND_SHARE)) return this.#amend(side, top)
      const leaving = ladder.count > this.#shape.levelsMax ? 0.8 : ladder.count < this.#shape.levelsMin ? 0.3 : 0.48
      if (top <= 0 || random.chance(leaving)) return one(this.#cancel(side))
    }
    return top > 0 ? one(this.#place(side, this.#depthMilli(top))) : { changes: [], fills: [] }
  }

  /** Returns the highest bid that is at least half the spread below the fair price and does not cross the book. Returns
   *  0 or less if there is no such bid. */
  #topMilli(side: Outcome, fairMilli: number): number {
    const worth = side === 'yes' ? fairMilli : DOLLAR_MILLI - fairMilli
    const wanted = Math.floor((worth - this.#shape.halfSpreadMilli) / this.tickMilli) * this.tickMilli
    const free = DOLLAR_MILLI - this[OTHER[side]].bestMilli - this.tickMilli
    return Math.min(wanted, Math.floor(free / this.tickMilli) * this.tickMilli)
  }

  /** Returns a random price: most orders are close to the top, some at round prices far below it. */
  #depthMilli(topMilli: number): number {
    const random = this.#random
    const ticks = Math.floor(topMilli / this.tickMilli)
    const share = random.fraction()
    const near = Math.min(this.#shape.levelsMax / 2, ticks)
    if (random.chance(0.8)) return (ticks - Math.floor(near * share * share)) * this.tickMilli
    const far = (1 + Math.floor(ticks * share)) * this.tickMilli
    return Math.min(Math.ceil(far / 10) * 10, ticks * this.tickMilli)
  }

  #fill(side: Outcome, fairMilli: number): void {
    const top = this.#topMilli(side, fairMilli)
    const wanted = (this.#shape.levelsMin + this.#shape.levelsMax) / 2
    for (let order = 0; order < 4 * wanted && this[side].count < wanted && top > 0; order++) {
      this.#place(side, order === 0 ? top : this.#depthMilli(top))
    }
  }

  #place(side: Outcome, priceMilli: number): LevelChange {
    const size = this[side].sizeCenti(priceMilli)
    if (size > LEVEL_LOTS_MAX * this.#shape.lotCenti) return this.#change(side, priceMilli, -Math.floor(size / 2))
    return this.#change(side, priceMilli, this.#orderCenti())
  }

  #cancel(side: Outcome): LevelChange {
    const ladder = this[side]
    const share = this.#random.fraction()
    const crowded = ladder.count > this.#shape.levelsMax
    const priceMilli = ladder.atRank(Math.floor(ladder.count * (crowded ? share : share * share)))
    const size = ladder.sizeCenti(priceMilli)
    const all = crowded || (ladder.count > this.#shape.levelsMin && this.#random.chance(0.3))
    return this.#change(side, priceMilli, -(all ? size : this.#part(side, priceMilli)))
  }

  #amend(side: Outcome, topMilli: number): Activity {
    const ladder = this[side]
    const share = this.#random.fraction()
    const from = ladder.atRank(Math.floor(ladder.count * share * share))
    const to = Math.min(Math.max(from + this.#random.between(-2, 2) * this.tickMilli, this.tickMilli), topMilli)
    const partCenti = this.#part(side, from)
    if (to === from) return one(this.#change(side, from, -partCenti))
    return both(this.#change(side, from, -partCenti), this.#change(side, to, partCenti))
  }

  /** Moves bids after the fair price has passed them: they leave, and some return at a lower price. */
  #retreat(side: Outcome, topMilli: number): Activity {
    const ladder = this[side]
    const countMax = this.#random.chance(0.3) ? this.#random.between(2, 5) : 1
    const changes: LevelChange[] = []
    for (let count = 0; count < countMax && ladder.bestMilli > topMilli && ladder.bestMilli > 0; count++) {
      const size = ladder.sizeCenti(ladder.bestMilli)
      changes.push(this.#change(side, ladder.bestMilli, -size))
      if (topMilli > 0 && this.#random.chance(0.5)) changes.push(this.#change(side, this.#depthMilli(topMilli), size))
    }
    return { changes, fills: [] }
  }

  /** Fills a taker with the best bids. The last level is never consumed completely. */
  #take(side: Outcome): Activity {
    const ladder = this[side]
    const changes: LevelChange[] = []
    const fills: Fill[] = []
    let wanted = this.#orderCenti()
    while (wanted > 0 && fills.length < FILLS_MAX) {
      const priceMilli = ladder.bestMilli
      const size = ladder.sizeCenti(priceMilli)
      const whole = Math.min(wanted, ladder.count > 1 ? size : Math.floor(size / 2))
      if (whole === 0) break
      const sizeCenti = this.#random.chance(0.2) ? Math.ceil(whole / 2) : whole
      changes.push(this.#change(side, priceMilli, -sizeCenti))
      fills.push({ side, priceMilli, sizeCenti })
      wanted -= sizeCenti
    }
    return { changes, fills }
  }

  #change(side: Outcome, priceMilli: number, deltaCenti: number): LevelChange {
    this[side].add(priceMilli, deltaCenti)
    return { side, priceMilli, deltaCenti }
  }

  /** Returns an order size: mostly whole lots, sometimes many of them, sometimes an odd fraction. */
  #orderCenti(): number {
    const random = this.#random
    const { lotCenti } = this.#shape
    if (random.chance(0.2)) return 1 + random.below(20 * lotCenti)
    const lots = random.chance(0.05)
      ? 50 * random.between(1, 8)
      : random.pick([1, 2, 3, 5, 10, 20]) * random.between(1, 4)
    return lots * lotCenti
  }

  /** Returns the size of a random order, but at most the size of the level. */
  #part(side: Outcome, priceMilli: number): number {
    return Math.min(this.#orderCenti(), this[side].sizeCenti(priceMilli))
  }
}

const one = (change: LevelChange): Activity => ({ changes: [change], fills: [] })
const both = (first: LevelChange, second: LevelChange): Activity => ({ changes: [first, second], fills: [] })
