// Decides what a capture changes: its own partition, and the days after it whose opening books follow from it. Called
// inside the write transaction, so that what it reads is what it replaces.

import type { BlockStore, PartitionChange } from '../../storage/block-store.ts'
import { readingOf } from '../../storage/damage.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { loadBlock } from '../block/block-builder.ts'
import { decodeBooks } from '../book/book-state.ts'
import { type CollectedPartition, isReady } from './collected-partition.ts'
import { type FinishedPartition, finishPartition } from './finish-partition.ts'
import { type MergedPartition, mergePartition } from './merge-partition.ts'

const EDITS_MAX = 64

/** Empty where everything is stored already. */
export function planCommit(store: BlockStore, partition: CollectedPartition): PartitionChange[] {
  return readingOf(partition.key, 'its blocks', () => planChanges(store, partition))
}

function planChanges(store: BlockStore, partition: CollectedPartition): PartitionChange[] {
  const { key } = partition
  // Most questions below look through the index, and a new market needs none of them.
  const isNewMarket = !store.hasMarket(key.venue, key.market)
  const before = isNewMarket ? undefined : store.head(key)
  const isStoredAsItIs = before === undefined && isReady(partition)
  const merged = isStoredAsItIs ? freshPartition(partition) : merge(store, partition, before)
  if (merged === undefined) return []
  const read = (index: number) =>
    index < merged.fromBlock ? store.block(key, index) : loadBlock(merged.blocks[index - merged.fromBlock]!)
  const blockCount = merged.fromBlock + merged.blocks.length
  const booksBefore = isNewMarket ? null : closingBooksBefore(store, key)
  const finished =
    (isStoredAsItIs ? replayedFrom(booksBefore, partition) : undefined) ??
    finishPartition(blockCount, read, booksBefore === null ? [] : decodeBooks(booksBefore))
  const last = finished.blocks.at(-1)!
  const revision = (before?.revision ?? 0) + 1
  const head: PartitionHead = {
    version: 1,
    revision,
    recordCount: last.firstRecord + last.recordCount,
    firstMs: finished.blocks[0]!.firstMs,
    lastMs: last.lastMs,
    blocks: finished.blocks,
    books: finished.books,
    gaps: finished.gaps,
    looseSnapshots: merged.looseSnapshots,
    edits: addEdit(before?.edits ?? [], revision, merged.firstChanged),
    openingBooks: finished.openingBooks,
    closingBooks: finished.closingBooks,
  }
  const blocks = merged.blocks.map(loadBlock)
  const change = { key, before: before ?? null, head, fromBlock: merged.fromBlock, blocks, states: finished.states }
  return isNewMarket ? [change] : [change, ...planFollowingDays(store, key, head)]
}

/** What was replayed beforehand, if that was from the books that are stored now. */
function replayedFrom(booksBefore: Uint8Array | null, { replayed }: CollectedPartition): FinishedPartition | undefined {
  return replayed !== null && isSameBytes(replayed.closingBooksBefore, booksBefore) ? replayed.finished : undefined
}

const freshPartition = ({ blocks, looseSnapshots }: CollectedPartition): MergedPartition => ({
  firstChanged: 0,
  fromBlock: 0,
  blocks,
  looseSnapshots,
})

function merge(
  store: BlockStore,
  partition: CollectedPartition,
  before: PartitionHead | undefined,
): MergedPartition | undefined {
  return mergePartition(partition, before, (index) => store.block(partition.key, index))
}

function closingBooksBefore(store: BlockStore, key: PartitionKey): Uint8Array | null {
  const date = store.neighbour(key, 'before')
  return date === undefined ? null : store.head({ ...key, date })!.closingBooks
}

/** Later days follow until one is found whose opening books are as they were. */
function planFollowingDays(store: BlockStore, key: PartitionKey, changed: PartitionHead): PartitionChange[] {
  const changes: PartitionChange[] = []
  let previous = changed
  for (
    let date = store.neighbour(key, 'after');
    date !== undefined;
    date = store.neighbour({ ...key, date }, 'after')
  ) {
    const dayKey = { ...key, date }
    const head = store.head(dayKey)!
    const earlier = previous.closingBooks === null ? [] : decodeBooks(previous.closingBooks)
    const read = (index: number) => store.block(dayKey, index)
    const finished = readingOf(dayKey, 'its blocks', () => finishPartition(head.blocks.length, read, earlier))
    if (isSameBytes(finished.openingBooks, head.openingBooks)) break
    const { books, openingBooks, closingBooks, states } = finished
    const next: PartitionHead = { ...head, revision: head.revision + 1, books, openingBooks, closingBooks }
    changes.push({ key: dayKey, before: head, head: next, fromBlock: head.blocks.length, blocks: [], states })
    if (isSameBytes(closingBooks, head.closingBooks)) break
    previous = next
  }
  return changes
}

/** Remembers from which record on each revision changed the partition. A later change at or before an earlier one's
 *  place makes the earlier one needless; beyond the limit the two oldest become one, which only refuses more
 *  cursors. */
function addEdit(edits: [number, number][], revision: number, firstChanged: number): [number, number][] {
  const kept = edits.filter(([, record]) => record < firstChanged)
  kept.push([revision, firstChanged])
  if (kept.length > EDITS_MAX) kept.splice(0, 2, [kept[1]![0], kept[0]![1]])
  return kept
}

function isSameBytes(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : Buffer.compare(one, other) === 0
}
