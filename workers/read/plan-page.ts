// Plans the blocks that a page of records may need, from heads alone. If only part of a block is in the range, the
// heads do not state how many of its records match. So the plan may have more blocks than the page needs.

import { blockPart, type PartRef } from '../../storage/block-store.ts'
import type { StoredDay } from '../../storage/catalogue.ts'
import { DataError } from '../../storage/failures.ts'
import type { BlockEntry } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import type { PageRequest, Position } from '../requests.ts'

/** A block of a page; the first `skip` matching records are skipped. */
export type PlannedBlock = {
  key: PartitionKey
  /** Revision of the partition. Positions contain this revision. */
  revision: number
  index: number
  entry: BlockEntry
  /** Index of the book; -1 for all books. */
  bookIndex: number
  bounds: PageBounds
}
type PageBounds = { skip: number; fromRecord: number; fromMs: number; toMs: number }

/** Plans an offset page of a date. `skip` records of the book are skipped first. */
export function planByOffset(request: PageRequest, days: StoredDay[], skip: number): PlannedBlock[] {
  const plan = new PagePlan(request)
  for (const day of days) plan.addDay(day, { skip, fromRecord: 0, fromMs: -Infinity, toMs: Infinity })
  return plan.blocks
}

/** Plans a cursor page of a range, from a position on. Throws DataError('cursor_stale'). */
export function planByTime(
  request: PageRequest,
  days: StoredDay[],
  range: { fromMs: number; toMs: number; after: Position | null },
): PlannedBlock[] {
  const { fromMs, toMs, after } = range
  if (after !== null) requireFresh(days, after)
  const plan = new PagePlan(request)
  for (const day of days) {
    if (after !== null && day.date < after.date) continue
    const fromRecord = after !== null && day.date === after.date ? after.record : 0
    plan.addDay(day, { skip: 0, fromRecord, fromMs, toMs })
  }
  return plan.blocks
}

export const partsOf = (planned: PlannedBlock[]): PartRef[] =>
  planned.map(({ key, entry }) => ({ key, ...blockPart(entry.id) }))

/** Checks that nothing before a position has changed since the position was issued. Also refuses a position that is
 *  newer than `days`: another node issued it, and this node has not received the change yet. Throws
 *  DataError('cursor_stale'). */
export function requireFresh(days: StoredDay[], { date, record, revision }: Position): void {
  const head = days.find((day) => day.date === date)?.head
  const isFresh =
    head !== undefined &&
    record <= head.recordCount &&
    revision <= head.revision &&
    head.edits.every(([edited, first]) => edited <= revision || first >= record)
  if (!isFresh) throw staleCursor()
}

export const staleCursor = (): DataError =>
  new DataError('cursor_stale', 'The data before this cursor has changed since it was given: start the range again')

class PagePlan {
  readonly blocks: PlannedBlock[] = []
  readonly #request: PageRequest
  /** Number of matching records that the planned blocks have for certain. */
  #certain = 0

  constructor(request: PageRequest) {
    this.#request = request
  }

  addDay({ date, head }: StoredDay, bounds: PageBounds): void {
    const { venue, market, book, limit } = this.#request
    const key = { venue, market, date }
    const bookIndex = book === null ? -1 : head.books.findIndex(({ id }) => id === book)
    if (book !== null && bookIndex < 0) return
    let { skip } = bounds
    // Plan one record more than the page holds: this record shows whether a next page exists.
    for (let index = 0; index < head.blocks.length && this.#certain <= limit; index++) {
      const entry = head.blocks[index]!
      if (entry.firstMs > bounds.toMs) break
      const matching = book === null ? entry.recordCount : (entry.bookRecords[bookIndex] ?? 0)
      if (entry.lastMs < bounds.fromMs || entry.firstRecord + entry.recordCount <= bounds.fromRecord) continue
      if (matching <= skip) {
        skip -= matching
        continue
      }
      const isWhole =
        entry.firstMs >= bounds.fromMs && entry.lastMs <= bounds.toMs && entry.firstRecord >= bounds.fromRecord
      if (isWhole) this.#certain += matching - skip
      this.blocks.push({ key, revision: head.revision, index, entry, bookIndex, bounds: { ...bounds, skip } })
      skip = 0
    }
  }
}
