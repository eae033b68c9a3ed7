// Applies the rows of a shape, one after the other, to their books.

import type { ShapeBooks } from './book-columns.ts'
import { ASK, BID, RUNG_MICROS, SIDE_CELLS } from './ladder.ts'
import { BETWEEN_ASKS, BETWEEN_BIDS, type LevelColumns } from './level-columns.ts'
import { type ComparedLevel, levelKey } from './level-key.ts'
import type { OrderBook } from './order-book.ts'

const NO_LEVELS: LevelColumns = {
  lengths: undefined,
  cells: new Int32Array(0),
  sizes: new Float64Array(0),
  heights: undefined,
}

/** Position of the next row of a shape in its columns. */
export class ShapeCursor {
  row = 0
  readonly isGap: boolean
  readonly isSnapshot: boolean
  readonly isOfBooks: boolean
  readonly isSigned: boolean
  /** Whether each row is exactly one change, as in a Kalshi delta. If so, no list elements are counted. */
  readonly isSingle: boolean
  readonly levels: LevelColumns
  readonly cells: Int32Array
  readonly sizes: Float64Array
  readonly #shape: ShapeBooks
  readonly #places = [0, 0]

  constructor(shape: ShapeBooks) {
    this.#shape = shape
    this.isGap = shape.kind === 'gap'
    this.isSnapshot = shape.kind === 'snapshot'
    this.isOfBooks = this.isGap || this.isSnapshot || shape.kind === 'delta'
    this.isSigned = shape.isSigned
    this.levels = shape.levels[0] ?? NO_LEVELS
    this.cells = this.levels.cells
    this.sizes = this.levels.sizes
    this.isSingle = shape.levels.length === 1 && this.levels.lengths === undefined && shape.best === undefined
  }

  skip(): void {
    const { levels } = this.#shape
    for (let side = 0; side < levels.length; side++) {
      const { lengths } = levels[side]!
      if (lengths !== undefined) this.#places[side]! += lengths[this.row]!
    }
    this.row++
  }

  /** Applies the next row. Returns why the row is impossible for a whole book; undefined if it is possible. */
  apply(book: OrderBook, onLevel?: ComparedLevel): Impossible | undefined {
    const shape = this.#shape
    let found: Impossible | undefined =
      shape.kind === 'delta' && shape.levels.length === 0 ? 'unreadable_change' : undefined
    for (let side = 0; side < shape.levels.length; side++) {
      const levels = shape.levels[side]!
      const start = levels.lengths === undefined ? this.row : this.#places[side]!
      const end = levels.lengths === undefined ? start + 1 : start + levels.lengths[this.row]!
      for (let i = start; i < end; i++) {
        const size =
          onLevel === undefined
            ? applyLevel(levels, i, shape.isSigned, book)
            : applyComparedLevel(levels, i, shape.isSigned, book, onLevel)
        found ??= impossibleIn(size, shape.isSigned)
      }
      this.#places[side] = end
      if (shape.kind === 'delta') noteVenueBest(shape, end - 1, end > start, book)
    }
    if (shape.best !== undefined) book.cutAtVenueBest(onLevel)
    this.row++
    return found
  }
}

/** Why a change is impossible: it takes more than its level has, or it cannot be applied. */
export type Impossible = 'below_zero' | 'unreadable_change'

/** Returns why a change is impossible; undefined if it is possible. `size` is the size that the level would have after
 *  the change; NaN if the change's level cannot be read. */
export const impossibleIn = (size: number, isSigned: boolean): Impossible | undefined =>
  Number.isNaN(size) ? 'unreadable_change' : isSigned && size < 0 ? 'below_zero' : undefined

/** Applies a change to its level. Returns the size that the level would have, which may be below 0; NaN if there is no
 *  level. */
export function applyLevel(levels: LevelColumns, i: number, isSigned: boolean, book: OrderBook): number {
  const cell = levels.cells[i]!
  const change = levels.sizes[i]!
  if (cell >= 0) {
    const { ladder } = book
    const size = isSigned ? ladder.sizes[cell]! + change : change
    ladder.set(cell, size)
    return size
  }
  if (cell !== BETWEEN_BIDS && cell !== BETWEEN_ASKS) return Number.NaN
  const side = cell === BETWEEN_BIDS ? BID : ASK
  const height = levels.heights![i]!
  const size = isSigned ? book.sizeAt(side, height) + change : change
  book.setLevel(side, height, size)
  return size
}

function applyComparedLevel(
  levels: LevelColumns,
  i: number,
  isSigned: boolean,
  book: OrderBook,
  onLevel: ComparedLevel,
): number {
  const cell = levels.cells[i]!
  const isBetween = cell === BETWEEN_BIDS || cell === BETWEEN_ASKS
  if (cell < 0 && !isBetween) return Number.NaN
  const side = cell === BETWEEN_ASKS || cell >= SIDE_CELLS ? ASK : BID
  const height = isBetween ? levels.heights![i]! : (cell - side * SIDE_CELLS) * RUNG_MICROS
  const before = book.sizeAt(side, height)
  const size = applyLevel(levels, i, isSigned, book)
  onLevel(levelKey(side, height), levels.sizes[i]!, isSigned, book.sizeAt(side, height), before)
  return size
}

function noteVenueBest({ best }: ShapeBooks, last: number, hasChanges: boolean, book: OrderBook): void {
  book.venueBid = best === undefined || !hasChanges ? Number.NaN : best.bids[last]!
  book.venueAsk = best === undefined || !hasChanges ? Number.NaN : best.asks[last]!
}
