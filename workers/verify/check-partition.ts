// Rebuilds everything in a partition that follows from its records (states, head, opening and closing books,
// rollups). Compares the result with the stored data.

import { decodeBlock } from '../../storage/format/block.ts'
import type { RollupEntry } from '../../storage/format/partition-head.ts'
import { effectOf } from '../../storage/format/shape.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { decodeWholeBlock } from '../block/decoded-block.ts'
import { QuoteClock } from '../block/quote-clock.ts'
import { storedVenueUs } from '../block/stored-venue-time.ts'
import { dayOrigin } from '../book/quality-state.ts'
import { isSameBytes } from '../bytes/same-bytes.ts'
import { closedBooks } from '../partition/closed-books.ts'
import { openingBooks } from '../partition/opening-books.ts'
import { totalsOf } from '../partition/partition-change.ts'
import { PartitionReplay } from '../partition/partition-replay.ts'
import type { StoredPartition } from '../partition/partition-types.ts'
import { PartitionWriter, type WrittenBlock } from '../partition/partition-writer.ts'
import { encodeRollup } from '../summary/rollup-codec.ts'
import { joinRows } from '../summary/rollup-sink.ts'
import { shownBooks } from '../trust/shown-books.ts'

/** Returns a sentence for each difference. `closingBefore` are the closing books of the latest stored day before. */
export function partitionDamage(
  key: PartitionKey,
  stored: StoredPartition,
  closingBefore: Uint8Array | null,
): string[] {
  const { head, books } = stored
  const { books: earlier, isDoubtful, isOpening } = closedBooks(closingBefore)
  // The day's own opening books do not state which books are doubtful, so read this from the day's head.
  const doubtfulIds = new Set(head.books.filter(({ trust }) => trust?.[0]?.[1] === 'doubtful').map(({ id }) => id))
  const isDoubted = (id: string) => (isOpening ? doubtfulIds.has(id) : isDoubtful(id, key.date))
  const replay = PartitionReplay.atStart(key.date, earlier, dayOrigin(key.venue, head), isDoubted)
  const writer = new PartitionWriter({ key, firstRecord: 0, replay, state: null })
  const rollupStarts = new Set(head.rollups.map(({ firstRecord }) => firstRecord))
  let clockUs: number[] = []
  head.blocks.forEach((entry) => {
    const bytes = stored.bytes({ kind: 'block', id: entry.id, book: 0 })
    if (entry.begins !== undefined) {
      writer.switchTo(shownBooks(stored.bytes({ kind: 'state', id: entry.stateId, book: 0 })), entry.begins)
      clockUs = []
    }
    clockUs = clockAfter(bytes, clockUs)
    if (rollupStarts.has(entry.firstRecord)) writer.cutRollup()
    writer.pass(entry, bytes, clockUs)
  })
  const closing = writer.finish()
  const damage = writer.blocks.flatMap((block, index) => blockDamage(stored, block, index))
  const { books: entries, inferredGaps } = writer.replay.closing()
  const blocks = writer.blocks.map(({ entry }) => entry)
  const totals = blocks.length === 0 ? {} : totalsOf(blocks, entries, writer.replay.bookless)
  for (const [name, total] of Object.entries(totals)) {
    const known = head[name as keyof ReturnType<typeof totalsOf>]
    if (known !== total) damage.push(`head: its ${name} is ${known}, that of its blocks ${total}`)
  }
  if (!Bun.deepEquals(entries, head.books)) damage.push('head: its books differ from the blocks')
  if (!Bun.deepEquals(writer.replay.bookless, head.bookless)) {
    damage.push('head: its trades without a book differ from the blocks')
  }
  if (!Bun.deepEquals(writer.gaps, head.gaps)) damage.push('head: its gaps differ from the blocks')
  if (!Bun.deepEquals(inferredGaps, head.inferredGaps)) {
    damage.push('head: its inferred gaps differ from the blocks')
  }
  if (!isSameBytes(openingBooks(closedBooks(closingBefore).books, entries), books.opening)) {
    damage.push('books: the opening books differ from the day before')
  }
  if (!isSameBytes(closing, books.closing)) damage.push('books: the closing books differ from the blocks')
  return [...damage, ...head.rollups.flatMap((rollup) => rollupDamage(stored, rollup, writer.blocks))]
}

function blockDamage(stored: StoredPartition, { entry, state }: WrittenBlock, index: number): string[] {
  const { id: _, stateId, ...listed } = stored.head.blocks[index]!
  const damage = Bun.deepEquals(entry, listed) ? [] : [`head: its entry of block ${index} differs from the block`]
  const known = index === 0 ? null : stored.bytes({ kind: 'state', id: stateId, book: 0 })
  if (!isSameBytes(state, known)) damage.push(`state ${index}: differs from the blocks before it`)
  return damage
}

function rollupDamage(stored: StoredPartition, rollup: RollupEntry, blocks: WrittenBlock[]): string[] {
  const { id, firstRecord, recordCount } = rollup
  const covered = blocks.filter(
    ({ entry }) => entry.firstRecord >= firstRecord && entry.firstRecord < firstRecord + recordCount,
  )
  return rollup.minutes.flatMap((_, book) => {
    const seconds = joinRows(
      covered.map(({ rollup: chunk }) => chunk?.rows[book]),
      1,
      1,
    )
    const rows = { minutes: joinRows([seconds], 60, 1), seconds }
    return (['minutes', 'seconds'] as const).flatMap((kind) => {
      const count = rollup[kind]?.[book]
      if (count === undefined) return []
      const known = count === 0 ? null : stored.bytes({ kind, id, book })
      const expected = rows[kind].count === 0 ? null : encodeRollup(rows[kind])
      return isSameBytes(known, expected)
        ? []
        : [`${kind} of book ${book} from record ${firstRecord} on: differ from the blocks`]
    })
  })
}

function clockAfter(bytes: Uint8Array, before: number[]): number[] {
  const block = decodeWholeBlock(decodeBlock(bytes))
  const clock = new QuoteClock(before)
  for (let record = 0; record < block.recordCount; record++) {
    const shape = block.shapes[block.shapeIndexes[record]!]!
    const book = block.books[record]!
    if (book > 0) clock.opensQuote(book, effectOf(shape.shape), storedVenueUs(shape, block.rows[record]!))
  }
  return clock.state()
}
