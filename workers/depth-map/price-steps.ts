// Collects the sizes of one book by price step and column of time: the largest size, the mean, or the last one. Updates
// a step only when its size changes, and then accounts for the whole time since its last update. So a change costs the
// same however fine the map is.

import { MICROS } from '../../storage/units.ts'
import { ExactSums } from '../bytes/exact-sums.ts'

export const AGGREGATES = ['max', 'mean', 'last'] as const
export type Aggregate = (typeof AGGREGATES)[number]

export type MapShape = {
  /** Both ends are inclusive. Columns begin at `fromMs`. */
  fromMs: number
  toMs: number
  resolutionMs: number
  /** Height of a price step, in 1e-6 dollars. */
  stepMicros: number
  aggregate: Aggregate
  /** Whether sizes are rounded to 32 bits, which halves the memory. */
  isRounded: boolean
}

export const columnsOf = ({ fromMs, toMs, resolutionMs }: Pick<MapShape, 'fromMs' | 'toMs' | 'resolutionMs'>): number =>
  Math.ceil((toMs + 1 - fromMs) / resolutionMs)
export const stepsOf = (stepMicros: number): number => Math.floor(MICROS / stepMicros) + 1

/** Size in each column: positive for bids, negative for asks. In 32-bit floats if `isRounded`, otherwise in doubles. */
export type Sizes = Float32Array | Float64Array

export class PriceSteps {
  readonly columns: number
  /** Sizes at each price step; undefined if nothing rested there. */
  readonly rows: (Sizes | undefined)[]
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
  /** For each step: the size that rests there now, in 1e-6 contracts, and the time up to which this size has been added
   *  up. */
  readonly #bids: Float64Array
  readonly #asks: Float64Array
  readonly #sinceMs: Float64Array
  /** For each step: the column that is being added up, and the values of this column. */
  readonly #column: Int32Array
  readonly #columnEndMs: Float64Array
  readonly #columnBids: Float64Array
  readonly #columnAsks: Float64Array
  /** For a mean: sums of sizes times ms. */
  readonly #meanBids: ExactSums
  readonly #meanAsks: ExactSums
  readonly #Sizes: typeof Float32Array | typeof Float64Array

  constructor({ stepMicros, aggregate, isRounded, ...time }: MapShape) {
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
    this.#columnEndMs = new Float64Array(count).fill(Number.NEGATIVE_INFINITY)
    this.#columnBids = new Float64Array(count)
    this.#columnAsks = new Float64Array(count)
    this.#meanBids = new ExactSums(this.#isMean ? count : 0)
    this.#meanAsks = new ExactSums(this.#isMean ? count : 0)
    this.#Sizes = isRounded ? Float32Array : Float64Array
  }

  /** Changes the size at a price from an instant on. While the book is known, instants must not step back. */
  change(price: number, isAsk: boolean, difference: number, timeMs: number): void {
    const step = Math.floor(price / this.#stepMicros)
    const sinceMs = this.#sinceMs[step]!
    if (this.isKnown && sinceMs < timeMs) {
      if (timeMs > this.#columnEndMs[step]!) this.#addUp(step, timeMs)
      else {
        this.#sinceMs[step] = timeMs
        this.#add(step, timeMs - sinceMs)
      }
    }
    if (isAsk) this.#asks[step]! += difference
    else this.#bids[step]! += difference
  }

  /** Removes all sizes. The book must not be known. */
  clear(): void {
    this.#bids.fill(0)
    this.#asks.fill(0)
  }

  /** Notes that the book is known from an instant on. */
  resume(timeMs: number): void {
    this.#sinceMs.fill(timeMs)
    this.#knownSinceMs = timeMs
    this.isKnown = true
  }

  /** Notes that the book is unknown from an instant on. Has no effect if it is unknown already. */
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

  /** Ends the map. The book must not be known any more. */
  finish(): void {
    for (let step = 0; step < this.rows.length; step++) this.#write(step)
  }

  #columnAt(timeMs: number): number {
    return Math.floor((timeMs - this.#fromMs) / this.#resolutionMs)
  }

  #startOf(column: number): number {
    return this.#fromMs + column * this.#resolutionMs
  }

  /** Adds the size of a step up to an instant. */
  #addUp(step: number, toMs: number): void {
    const fromMs = this.#sinceMs[step]!
    this.#sinceMs[step] = toMs
    const first = this.#columnAt(fromMs)
    const endMs = this.#startOf(first + 1)
    if (toMs <= endMs) return this.#addTo(step, first, toMs - fromMs)
    this.#addTo(step, first, endMs - fromMs)
    const last = this.#columnAt(toMs - 1)
    const size = sizeOf(this.#bids[step]!, this.#asks[step]!)
    if (size !== 0) this.#rowOf(step).fill(size, first + 1, last)
    if (last > first) this.#addTo(step, last, toMs - this.#startOf(last))
  }

  #addTo(step: number, column: number, ms: number): void {
    if (this.#column[step] !== column) {
      this.#write(step)
      this.#column[step] = column
      this.#columnEndMs[step] = this.#startOf(column + 1)
      this.#columnBids[step] = 0
      this.#columnAsks[step] = 0
      if (this.#isMean) this.#clearMean(step)
    }
    this.#add(step, ms)
  }

  /** Adds the sizes of a step, which rested for `ms` milliseconds, to the step's current column. */
  #add(step: number, ms: number): void {
    const bid = this.#bids[step]!
    const ask = this.#asks[step]!
    if (this.#isMax) {
      if (bid > this.#columnBids[step]!) this.#columnBids[step] = bid
      if (ask > this.#columnAsks[step]!) this.#columnAsks[step] = ask
    } else if (this.#isMean) {
      this.#meanBids.addProduct(step, bid, ms)
      this.#meanAsks.addProduct(step, ask, ms)
    } else {
      this.#columnBids[step] = bid
      this.#columnAsks[step] = ask
    }
  }

  /** Writes a finished column. */
  #write(step: number): void {
    const column = this.#column[step]!
    if (column < 0) return
    const size = this.#isMean ? this.#meanOf(step, column) : sizeOf(this.#columnBids[step]!, this.#columnAsks[step]!)
    if (size !== 0) this.#rowOf(step)[column] = size
  }

  #meanOf(step: number, column: number): number {
    const divisor = MICROS * this.#knownIn(column)
    const isBid = this.#meanBids.isAtLeast(step, this.#meanAsks)
    return isBid ? this.#meanBids.over(step, divisor) : -this.#meanAsks.over(step, divisor)
  }

  #clearMean(step: number): void {
    this.#meanBids.clear(step)
    this.#meanAsks.clear(step)
  }

  #knownIn(column: number): number {
    const sinceMs = Math.max(this.#knownSinceMs, this.#startOf(column))
    const openMs = this.isKnown ? Math.max(0, this.#startOf(column + 1) - sinceMs) : 0
    return this.knownMs[column]! + openMs
  }

  #rowOf(step: number): Sizes {
    this.rows[step] ??= new this.#Sizes(this.columns)
    return this.rows[step]
  }
}

/** Returns the larger side in contracts; asks are negative. */
const sizeOf = (bid: number, ask: number): number => (bid >= ask ? bid / MICROS : -ask / MICROS)
