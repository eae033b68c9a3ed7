// Which records a page holds: found from heads where they are enough, else from the times and books of single blocks.

import type { BlockStore } from '../../storage/block-store.ts'
import { readingOf } from '../../storage/damage.ts'
import { DataError } from '../../storage/failures.ts'
import { BLOCK_RECORDS_MAX, type Block, decodeBlock, unpackInts } from '../../storage/format/block.ts'
import type { BlockEntry, PartitionHead } from '../../storage/format/partition-head.ts'
import type { PageRequest, Position } from '../requests.ts'

export type StoredDay = { date: string; head: PartitionHead }

/** Records of one block, ascending. */
export type BlockSelection = { block: Block; records: Int32Array }

export type PageSelection = {
  blocks: BlockSelection[]
  count: number
  hasMore: boolean
  /** Directly after the last record of the page; null where the page is empty. */
  after: Position | null
}

/** Offset pages of a date. `skip` records of the book are passed over first. */
export function selectByOffset(
  store: BlockStore,
  request: PageRequest,
  day: StoredDay | undefined,
  skip: number,
): PageSelection {
  const collector = new PageCollector(store, request)
  if (day !== undefined) collector.addDay(day, { skip, fromRecord: 0, fromMs: -Infinity, toMs: Infinity })
  return collector.finish()
}

/** Cursor pages of a range, from a position on. Throws DataError('cursor_stale'). */
export function selectByTime(
  store: BlockStore,
  request: PageRequest,
  days: StoredDay[],
  range: { fromMs: number; toMs: number; after: Position | null },
): PageSelection {
  const { fromMs, toMs, after } = range
  if (after !== null) requireFresh(days, after)
  const collector = new PageCollector(store, request)
  for (const day of days) {
    if (after !== null && day.date < after.date) continue
    const fromRecord = after !== null && day.date === after.date ? after.record : 0
    collector.addDay(day, { skip: 0, fromRecord, fromMs, toMs })
    if (collector.isFull) break
  }
  return collector.finish()
}

/** A position is exact as long as nothing before it has changed since. */
function requireFresh(days: StoredDay[], { date, record, revision }: Position): void {
  const head = days.find((day) => day.date === date)?.head
  const isFresh =
    head !== undefined &&
    record <= head.recordCount &&
    head.edits.every(([edited, first]) => edited <= revision || first >= record)
  if (isFresh) return
  throw new DataError(
    'cursor_stale',
    'The data before this cursor has changed since it was given: start the range again',
  )
}

type DayBounds = { skip: number; fromRecord: number; fromMs: number; toMs: number }

class PageCollector {
  readonly #store: BlockStore
  readonly #request: PageRequest
  readonly #blocks: BlockSelection[] = []
  #count = 0
  #hasMore = false
  #after: Position | null = null

  constructor(store: BlockStore, request: PageRequest) {
    this.#store = store
    this.#request = request
  }

  get isFull(): boolean {
    return this.#hasMore
  }

  addDay(day: StoredDay, bounds: DayBounds): void {
    const { book } = this.#request
    const bookIndex = book === null ? -1 : day.head.books.findIndex(({ id }) => id === book)
    if (book !== null && bookIndex < 0) return
    let { skip } = bounds
    for (let index = 0; index < day.head.blocks.length && !this.#hasMore; index++) {
      const entry = day.head.blocks[index]!
      if (entry.firstMs > bounds.toMs) break
      const matching = book === null ? entry.recordCount : (entry.bookRecords[bookIndex] ?? 0)
      if (entry.lastMs < bounds.fromMs || entry.firstRecord + entry.recordCount <= bounds.fromRecord) continue
      if (matching <= skip) {
        skip -= matching
        continue
      }
      this.#addBlock(day, index, entry, bookIndex, { ...bounds, skip })
      skip = 0
    }
  }

  finish(): PageSelection {
    return { blocks: this.#blocks, count: this.#count, hasMore: this.#hasMore, after: this.#after }
  }

  #addBlock(day: StoredDay, index: number, entry: BlockEntry, bookIndex: number, bounds: DayBounds): void {
    const { venue, market, limit } = this.#request
    const key = { venue, market, date: day.date }
    const block = readingOf(key, `block ${index}`, () => decodeBlock(this.#store.block(key, index)))
    const records = matchingRecords(block, entry, bookIndex, bounds)
    const room = limit - this.#count
    if (records.length > room) this.#hasMore = true
    const taken = records.subarray(0, room)
    if (taken.length === 0) return
    this.#blocks.push({ block, records: taken })
    this.#count += taken.length
    this.#after = { date: day.date, record: entry.firstRecord + taken.at(-1)! + 1, revision: day.head.revision }
  }
}

/** Runs of records are parts of this: a page of 100,000 would hold 400 KB of them otherwise. */
const ALL_RECORDS = Int32Array.from({ length: BLOCK_RECORDS_MAX }, (_, record) => record)

function matchingRecords(block: Block, entry: BlockEntry, bookIndex: number, bounds: DayBounds): Int32Array {
  const { recordCount } = block
  const isWhole = entry.firstMs >= bounds.fromMs && entry.lastMs <= bounds.toMs
  const times = isWhole ? undefined : unpackInts(block.timesMs, recordCount)
  const books = bookIndex < 0 ? undefined : unpackInts(block.bookIndexes, recordCount)
  const first = Math.max(0, bounds.fromRecord - entry.firstRecord)
  let { skip } = bounds
  if (times === undefined && books === undefined && recordCount <= BLOCK_RECORDS_MAX) {
    return ALL_RECORDS.subarray(Math.min(first + skip, recordCount), recordCount)
  }
  const records = new Int32Array(recordCount)
  let count = 0
  for (let record = first; record < recordCount; record++) {
    if (times !== undefined && (times[record]! < bounds.fromMs || times[record]! > bounds.toMs)) continue
    if (books !== undefined && books[record] !== bookIndex + 1) continue
    if (skip > 0) {
      skip--
      continue
    }
    records[count++] = record
  }
  return records.subarray(0, count)
}
