// Selects the records of a page from the planned blocks, by their times and books.

import { blockPart, type Parts } from '../../storage/block-store.ts'
import { readingOf } from '../../storage/damage.ts'
import { BLOCK_RECORDS_MAX, type Block, decodeBlock, unpackInts } from '../../storage/format/block.ts'
import type { BlockEntry } from '../../storage/format/partition-head.ts'
import type { BlockSelection } from '../block/decoded-block.ts'
import type { PageRequest, Position } from '../requests.ts'
import type { PlannedBlock } from './plan-page.ts'

export type PageSelection = {
  blocks: BlockSelection[]
  count: number
  hasMore: boolean
  /** The position directly after the last record of the page; null if the page is empty. */
  after: Position | null
}

/** Returns the records of a page. Throws DataError('block_corrupt'). */
export function selectRecords({ limit }: PageRequest, planned: PlannedBlock[], parts: Parts): PageSelection {
  const page: PageSelection = { blocks: [], count: 0, hasMore: false, after: null }
  for (const { key, revision, index, entry, bookIndex, bounds } of planned) {
    if (page.hasMore) break
    const block = readingOf(key, `block ${index}`, () => decodeBlock(parts.bytes(key, blockPart(entry.id))))
    const records = matchingRecords(block, entry, bookIndex, bounds)
    const room = limit - page.count
    page.hasMore = records.length > room
    const taken = records.subarray(0, room)
    if (taken.length === 0) continue
    page.blocks.push({ block, records: taken })
    page.count += taken.length
    page.after = { date: key.date, record: entry.firstRecord + taken.at(-1)! + 1, revision }
  }
  return page
}

/** Runs of records are views of this array: a page of 100,000 records would otherwise allocate 400 KB. */
const ALL_RECORDS = Int32Array.from({ length: BLOCK_RECORDS_MAX }, (_, record) => record)

function matchingRecords(
  block: Block,
  entry: BlockEntry,
  bookIndex: number,
  bounds: PlannedBlock['bounds'],
): Int32Array {
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
