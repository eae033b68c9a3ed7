// One side of a book as a dense ladder: a size for every tick of 0.0001 between 0 and 1, and a bitmap of the levels that
// are not empty, so that the next best level is found by looking at a few words.
//
// Both sides keep their best level at the highest rung: a bid's rung is its price, an ask's is one dollar minus it. That
// is also how Kalshi says it, where an ask is a bid for NO.

import { MICROS } from '../../storage/units.ts'

/** Price units (1e-6 dollars) between two rungs. */
export const RUNG_MICROS = 100
export const RUNGS = MICROS / RUNG_MICROS + 1

export class BookSide {
  /** Size of each rung in 1e-6 contracts; 0 where it is empty. */
  readonly sizes = new Float64Array(RUNGS)
  /** The highest rung that is not empty; -1 where all are. */
  best = -1
  readonly #words = new Int32Array((RUNGS + 31) >>> 5)
  /** Levels between the rungs, by their distance from the far end in 1e-6 dollars. No venue has them so far. */
  #fine: Map<number, number> | undefined

  clear(): void {
    this.sizes.fill(0)
    this.#words.fill(0)
    this.best = -1
    this.#fine = undefined
  }

  /** Sets a rung; a size at or below 0 empties it. */
  set(rung: number, size: number): void {
    if (size > 0) {
      if (this.sizes[rung] === 0) this.#words[rung >>> 5]! |= 1 << (rung & 31)
      this.sizes[rung] = size
      if (rung > this.best) this.best = rung
    } else if (this.sizes[rung] !== 0) {
      this.sizes[rung] = 0
      this.#words[rung >>> 5]! &= ~(1 << (rung & 31))
      if (rung === this.best) this.best = this.#highestBelow(rung)
    }
  }

  add(rung: number, change: number): void {
    this.set(rung, this.sizes[rung]! + change)
  }

  /** As `set`, for a height between the rungs. */
  setFine(height: number, size: number): void {
    this.#fine ??= new Map()
    if (size > 0) this.#fine.set(height, size)
    else this.#fine.delete(height)
  }

  addFine(height: number, change: number): void {
    this.setFine(height, (this.#fine?.get(height) ?? 0) + change)
  }

  /** Sets a level at any height. */
  setLevel(height: number, size: number): void {
    if (height % RUNG_MICROS === 0) this.set(height / RUNG_MICROS, size)
    else this.setFine(height, size)
  }

  /** Height of the best level in 1e-6 dollars from the far end; -1 where the side is empty. */
  get bestHeight(): number {
    let best = this.best < 0 ? -1 : this.best * RUNG_MICROS
    if (this.#fine !== undefined) for (const height of this.#fine.keys()) if (height > best) best = height
    return best
  }

  /** Size at a height; 0 where there is none. */
  sizeAt(height: number): number {
    if (height % RUNG_MICROS === 0) return this.sizes[height / RUNG_MICROS] ?? 0
    return this.#fine?.get(height) ?? 0
  }

  /** Every level from the best down, as [height, size]. */
  levels(): [number, number][] {
    const levels: [number, number][] = [...(this.#fine ?? [])]
    for (let rung = this.best; rung >= 0; rung = this.#highestBelow(rung)) {
      levels.push([rung * RUNG_MICROS, this.sizes[rung]!])
    }
    return this.#fine === undefined ? levels : levels.sort((a, b) => b[0] - a[0])
  }

  #highestBelow(rung: number): number {
    let word = rung >>> 5
    let bits = this.#words[word]! & ((1 << (rung & 31)) - 1)
    while (bits === 0) {
      if (--word < 0) return -1
      bits = this.#words[word]!
    }
    return (word << 5) + 31 - Math.clz32(bits)
  }
}
