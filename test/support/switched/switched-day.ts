// Writes a date of a market that shows one source after another, and stores it as a partition.

import type { Store } from '../../../storage/open-store.ts'
import type { Venue } from '../../../storage/venue.ts'
import { blockOf } from '../../../workers/block/block-builder.ts'
import { type DecodedBlock, decodeWholeBlock } from '../../../workers/block/decoded-block.ts'
import { dayOrigin } from '../../../workers/book/quality-state.ts'
import { changeOf } from '../../../workers/partition/partition-change.ts'
import { PartitionReplay } from '../../../workers/partition/partition-replay.ts'
import type { PartitionChange, PlannedPart, StoredPartition } from '../../../workers/partition/partition-types.ts'
import { PartitionWriter } from '../../../workers/partition/partition-writer.ts'
import { shownBooks } from '../../../workers/trust/shown-books.ts'
import { collectLines } from '../collected.ts'
import { DATE, MARKETS, type MadeSource } from './made-source.ts'

/** From `fromMs` on, the date shows the records [from, to) of the source. `doubted` are the books that are in doubt
 *  then. */
export type MadeSpan = { source: MadeSource; fromMs: number; from: number; to: number; doubted: readonly string[] }

const NOTHING_SEEN = { heard: [], sequenceHoles: [] }
const writers = new WeakMap<MadeSource, DecodedBlock[]>()

function blocksOf(source: MadeSource): DecodedBlock[] {
  const known =
    writers.get(source) ?? collectLines(source.lines)[0]!.blocks.map((block) => decodeWholeBlock(blockOf(block)))
  writers.set(source, known)
  return known
}

function writerOf(venue: Venue): PartitionWriter {
  const replay = PartitionReplay.atStart(DATE, [], dayOrigin(venue, NOTHING_SEEN), () => false)
  return new PartitionWriter({ key: keyOf(venue), firstRecord: 0, replay, state: null })
}

export const keyOf = (venue: Venue) => ({ venue, market: MARKETS[venue], date: DATE })

function copy(writer: PartitionWriter, source: MadeSource, from: number, to: number): void {
  let first = 0
  for (const block of blocksOf(source)) {
    for (let row = Math.max(0, from - first); row < Math.min(block.recordCount, to - first); row++)
      writer.copy(block, row, block.timesMs[row]!)
    first += block.recordCount
  }
}

/** Returns the change of the partition. The first span starts at the start of the date. */
export function switchedDay(venue: Venue, spans: readonly MadeSpan[]): PartitionChange {
  const writer = writerOf(venue)
  spans.forEach(({ source, fromMs, from, to, doubted }, i) => {
    if (i > 0) writer.switchTo(booksBefore(venue, source, from, doubted), fromMs)
    copy(writer, source, from, to)
  })
  const closing = writer.finish()
  const rows = spans.map(({ fromMs }, i): [string, number] => [`source-${i}`, fromMs])
  const made = { before: undefined, base: 0, from: 0, firstChanged: 0, looseSnapshots: [], source: undefined }
  const about = { ...made, ...NOTHING_SEEN, spans: rows }
  return changeOf({ key: keyOf(venue), ...about, writer, books: { opening: null, closing } })
}

/** Returns the books of a source before one of its records. */
function booksBefore(venue: Venue, source: MadeSource, record: number, doubted: readonly string[]) {
  if (record === 0) return []
  const writer = writerOf(venue)
  copy(writer, source, 0, record)
  return shownBooks(writer.finish()).map((book) => ({ ...book, isDoubtful: doubted.includes(book.id) }))
}

const bytesOf = ({ content }: PlannedPart): Uint8Array => {
  if (!(content instanceof Uint8Array)) throw new Error('a part is in a file')
  return content
}

export function storedDay({ head, books, put }: PartitionChange): StoredPartition {
  const parts = new Map(put.map((part) => [`${part.kind} ${part.id} ${part.book}`, bytesOf(part)]))
  return { head: head!, books: books!, bytes: ({ kind, id, book }) => parts.get(`${kind} ${id} ${book}`)! }
}

export async function storeDay(store: Store, change: PartitionChange): Promise<void> {
  const { venue, market } = change.key
  const { revision } = await store.catalogue.revision(venue, market)
  const put = change.put.map((part) => ({ kind: part.kind, id: part.id, book: part.book, bytes: bytesOf(part) }))
  const refused = await store.catalogue.commit([{ venue, market, revision, partitions: [{ ...change, put }] }])
  if (refused.length > 0) throw new Error('the day was refused')
  store.refresh()
}
