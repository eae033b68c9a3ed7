// One book as the rows of an archive build it, to see whether they agree with themselves. Prices are ticks of 0.0001.

const TICKS = 10_001

/** Levels that a snapshot tells, in ticks and in units of the archive. */
export type RowLevels = { ticks: ArrayLike<number>; sizes: ArrayLike<number> }

export class RowBook {
  /** By a snapshot. */
  isEstablished = false
  readonly #bids = new Float64Array(TICKS)
  readonly #asks = new Float64Array(TICKS)
  #bestBid = -1
  #bestAsk = TICKS

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
    this.#empty()
  }

  /** Ticks that are none are left out: no book has such a level. */
  change(side: 'bid' | 'ask', tick: number, size: number): void {
    if (!(tick >= 0 && tick < TICKS)) return
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
    const before = [this.#bids.slice(), this.#asks.slice()]
    this.#empty()
    for (const [side, { ticks, sizes }] of [
      ['bid', bids],
      ['ask', asks],
    ] as const) {
      for (let i = 0; i < ticks.length; i++) this.change(side, ticks[i]!, sizes[i]!)
    }
    this.isEstablished = true
    let differing = 0
    const after = [this.#bids, this.#asks]
    for (let i = 0; i < 2; i++) {
      for (let tick = 0; tick < TICKS; tick++) if (before[i]![tick] !== after[i]![tick]) differing++
    }
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

  #empty(): void {
    this.#bids.fill(0)
    this.#asks.fill(0)
    this.#bestBid = -1
    this.#bestAsk = TICKS
  }
}
