// Sizes of one book over price and time: of each step of price and column of time the most that rested there, its mean
// or what rested there last. A step is touched where it changes; how it stood since then is added up at the next touch,
// so a change costs the same however fine the map is.

import { MICROS } from '../../storage/units.ts'

export const AGGREGATES = ['max', 'mean', 'last'] as const
export type Aggregate = (typeof AGGREGATES)[number]

export type MapShape = {
  /** Both ends inclusive. Columns begin at the first. */
  fromMs: number
  toMs: number
  resolutionMs: number
  /** In 1e-6 dollars. */
  stepMicros: number
  aggregate: Aggregate
}

export const columnsOf = ({ fromMs, toMs, resolutionMs }: Pick<MapShape, 'fromMs' | 'toMs' | 'resolutionMs'>): number =>
  Math.ceil((toMs + 1 - fromMs) / resolutionMs)
export const stepsOf = (stepMicros: number): number => Math.floor(MICROS / stepMicros) + 1

export class PriceSteps {
  readonly columns: number
  /** Of each step a size for each column: bids positive, asks negative; undefined where nothing rested. */
  readonly rows: (Float32Array | undefined)[]
  /** How long the book was known in each column. */
  readonly knownMs: Float64Array
  /** Whether the book is known now. */
  isKnown = false
  readonly #fromMs: number
  readonly #resolutionMs: number
  readonly #stepMicros: number
  readonly #isMax: boolean
  readonly #isMean: boolean
  #knownSinceMs = 0
  /** What rests at each step now, in 1e-6 contracts, and since when it was not added up. */
  readonly #bids: Float64Array
  readonly #asks: Float64Array
  readonly #sinceMs: Float64Array
  /** What was added up of one column. */
  readonly #column: Int32Array
  readonly #columnBids: Float64Array
  readonly #columnAsks: Float64Array

  constructor({ stepMicros, aggregate, ...time }: MapShape) {
    const count = stepsOf(stepMicros)
    this.columns = columnsOf(time)
    this.rows = new Array(count).fill(undefined)
    this.knownMs = new Float64Array(this.columns)
    this.#fromMs = time.fromMs
    this.#resolutionMs = time.resolutionMs
    this.#stepMicros = stepMicros
    this.#isMax = aggregate === 'max'
    this.#isMean = aggregate === 'mean'
    this.#bids = new Float64Array(count)
    this.#asks = new Float64Array(count)
    this.#sinceMs = new Float64Array(count)
    this.#column = new Int32Array(count).fill(-1)
    this.#columnBids = new Float64Array(count)
    this.#columnAsks = new Float64Array(count)
  }

  /** More or less rests at a price from a moment on. While the book is known, moments never step back. */
  change(price: number, isAsk: boolean, difference: number, timeMs: number): void {
    const step = Math.floor(price / this.#stepMicros)
    if (this.isKnown && this.#sinceMs[step]! < timeMs) this.#addUp(step, timeMs)
    if (isAsk) this.#asks[step]! += difference
    else this.#bids[step]! += difference
  }

  /** Nothing rests anywhere. The book must not be known. */
  clear(): void {
    this.#bids.fill(0)
    this.#asks.fill(0)
  }

  /** From now on the book is known. */
  resume(timeMs: number): void {
    this.#sinceMs.fill(timeMs)
    this.#knownSinceMs = timeMs
    this.isKnown = true
  }

  /** The book was known until now. */
  suspend(timeMs: number): void {
    if (!this.isKnown) return
    for (let step = 0; step < this.rows.length; step++) if (this.#sinceMs[step]! < timeMs) this.#addUp(step, timeMs)
    this.isKnown = false
    for (let fromMs = this.#knownSinceMs; fromMs < timeMs; ) {
      const column = this.#columnAt(fromMs)
      const endMs = Math.min(timeMs, this.#startOf(column + 1))
      this.knownMs[column]! += endMs - fromMs
      fromMs = endMs
    }
  }

  /** Nothing follows, and the book is not known any more. */
  finish(): void {
    for (let step = 0; step < this.rows.length; step++) this.#write(step)
  }

  #columnAt(timeMs: number): number {
    return Math.floor((timeMs - this.#fromMs) / this.#resolutionMs)
  }

  #startOf(column: number): number {
    return this.#fromMs + column * this.#resolutionMs
  }

  /** How a step stood up to a moment. */
  #addUp(step: number, toMs: number): void {
    const fromMs = this.#sinceMs[step]!
    this.#sinceMs[step] = toMs
    const first = this.#columnAt(fromMs)
    const endMs = this.#startOf(first + 1)
    if (toMs <= endMs) return this.#addTo(step, first, toMs - fromMs)
    this.#addTo(step, first, endMs - fromMs)
    const last = this.#columnAt(toMs - 1)
    const size = sizeOf(this.#bids[step]!, this.#asks[step]!, MICROS)
    if (size !== 0) this.#rowOf(step).fill(size, first + 1, last)
    if (last > first) this.#addTo(step, last, toMs - this.#startOf(last))
  }

  #addTo(step: number, column: number, ms: number): void {
    if (this.#column[step] !== column) {
      this.#write(step)
      this.#column[step] = column
      this.#columnBids[step] = 0
      this.#columnAsks[step] = 0
    }
    const bid = this.#bids[step]!
    const ask = this.#asks[step]!
    if (this.#isMax) {
      if (bid > this.#columnBids[step]!) this.#columnBids[step] = bid
      if (ask > this.#columnAsks[step]!) this.#columnAsks[step] = ask
    } else if (this.#isMean) {
      this.#columnBids[step]! += bid * ms
      this.#columnAsks[step]! += ask * ms
    } else {
      this.#columnBids[step] = bid
      this.#columnAsks[step] = ask
    }
  }

  /** What was added up of a column, which has passed. */
  #write(step: number): void {
    const column = this.#column[step]!
    if (column < 0) return
    const divisor = this.#isMean ? MICROS * this.#knownIn(column) : MICROS
    const size = sizeOf(this.#columnBids[step]!, this.#columnAsks[step]!, divisor)
    if (size !== 0) this.#rowOf(step)[column] = size
  }

  #knownIn(column: number): number {
    const sinceMs = Math.max(this.#knownSinceMs, this.#startOf(column))
    const openMs = this.isKnown ? Math.max(0, this.#startOf(column + 1) - sinceMs) : 0
    return this.knownMs[column]! + openMs
  }

  #rowOf(step: number): Float32Array {
    this.rows[step] ??= new Float32Array(this.columns)
    return this.rows[step]
  }
}

/** The larger of both, asks below 0. */
const sizeOf = (bid: number, ask: number, divisor: number): number => (bid >= ask ? bid / divisor : -ask / divisor)
