// One book as the rows of an archive build it, to see whether they agree with themselves. Prices are ticks of 0.0001.

const TICKS = 10_001

/** Levels that a snapshot tells, in ticks and in units of the archive. */
export type RowLevels = { ticks: ArrayLike<number>; sizes: ArrayLike<number> }

export class RowBook {
  /** By a snapshot. */
  isEstablished = false
  #bids = new Float64Array(TICKS)
  #asks = new Float64Array(TICKS)
  #bestBid = -1
  #bestAsk = TICKS
  /** Between these any level may be. */
  #least = TICKS
  #greatest = -1
  /** Empty, for the next snapshot. */
  #spareBids = new Float64Array(TICKS)
  #spareAsks = new Float64Array(TICKS)

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
    this.#forgetBest()
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

  /** Adds a signed size; a level at or below zero is none. */
  add(side: 'bid' | 'ask', tick: number, size: number): void {
    const levels = side === 'bid' ? this.#bids : this.#asks
    this.change(side, tick, Math.max(0, (levels[tick] ?? 0) + size))
  }

  /** Becomes the snapshot. Returns how many levels were otherwise. */
  replace(bids: RowLevels, asks: RowLevels): number {
    const before = [this.#bids, this.#asks] as const
    const [from, to] = [this.#least, this.#greatest]
    this.#bids = this.#spareBids
    this.#asks = this.#spareAsks
    this.#forgetBest()
    for (let i = 0; i < bids.ticks.length; i++) this.change('bid', bids.ticks[i]!, bids.sizes[i]!)
    for (let i = 0; i < asks.ticks.length; i++) this.change('ask', asks.ticks[i]!, asks.sizes[i]!)
    this.isEstablished = true
    let differing = 0
    for (let tick = Math.min(from, this.#least); tick <= Math.max(to, this.#greatest); tick++) {
      if (before[0][tick] !== this.#bids[tick]) differing++
      if (before[1][tick] !== this.#asks[tick]) differing++
    }
    for (const levels of before) levels.fill(0, from, to + 1)
    ;[this.#spareBids, this.#spareAsks] = before
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

  #forgetBest(): void {
    this.#bestBid = -1
    this.#bestAsk = TICKS
    this.#least = TICKS
    this.#greatest = -1
  }
}
