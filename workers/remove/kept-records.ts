// A day without some of its records.

import { blockPart } from '../../storage/block-store.ts'
import { decodeBlock } from '../../storage/format/block.ts'
import { sourcesOf } from '../../storage/format/block-origins.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { type DecodedBlock, decodeWholeBlock } from '../block/decoded-block.ts'
import type { CollectedPartition } from '../partition/collected-partition.ts'
import { collectStored } from '../rebuild/market-writer.ts'

/** `kept` has no records where all go; `firstRemoved` is the number of the first that goes, NaN where none does. */
export type KeptRecords = { kept: CollectedPartition; removed: number; firstRemoved: number }

/** Decides of a record of a block whether it goes. */
export type Goes = (block: DecodedBlock, record: number) => boolean

export async function keptRecords(
  store: Store,
  key: PartitionKey,
  head: PartitionHead,
  goes: Goes,
): Promise<KeptRecords> {
  const parts = await store.blocks.fetch(head.blocks.map(({ id }) => ({ key, ...blockPart(id) })))
  const before = new Set(head.looseSnapshots)
  const loose: number[] = []
  let [kept, removed, firstRemoved] = [0, 0, Number.NaN]
  let first = 0
  const blocks = function* (): Generator<DecodedBlock> {
    for (const { id, firstRecord } of head.blocks) {
      first = firstRecord
      yield decodeWholeBlock(decodeBlock(parts.bytes(key, blockPart(id))))
    }
  }
  const collected = collectStored(key, blocks(), loose, head.recorders, (block, record) => {
    if (goes(block, record)) {
      if (removed++ === 0) firstRemoved = first + record
      return false
    }
    if (before.has(first + record)) loose.push(kept)
    kept++
    return true
  })
  return { kept: collected, removed, firstRemoved }
}

export const isOfSource =
  (source: string): Goes =>
  ({ shapes, shapeIndexes }, record) =>
    shapes[shapeIndexes[record]!]!.shape.source === source

/** Records of a day that are from the archive. */
export const countIn = (head: PartitionHead, source: string): number =>
  sourcesOf(head).find((each) => each.source === source)?.records ?? 0
