// Returns the books of a layer at an instant: what a date shows when it switches to the layer.

import { blockPart, statePart } from '../../storage/block-store.ts'
import { decodeBlock } from '../../storage/format/block.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { DAY_MS, dateStartMs, utcDate } from '../../storage/units.ts'
import { decodeWholeBlock } from '../block/decoded-block.ts'
import { decodeState } from '../book/book-state.ts'
import { dayOrigin } from '../book/quality-state.ts'
import { unbrokenTimesOf } from '../book-times/book-times.ts'
import { closedBooks } from '../partition/closed-books.ts'
import { PartitionReplay } from '../partition/partition-replay.ts'
import type { StoredPartition } from '../partition/partition-types.ts'
import { PartitionWriter } from '../partition/partition-writer.ts'
import type { ShownBook } from '../trust/shown-books.ts'

/** Returns the books after all records before `timeMs`. A book is doubtful even if the evidence against it is
 *  later. */
export function booksAt(key: PartitionKey, layer: StoredPartition, timeMs: number): ShownBook[] {
  const { blocks, inferredGaps, books: entries } = layer.head
  const index = blocks.findLastIndex(({ firstMs }) => firstMs < timeMs)
  const replay = index <= 0 ? replayAtStart(key, layer) : replayFrom(layer, index)
  const writer = new PartitionWriter({ key, firstRecord: blocks[index]?.firstRecord ?? 0, replay, state: null })
  if (index >= 0) {
    const block = decodeWholeBlock(decodeBlock(layer.bytes(blockPart(blocks[index]!.id))))
    for (let record = 0; record < block.recordCount && block.timesMs[record]! < timeMs; record++) {
      writer.copy(block, record, block.timesMs[record]!)
    }
  }
  const { books, isDoubtful } = closedBooks(writer.finish())
  const nextDate = utcDate(dateStartMs(key.date) + DAY_MS)
  replay.release()
  const isInGap = (id: string) =>
    inferredGaps.some(
      ({ book, fromMs, toMs }) => entries[book - 1]!.id === id && fromMs < timeMs && (toMs === null || toMs >= timeMs),
    )
  return books.map((named) => ({
    ...named,
    isDoubtful: isInGap(named.id) || isDoubtful(named.id, nextDate),
  }))
}

const replayFrom = ({ head, bytes }: StoredPartition, block: number): PartitionReplay =>
  PartitionReplay.from(decodeState(bytes(statePart(head.blocks[block]!.stateId))), unbrokenTimesOf(head.heard))

/** Returns a replay that starts with the opening books of the layer. The layer's head says which of them are
 *  doubtful. */
export function replayAtStart(
  { venue, date }: PartitionKey,
  { head, books }: StoredPartition,
  origins: Pick<PartitionHead, 'heard' | 'sequenceHoles'> = head,
): PartitionReplay {
  const { books: opening } = closedBooks(books.opening)
  const isDoubtful = (id: string): boolean => {
    const trust = head.books.find((entry) => entry.id === id)?.trust?.[0]
    return trust?.[0] === 0 && trust[1] === 'doubtful'
  }
  return PartitionReplay.atStart(date, opening, dayOrigin(venue, origins), isDoubtful)
}
