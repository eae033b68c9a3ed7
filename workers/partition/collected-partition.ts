// The records of one partition as one capture gives them, all of them read: what is committed. It holds nothing but
// data, so that it can come from another thread.

import { BLOCK_RECORDS_MAX } from '../../storage/format/block.ts'
import type { HeardBook, PartitionHead, SequenceHole } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import type { EncodedBlock } from '../block/block-builder.ts'
import type { PlannedPartition } from './plan-days.ts'

/** Of a capture that is committed while it goes on: what the plan of a part needs to know of the part before, and what
 *  it leaves for the next one. */
export type OngoingPart = {
  /** What was stored of the partition when the part before it had been put behind everything else: its next id then,
   *  which grows with each change of its records, and the time of the last record that is not of this capture. Null
   *  where other records stand between. */
  follows: { nextId: number; foreignMs: number } | null
  /** Of the plan made last: how many of its records are new, and what the next part follows. */
  planned: { added: number; follows: OngoingPart['follows'] } | null
}

export type CollectedPartition = {
  key: PartitionKey
  /** The archive that all its records are from; left out for the user's own. */
  source?: string
  recordCount: number
  blocks: EncodedBlock[]
  /** Ids of its books by number - 1, and the venue time of the first record of each, as the quote clock gives it. */
  bookIds: string[]
  firstUs: number[]
  /** Whether event times never step back: one run, which needs no sorting. */
  isSorted: boolean
  /** Snapshots without a venue time, in capture order, that no record of the partition followed in their run. */
  looseSnapshots: number[]
  /** Event time of the first record. */
  startsMs: number
  /** No record of the partition can be the same as a stored one that is earlier than this. */
  earliestTwinMs: number
  /** Whether two of Kalshi's trades may have one id: they are one trade. */
  hasTradesTwice: boolean
  /** Made beforehand. It holds only if the store has nothing of the partition, and has the same books before it. */
  planned: PlannedPartition | null
  /** Null for all that a capture has of the partition. */
  ongoing: OngoingPart | null
  /** As in the head, of what is collected here. */
  heard: HeardBook[]
  /** As in the head, in any order. */
  sequenceHoles: SequenceHole[]
}

/** Whether all of it stands behind what is stored, and none of it can be the same as a stored record of another
 *  capture. */
export function isBehind(
  stored: PartitionHead | undefined,
  { isSorted, startsMs, earliestTwinMs, hasTradesTwice, ongoing }: CollectedPartition,
): boolean {
  if (!isSorted || hasTradesTwice) return false
  if (stored === undefined) return true
  const follows = followed(stored, ongoing)
  if (follows === undefined) return earliestTwinMs > stored.lastMs
  return earliestTwinMs > follows.foreignMs && startsMs >= stored.lastMs
}

/** The holes of a partition with what is collected. */
export function holesOf(stored: PartitionHead | undefined, { sequenceHoles }: CollectedPartition): SequenceHole[] {
  const known = stored?.sequenceHoles ?? []
  const all = new Set([...known, ...sequenceHoles].map(({ fromMs }) => fromMs))
  return all.size === known.length ? known : [...all].sort((a, b) => a - b).map((fromMs) => ({ fromMs }))
}

/** What a part of a capture follows, if that is what is stored last. */
export function followed(stored: PartitionHead, ongoing: OngoingPart | null) {
  const follows = ongoing?.follows ?? undefined
  return follows?.nextId === stored.nextId ? follows : undefined
}

/** What a plan leaves for the next part of an ongoing capture. */
export function plannedPart(
  before: PartitionHead | undefined,
  { recordCount, ongoing }: CollectedPartition,
  after: PartitionHead | null | undefined,
): NonNullable<OngoingPart['planned']> {
  const added = after == null ? 0 : after.recordCount - (before?.recordCount ?? 0)
  // An append leaves the edits as they are.
  const isAppended = before === undefined || after?.edits === before.edits
  if (after == null || !isAppended || added < recordCount) return { added, follows: null }
  const foreignMs = before === undefined ? Number.NEGATIVE_INFINITY : before.lastMs
  const { nextId } = after
  return { added, follows: { nextId, foreignMs: (before && followed(before, ongoing)?.foreignMs) ?? foreignMs } }
}

const SPARE_BLOCKS_MAX = 4

/** One run can be stored as it is, unless a trade comes twice in it, or its blocks were closed so early that they are
 *  many and small. */
export function isReady({ isSorted, hasTradesTwice, blocks, recordCount }: CollectedPartition): boolean {
  return (
    isSorted && !hasTradesTwice && blocks.length <= SPARE_BLOCKS_MAX + 1.25 * Math.ceil(recordCount / BLOCK_RECORDS_MAX)
  )
}

/** Memory that its blocks take. */
export function bytesOf({ blocks }: CollectedPartition): number {
  return blocks.reduce((sum, { content }) => sum + content.length, 0)
}
