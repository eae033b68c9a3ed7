// Collects the stored records of a day again, without those of an archive.

import { blockPart } from '../../storage/block-store.ts'
import { decodeBlock } from '../../storage/format/block.ts'
import { sourcesOf } from '../../storage/format/block-origins.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { BlockBuilder, type EncodedBlock } from '../block/block-builder.ts'
import { BookTable } from '../block/book-table.ts'
import { type DecodedBlock, decodeWholeBlock } from '../block/decoded-block.ts'
import { QuoteClock } from '../block/quote-clock.ts'
import { isUntimedSnapshot } from '../block/stored-venue-time.ts'
import { withCoveredGaps } from '../heard/covered-gaps.ts'
import type { CollectedPartition } from '../partition/collected-partition.ts'

/** The records of a day that are not from the archive; without any if all are from it. */
export async function recordsWithout(
  store: Store,
  key: PartitionKey,
  head: PartitionHead,
  source: string,
): Promise<CollectedPartition> {
  const parts = await store.blocks.fetch(head.blocks.map(({ id }) => ({ key, ...blockPart(id) })))
  const before = new Set(head.looseSnapshots)
  const loose: number[] = []
  const sources = new Set<string | undefined>()
  let kept = 0
  let keptMs = Number.NEGATIVE_INFINITY
  let isLastUntimed = false
  let first = 0
  const blocks = function* (): Generator<DecodedBlock> {
    for (const { id, firstRecord } of head.blocks) {
      first = firstRecord
      yield withCoveredGaps(decodeWholeBlock(decodeBlock(parts.bytes(key, blockPart(id)))), () => false)
    }
  }
  const collected = collectStored(key, blocks(), loose, (block, record) => {
    const shape = block.shapes[block.shapeIndexes[record]!]!
    if (shape.shape.source === source) return false
    sources.add(shape.shape.source)
    // The record of its time may have been the archive's.
    if (loose.at(-1) === kept - 1 && block.timesMs[record]! > keptMs) loose.pop()
    keptMs = block.timesMs[record]!
    isLastUntimed = isUntimedSnapshot(shape, block.rows[record]!)
    if (before.has(first + record)) loose.push(kept)
    kept++
    return true
  })
  if (isLastUntimed && loose.at(-1) !== kept - 1) loose.push(kept - 1)
  const isOfOthers = (each: { source?: string }) => each.source !== source
  const { heard = [], sequenceHoles = [] } = head
  const [only] = sources.size === 1 ? sources : []
  const of = only === undefined ? {} : { source: only }
  return { ...collected, ...of, heard: heard.filter(isOfOthers), sequenceHoles: sequenceHoles.filter(isOfOthers) }
}

/** Collects stored records of a partition, in their order, as a capture gives them: all of them, or those that `keeps`
 *  accepts. `looseSnapshots` are of the records that stay. */
export function collectStored(
  key: PartitionKey,
  stored: Iterable<DecodedBlock>,
  looseSnapshots: number[],
  keeps: (block: DecodedBlock, record: number) => boolean = () => true,
): CollectedPartition {
  const books = new BookTable(key.venue === 'kalshi' ? key.market : undefined)
  const clock = new QuoteClock()
  const builder = new BlockBuilder(books, clock)
  const blocks: EncodedBlock[] = []
  let recordCount = 0
  for (const block of stored) {
    for (let record = 0; record < block.recordCount; record++) {
      if (!keeps(block, record)) continue
      recordCount++
      builder.pushStored(block, record, block.timesMs[record]!)
      if (builder.isFull) blocks.push(builder.finish())
    }
  }
  if (builder.recordCount > 0) blocks.push(builder.finish())
  return {
    ...{ key, recordCount, blocks, looseSnapshots },
    ...{ bookIds: books.ids(), firstUs: clock.first(), isSorted: true },
    ...{ startsMs: Number.NaN, earliestTwinMs: Number.POSITIVE_INFINITY, hasTradesTwice: false },
    ...{ planned: null, ongoing: null, heard: [], sequenceHoles: [] },
  }
}

/** Records of a day that are from the archive. */
export const countIn = (head: PartitionHead, source: string): number =>
  sourcesOf(head).find((each) => each.source === source)?.records ?? 0
