// Orders the rows of one market in a Kalshi archive. Deltas have the venue's time, snapshots have none. Within a batch
// of rows with one receipt time, a snapshot is placed where it equals the book.

/** Access to the values of rows by row number, in file order. */
export type BatchOrderRows = {
  count: number
  receivedOf(row: number): number
  /** NaN for a snapshot. */
  venueUsOf(row: number): number
  isSnapshot(row: number): boolean
  /** Identifies the level that a delta changes; `sizeOf` returns the change of its size. */
  levelOf(row: number): string
  sizeOf(row: number): number
  /** Returns the levels of a snapshot. */
  levelsOf(row: number): Map<string, number>
}

/**
 * Sorts rows by receipt time. Rows with the same receipt time are a batch. Within a batch, sorts the deltas by the
 * venue's time; deltas with equal times keep file order. Then puts each snapshot at the first place where it equals the
 * book that the deltas have built. If there is no such place, or that book is unknown, the snapshot follows the deltas
 * that precede it in the file. The book continues from the snapshot. `before` is the book before the rows, undefined if
 * unknown; the returned `book` is the book after them.
 */
export function orderOf(
  rows: BatchOrderRows,
  before: Map<string, number> | undefined,
): { order: number[]; book: Map<string, number> | undefined } {
  const all = Array.from({ length: rows.count }, (_, row) => row)
  all.sort((one, other) => rows.receivedOf(one) - rows.receivedOf(other) || one - other)
  const ordered: number[] = []
  let book = before
  for (let from = 0; from < all.length; ) {
    let to = from + 1
    while (to < all.length && rows.receivedOf(all[to]!) === rows.receivedOf(all[from]!)) to++
    book = orderBatch(rows, all.slice(from, to), book, ordered)
    from = to
  }
  return { order: ordered, book }
}

/** Orders a batch as `orderOf` describes, and appends it to the list `to`. Returns the book after the batch. */
function orderBatch(
  rows: BatchOrderRows,
  batch: readonly number[],
  before: Map<string, number> | undefined,
  to: number[],
) {
  const deltas = batch.filter((row) => !rows.isSnapshot(row))
  deltas.sort((one, other) => rows.venueUsOf(one) - rows.venueUsOf(other) || one - other)
  let book = before
  let at = 0
  const apply = (end: number) => {
    for (; at < end; at++) {
      to.push(deltas[at]!)
      if (book !== undefined) add(book, rows.levelOf(deltas[at]!), rows.sizeOf(deltas[at]!))
    }
  }
  const snapshots = batch.filter((row) => rows.isSnapshot(row))
  while (snapshots.length > 0) {
    const known = book
    const places = snapshots.map((row) => (known ? placeOf(rows, deltas, at, known, rows.levelsOf(row)) : Number.NaN))
    const first = Math.min(...places.filter((place) => !Number.isNaN(place)))
    const [snapshot] = snapshots.splice(Math.max(0, places.indexOf(first)), 1)
    const inFile = 1 + deltas.findLastIndex((delta) => delta < snapshot!)
    apply(Number.isFinite(first) ? first : Math.max(at, inFile))
    to.push(snapshot!)
    book = new Map(rows.levelsOf(snapshot!))
  }
  apply(deltas.length)
  return book
}

/** Returns the number of deltas after which the book equals the snapshot; NaN if it never does. */
function placeOf(
  rows: BatchOrderRows,
  deltas: readonly number[],
  from: number,
  before: ReadonlyMap<string, number>,
  levels: ReadonlyMap<string, number>,
): number {
  const book = new Map(before)
  let differing = 0
  for (const level of new Set([...book.keys(), ...levels.keys()])) {
    if ((book.get(level) ?? 0) !== (levels.get(level) ?? 0)) differing++
  }
  for (let at = from; ; at++) {
    if (differing === 0) return at
    if (at === deltas.length) return Number.NaN
    const level = rows.levelOf(deltas[at]!)
    const expected = levels.get(level) ?? 0
    if ((book.get(level) ?? 0) !== expected) differing--
    add(book, level, rows.sizeOf(deltas[at]!))
    if ((book.get(level) ?? 0) !== expected) differing++
  }
}

function add(book: Map<string, number>, level: string, size: number): void {
  const after = (book.get(level) ?? 0) + size
  if (after > 0) book.set(level, after)
  else book.delete(level)
}
