// Decides which parts of a stored partition a plan reads. An append reads only the tail. Pure.

import { blockPart, nameOfPart, type PartId, type PartRef, statePart } from '../../storage/block-store.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import { decodeHead } from '../../storage/format/partition-head-codec.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { type CollectedPartition, isBehind } from './collected-partition.ts'
import { joinFrom, seedOf } from './join-blocks.ts'
import { partsOf, ROLLUPS_MAX } from './rollups.ts'

/** Returns the parts of all layers of a date, and the parts that the date shows. Lists each part once, even if the
 *  date shows a layer's own part. Throws DataError('block_corrupt'). */
export function allParts({ blocks, rollups, layers }: PartitionHead): PartId[] {
  const shown = [...partsFrom(blocks, 0), ...rollups.flatMap(partsOf)]
  if (layers === undefined) return shown
  const parts = [shown, ...layers.map(({ head }) => allParts(decodeHead(head)))].flat()
  return [...new Map(parts.map((part) => [nameOfPart(part), part])).values()]
}

/** Returns the parts that `planPartition` reads. In rare cases `planPartition` finds out later that more of the day
 *  changes, and then needs all parts. */
export function partsToAdd(head: PartitionHead, collected: CollectedPartition): PartId[] {
  const { blocks, rollups } = head
  let from = joinFrom(
    blocks.map(({ recordCount }) => recordCount),
    collected.recordCount,
    seedOf(collected.key),
  )
  const isAppended = isBehind(head, collected)
  const firstTouched = isAppended ? -1 : blocks.findIndex(({ lastMs }) => lastMs >= collected.earliestTwinMs)
  if (firstTouched >= 0) from = Math.min(from, firstTouched)
  const firstRecord = blocks[from]?.firstRecord ?? Number.POSITIVE_INFINITY
  const cut = rollups.find((of) => of.firstRecord < firstRecord && of.firstRecord + of.recordCount > firstRecord)
  if (cut !== undefined) from = blocks.findIndex((block) => block.firstRecord === cut.firstRecord)
  // One more rollup may cause all of them to be joined.
  const joined = rollups.length >= ROLLUPS_MAX - 1 ? rollups.flatMap(partsOf) : []
  return [...partsFrom(blocks, from), ...joined]
}

/** Returns the parts of the blocks from index `from` on: each block and its state. The first block has no state,
 *  because it starts from the opening books. */
const partsFrom = (blocks: PartitionHead['blocks'], from: number): PartId[] =>
  blocks.slice(from).flatMap(({ id, stateId }) => [blockPart(id), ...(stateId === 0 ? [] : [statePart(stateId)])])

/** Returns all parts of a partition, and its books. */
export const partsOfPartition = (key: PartitionKey, head: PartitionHead): PartRef[] => refsOf(key, allParts(head))

export const refsOf = (key: PartitionKey, parts: PartId[]): PartRef[] => [
  { key, kind: 'books' },
  ...parts.map((part): PartRef => ({ key, ...part })),
]
