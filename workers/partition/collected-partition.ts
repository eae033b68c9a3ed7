// All records of one partition from one capture, ready to commit. It has data only, so it can come from another thread.

import { BLOCK_RECORDS_MAX } from '../../storage/format/block.ts'
import type { BookTimes, PartitionHead, SequenceHole } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import type { EncodedBlock } from '../block/block-builder.ts'
import type { PlannedPartition } from './plan-days.ts'

/** For a capture that is committed while it grows: what the plan of a part must know of the previous part, and what the
 *  plan leaves for the next part. */
export type OngoingPart = {
  /** The state of the store after the previous part was appended. `nextId` is the head's `nextId`, which grows with
   *  each change of the head's records. `foreignMs` is the time of the last record that is not from this capture.
   *  Null if other records are in between. */
  follows: { nextId: number; foreignMs: number } | null
  /** Result of the latest plan: how many of the records are new, and what the next part follows. */
  planned: { added: number; follows: OngoingPart['follows'] } | null
}

export type CollectedPartition = {
  key: PartitionKey
  /** The archive that all its records come from; undefined for the user's own records. */
  source?: string
  recordCount: number
  blocks: EncodedBlock[]
  /** Ids of the books, and the venue time of each book's first record, as the quote clock gives it. The index is the
   *  book number minus 1. */
  bookIds: string[]
  firstUs: number[]
  /** Whether event times never step back. If so, the partition is one run, and needs no sorting. */
  isSorted: boolean
  /** Places of snapshots without a venue time, in capture order. Each of these snapshots is the last record of the
   *  partition in its run. */
  looseSnapshots: number[]
  /** Event time of the first record. */
  startsMs: number
  /** A stored record before this time cannot equal a record of the partition. */
  earliestTwinMs: number
  /** Whether the partition may contain repeats that must be stored once: the same Kalshi trade (same id), or the same
   *  stretch of the capture. */
  mayRepeat: boolean
  /** Places of the records with which stretches of the capture begin, after the first record. */
  stretchStarts: number[]
  /** A plan made in advance. It is valid only if the store has nothing of the partition, and if the day before closes
   *  with the same books as in the plan. */
  planned: PlannedPartition | null
  /** Null if this is everything that a capture has of the partition. */
  ongoing: OngoingPart | null
  /** Like `heard` of the head, for the records collected here. */
  heard: BookTimes[]
  /** Like `sequenceHoles` of the head, in any order. */
  sequenceHoles: SequenceHole[]
}

/** Returns whether all collected records come after the stored ones, and none of them can equal a stored record of
 *  another capture. */
export function isBehind(
  stored: PartitionHead | undefined,
  { isSorted, startsMs, earliestTwinMs, mayRepeat, ongoing }: CollectedPartition,
): boolean {
  if (!isSorted || mayRepeat) return false
  if (stored === undefined) return true
  const follows = followed(stored, ongoing)
  if (follows === undefined) return earliestTwinMs > stored.lastMs
  return earliestTwinMs > follows.foreignMs && startsMs >= stored.lastMs
}

/** Returns the sequence holes of the stored and of the collected partition together. */
export function holesOf(stored: PartitionHead | undefined, { sequenceHoles }: CollectedPartition): SequenceHole[] {
  const known = stored?.sequenceHoles ?? []
  const all = new Set([...known, ...sequenceHoles].map(({ fromMs }) => fromMs))
  return all.size === known.length ? known : [...all].sort((a, b) => a - b).map((fromMs) => ({ fromMs }))
}

/** Returns what a part of a capture follows; undefined if something else was stored after the previous part. */
export function followed(stored: PartitionHead, ongoing: OngoingPart | null) {
  const follows = ongoing?.follows ?? undefined
  return follows?.nextId === stored.nextId ? follows : undefined
}

/** Returns what the plan of a part of a growing capture leaves for the next part. */
export function plannedPart(
  before: PartitionHead | undefined,
  { recordCount, ongoing }: CollectedPartition,
  after: PartitionHead | null | undefined,
): NonNullable<OngoingPart['planned']> {
  const added = after == null ? 0 : after.recordCount - (before?.recordCount ?? 0)
  // An append does not change the edits.
  const isAppended = before === undefined || after?.edits === before.edits
  if (after == null || !isAppended || added < recordCount) return { added, follows: null }
  const foreignMs = before === undefined ? Number.NEGATIVE_INFINITY : before.lastMs
  const { nextId } = after
  return { added, follows: { nextId, foreignMs: (before && followed(before, ongoing)?.foreignMs) ?? foreignMs } }
}

const SPARE_BLOCKS_MAX = 4

/** Returns whether the blocks can be stored as they are. They must be one run without repeated trades, and few of
 *  them may be small blocks that were closed early. */
export function isReady({ isSorted, mayRepeat, blocks, recordCount }: CollectedPartition): boolean {
  return isSorted && !mayRepeat && blocks.length <= SPARE_BLOCKS_MAX + 1.25 * Math.ceil(recordCount / BLOCK_RECORDS_MAX)
}

/** Returns the number of bytes that the partition's blocks take. */
export function bytesOf({ blocks }: CollectedPartition): number {
  return blocks.reduce((sum, { content }) => sum + content.length, 0)
}
