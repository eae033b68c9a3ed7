// Counts the levels in a block's snapshots and changes that are in no book: the price or the size is not a number or is
// finer than 1e-6, the price is out of range, or the side is unknown.

import type { BookColumns, ShapeBooks } from './book-columns.ts'
import { type LevelColumns, NO_LEVEL } from './level-columns.ts'

/** Adds the skipped levels of a block to `totals`, which is indexed by book number - 1. A block without such levels
 *  costs one look at each of its levels. */
export function addSkippedLevels(
  totals: readonly { levelsSkipped?: number }[],
  { recordCount, operations, books, shapes }: Pick<BookColumns, 'recordCount' | 'operations' | 'books' | 'shapes'>,
): void {
  const counts = shapes.map(skippedByRow)
  if (counts.every((rows) => rows === undefined)) return
  const rows = new Int32Array(shapes.length)
  for (let record = 0; record < recordCount; record++) {
    const shape = operations[record]! >>> 1
    const skipped = counts[shape]?.[rows[shape]!++] ?? 0
    const total = totals[books[record]! - 1]
    if (skipped > 0 && total !== undefined) total.levelsSkipped = (total.levelsSkipped ?? 0) + skipped
  }
}

/** Returns the skipped levels of each row; undefined if no row has any. */
function skippedByRow({ levels }: ShapeBooks): number[] | undefined {
  const lists = levels.filter(({ cells }) => cells.includes(NO_LEVEL)).map(skippedInList)
  return lists.length === 0 ? undefined : lists[0]!.map((_, row) => lists.reduce((sum, list) => sum + list[row]!, 0))
}

function skippedInList({ lengths, cells }: LevelColumns): number[] {
  let end = 0
  return Array.from(lengths ?? cells, (length) => {
    const first = end
    end += lengths === undefined ? 1 : length
    return cells.subarray(first, end).reduce((sum, cell) => sum + (cell === NO_LEVEL ? 1 : 0), 0)
  })
}
