// Both sides of a book as dense ladders: a size for every tick of 0.0001 between 0 and 1, and a bitmap of the levels
// that are not empty. A look at a few words of the bitmap finds the next best level.
//
// The best level of each side is its highest rung: a bid's rung is its price, an ask's is one dollar minus its price.
// Kalshi does the same: there an ask is a bid for NO. A cell is a rung of one of the sides, so the same few steps
// change either side:
//
//   cells   0 ─── bids ─── 10,000 …… 10,240 ─── asks ─── 20,240

import { MICROS } from '../../storage/units.ts'

/** Price units (1e-6 dollars) between two rungs. */
export const RUNG_MICROS = 100
export const RUNGS = MICROS / RUNG_MICROS + 1

export type Side = 0 | 1
export const BID: Side = 0
export const ASK: Side = 1

/** Distance between a bid cell and the ask cell of the same rung; a whole number of bitmap words. */
export const SIDE_CELLS = 10_240
const SIDE_WORDS = SIDE_CELLS >>> 5

export class Ladder {
  /** Size of each cell in 1e-6 contracts; 0 for an empty cell. */
  readonly sizes = new Float64Array(2 * SIDE_CELLS)
  /** The highest filled cell of each side; -1 if the side is empty. */
  readonly best = new Int32Array([-1, -1])
  readonly #words = new Int32Array(2 * SIDE_WORDS)

  /** Empties all cells. Touches only the filled cells: a book has a few dozen, and every snapshot clears its book. */
  clear(): void {
    for (const side of [BID, ASK] as const) {
      for (let word = this.best[side]! >> 5; word >= side * SIDE_WORDS; word--) this.#clearWord(word)
      this.best[side] = -1
    }
  }

  #clearWord(word: number): void {
    for (let bits = this.#words[word]!; bits !== 0; bits &= bits - 1) {
      this.sizes[(word << 5) + 31 - Math.clz32(bits & -bits)] = 0
    }
    this.#words[word] = 0
  }

  /** Sets a cell; a size at or below 0 empties it. */
  set(cell: number, size: number): void {
    const { sizes, best } = this
    // The processor cannot predict whether a level is added, changed or removed: it would mispredict a branch half of
    // the time. So arithmetic replaces branches where possible. Adding 0 turns -0 into the 0 of an empty cell.
    const isFilled = +(size > 0)
    const side = +(cell >= SIDE_CELLS)
    const word = cell >>> 5
    const bit = cell & 31
    sizes[cell] = isFilled * size + 0
    this.#words[word] = (this.#words[word]! & ~(1 << bit)) | (isFilled << bit)
    if (cell < best[side]!) return
    if (isFilled === 1) best[side] = cell
    else if (cell === best[side]) best[side] = this.#highestBelow(cell, side)
  }

  /** Yields the filled cells of a side from the best down. */
  *cells(side: Side): Generator<number> {
    for (let cell = this.best[side]!; cell >= 0; cell = this.#highestBelow(cell, side)) yield cell
  }

  /** Writes the filled rungs of a side from the best down, and their sizes. Returns how many there are: at most
   *  RUNGS. */
  readSide(side: Side, rungs: Int32Array, sizes: Float64Array): number {
    const first = side * SIDE_CELLS
    const all = this.sizes
    let count = 0
    for (let word = this.best[side]! >> 5; word >= side * SIDE_WORDS; word--) {
      for (let bits = this.#words[word]!; bits !== 0; ) {
        const bit = 31 - Math.clz32(bits)
        const cell = (word << 5) + bit
        rungs[count] = cell - first
        sizes[count++] = all[cell]!
        bits &= ~(1 << bit)
      }
    }
    return count
  }

  #highestBelow(cell: number, side: number): number {
    const lowest = side * SIDE_WORDS
    let word = cell >>> 5
    let bits = this.#words[word]! & ((1 << (cell & 31)) - 1)
    while (bits === 0) {
      if (--word < lowest) return -1
      bits = this.#words[word]!
    }
    return (word << 5) + 31 - Math.clz32(bits)
  }
}
