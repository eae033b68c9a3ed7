// One book as the rows of an archive build it, to see whether they agree with themselves. Prices are ticks of 0.0001.

const TICKS = 10_001
/** Of the book that a snapshot replaces, while it does: all zero otherwise. */
const BIDS_BEFORE = new Float64Array(TICKS)
const ASKS_BEFORE = new Float64Array(TICKS)

/** Levels that a snapshot tells, in ticks and in units of the archive. */
export type RowLevels = { ticks: ArrayLike<number>; sizes: ArrayLike<number> }

export class RowBook {
  /** By a snapshot. */
  isEstablished = false
  readonly #bids = new Float64Array(TICKS)
  readonly #asks = new Float64Array(TICKS)
  #bestBid = -1
  #bestAsk = TICKS
  /** Between these any level may be. */
  #least = TICKS
  #greatest = -1

  /** Tick of the best bid; -1 for none. */
  get bestBid(): number {
    return this.#bestBid
  }

  /** Tick of the best ask; 10,001 for none. */
  get bestAsk(): number {
    return this.#bestAsk
  }

  clear(): void {
    this.isEstablished = false
    this.#bids.fill(0, this.#least, this.#greatest + 1)
    this.#asks.fill(0, this.#least, this.#greatest + 1)
    this.#bestBid = -1
    this.#bestAsk = TICKS
    this.#least = TICKS
    this.#greatest = -1
  }

  /** Ticks that are none are left out: no book has such a level. */
  change(side: 'bid' | 'ask', tick: number, size: number): void {
    if (!(tick >= 0 && tick < TICKS && Number.isInteger(tick))) return
    if (tick < this.#least) this.#least = tick
    if (tick > this.#greatest) this.#greatest = tick
    if (side === 'bid') {
      this.#bids[tick] = size
      if (size > 0 && tick > this.#bestBid) this.#bestBid = tick
      while (this.#bestBid >= 0 && !(this.#bids[this.#bestBid]! > 0)) this.#bestBid--
    } else {
      this.#asks[tick] = size
      if (size > 0 && tick < this.#bestAsk) this.#bestAsk = tick
      while (this.#bestAsk < TICKS && !(this.#asks[this.#bestAsk]! > 0)) this.#bestAsk++
    }
  }

  /** 0 for none. */
  sizeAt(side: 'bid' | 'ask', tick: number): number {
    return (side === 'bid' ? this.#bids : this.#asks)[tick] ?? 0
  }

  /** Adds a signed size; a level at or below zero is none. */
  add(side: 'bid' | 'ask', tick: number, size: number): void {
    const levels = side === 'bid' ? this.#bids : this.#asks
    this.change(side, tick, Math.max(0, (levels[tick] ?? 0) + size))
  }

  /** Becomes the snapshot. Returns how many levels were otherwise. */
  replace(bids: RowLevels, asks: RowLevels): number {
    const [from, to] = [this.#least, this.#greatest]
    if (to >= from) {
      BIDS_BEFORE.set(this.#bids.subarray(from, to + 1), from)
      ASKS_BEFORE.set(this.#asks.subarray(from, to + 1), from)
    }
    this.clear()
    for (let i = 0; i < bids.ticks.length; i++) this.change('bid', bids.ticks[i]!, bids.sizes[i]!)
    for (let i = 0; i < asks.ticks.length; i++) this.change('ask', asks.ticks[i]!, asks.sizes[i]!)
    this.isEstablished = true
    let differing = 0
    for (let tick = Math.min(from, this.#least); tick <= Math.max(to, this.#greatest); tick++) {
      if (BIDS_BEFORE[tick] !== this.#bids[tick]) differing++
      if (ASKS_BEFORE[tick] !== this.#asks[tick]) differing++
    }
    BIDS_BEFORE.fill(0, from, to + 1)
    ASKS_BEFORE.fill(0, from, to + 1)
    return differing
  }

  /** Bids above `bestBid` and asks below `bestAsk`, removed: `removed` is told of each. */
  clip(bestBid: number, bestAsk: number, removed: (side: 'bid' | 'ask', tick: number) => void): void {
    for (let tick = this.#bestBid; tick > bestBid; tick = this.#bestBid) {
      removed('bid', tick)
      this.change('bid', tick, 0)
    }
    for (let tick = this.#bestAsk; tick < bestAsk; tick = this.#bestAsk) {
      removed('ask', tick)
      this.change('ask', tick, 0)
    }
  }
}
