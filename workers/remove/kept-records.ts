// A day without the records of an archive.

import { blockPart } from '../../storage/block-store.ts'
import { decodeBlock } from '../../storage/format/block.ts'
import { sourcesOf } from '../../storage/format/block-origins.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { type DecodedBlock, decodeWholeBlock } from '../block/decoded-block.ts'
import type { CollectedPartition } from '../partition/collected-partition.ts'
import { collectStored } from '../rebuild/market-writer.ts'

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
  let kept = 0
  let first = 0
  const blocks = function* (): Generator<DecodedBlock> {
    for (const { id, firstRecord } of head.blocks) {
      first = firstRecord
      yield decodeWholeBlock(decodeBlock(parts.bytes(key, blockPart(id))))
    }
  }
  return collectStored(key, blocks(), loose, head.recorders, ({ shapes, shapeIndexes }, record) => {
    if (shapes[shapeIndexes[record]!]!.shape.source === source) return false
    if (before.has(first + record)) loose.push(kept)
    kept++
    return true
  })
}

/** Records of a day that are from the archive. */
export const countIn = (head: PartitionHead, source: string): number =>
  sourcesOf(head).find((each) => each.source === source)?.records ?? 0
