// Brings a capture's records of a partition and the stored ones into one sequence of blocks. Blocks before the first
// change stay as they are.

import type { PartitionHead } from '../../storage/format/partition-head.ts'
import { BlockBuilder, type EncodedBlock, loadBlock } from '../block/block-builder.ts'
import { BookTable } from '../block/book-table.ts'
import { QuoteClock } from '../block/quote-clock.ts'
import { storedVenueUs } from '../block/stored-venue-time.ts'
import { LineParser, type LineSink } from '../capture/line-parser.ts'
import type { MatchedMessage } from '../capture/matched-message.ts'
import type { MessageForm } from '../capture/message-form.ts'
import { venueTimeUs } from '../venues/venue-time.ts'
import { BlockSource } from './block-source.ts'
import type { CollectedPartition } from './collected-partition.ts'
import { type MergedOrder, mergeOrder } from './merge-order.ts'
import { type RecordSequence, reorder } from './record-sequence.ts'
import { timeOrder } from './run-order.ts'

export type MergedPartition = {
  /** Number of the first record that is not as before. */
  firstChanged: number
  /** Blocks before this one stay. */
  fromBlock: number
  blocks: EncodedBlock[]
  /** Of the whole partition, as in its head. */
  looseSnapshots: number[]
}

/** Undefined where the capture holds nothing new. `before` is the partition as it is stored, `readStored` its blocks. */
export function mergePartition(
  partition: CollectedPartition,
  before: PartitionHead | undefined,
  readStored: (index: number) => Uint8Array,
): MergedPartition | undefined {
  const storedBlocks = before?.blocks ?? []
  const storedCounts = storedBlocks.map(({ recordCount }) => recordCount)
  const stored = new BlockSource(partition.key, storedCounts, readStored)
  const incoming = new BlockSource(
    partition.key,
    partition.blocks.map(({ recordCount }) => recordCount),
    (index) => loadBlock(partition.blocks[index]!),
  )
  const sequence = incoming.sequence(0, partition.looseSnapshots)
  const capture = partition.isSorted ? undefined : timeOrder(sequence)
  // Stored records that end before the capture's earliest possible twin cannot be touched by it.
  const firstBlock = storedBlocks.findIndex(({ lastMs }) => lastMs >= partition.earliestTwinMs)
  const from = firstBlock < 0 ? stored.recordCount : stored.firstRecordOf(firstBlock)
  const storedSequence = stored.sequence(from, before?.looseSnapshots ?? [])
  const incomingSequence = capture === undefined ? sequence : reorder(sequence, capture)
  const order = mergeOrder(storedSequence, incomingSequence)
  const firstChanged = from + order.firstChanged
  if (firstChanged === stored.recordCount && order.count === stored.recordCount - from) return undefined
  const lastKept = Math.max(0, Math.min(firstChanged, stored.recordCount - 1))
  const fromBlock = storedBlocks.length === 0 ? 0 : stored.blockOf(lastKept)
  const writer = new MergeWriter(partition, stored, fromBlock)
  const firstRewritten = stored.recordCount === 0 ? 0 : stored.firstRecordOf(fromBlock)
  for (let record = firstRewritten; record < from; record++) {
    writer.write(stored.line(record), storedTime(stored, record))
  }
  writeMerged(writer, order, Math.max(0, firstRewritten - from), {
    stored: (index) => stored.line(from + index),
    incoming: (index) => incoming.line(capture === undefined ? index : capture[index]!),
  })
  const kept = (before?.looseSnapshots ?? []).filter((record) => record < from)
  const looseSnapshots = [...kept, ...looseIn(order, storedSequence, incomingSequence, from)]
  return { firstChanged, fromBlock, blocks: writer.finish(), looseSnapshots }
}

/** Where the loose snapshots of both stand in the end. */
function looseIn(
  { count, sources }: MergedOrder,
  stored: RecordSequence,
  incoming: RecordSequence,
  from: number,
): number[] {
  const loose: number[] = []
  for (let i = 0; i < count; i++) {
    const source = sources[i]!
    if ((source >= 0 ? stored.isLoose[source] : incoming.isLoose[-1 - source]) === 1) loose.push(from + i)
  }
  return loose
}

function writeMerged(
  writer: MergeWriter,
  { count, sources, timesMs }: MergedOrder,
  first: number,
  lines: { stored: (index: number) => Uint8Array; incoming: (index: number) => Uint8Array },
): void {
  for (let i = first; i < count; i++) {
    const source = sources[i]!
    writer.write(source >= 0 ? lines.stored(source) : lines.incoming(-1 - source), timesMs[i]!)
  }
}

function storedTime(stored: BlockSource, record: number): number {
  const block = stored.blockOf(record)
  return stored.block(block).timesMs[record - stored.firstRecordOf(block)]!
}

/** Reads records back from their lines into new blocks, at event times that are decided already. */
class MergeWriter implements LineSink {
  readonly #parser = new LineParser(this)
  readonly #builder: BlockBuilder
  readonly #clock = new QuoteClock()
  readonly #blocks: EncodedBlock[] = []
  #timeMs = 0
  #written = 0

  constructor(partition: CollectedPartition, stored: BlockSource, fromBlock: number) {
    const { venue, market } = partition.key
    const known = stored.recordCount === 0 ? [] : stored.block(fromBlock).bookIds
    const books = new BookTable(venue === 'kalshi' ? market : undefined, known)
    this.#builder = new BlockBuilder(books, this.#clock)
    if (stored.recordCount > 0) seedClock(this.#clock, stored, fromBlock)
  }

  write(line: Uint8Array, timeMs: number): void {
    this.#timeMs = timeMs
    this.#written = 0
    this.#parser.parse(line, 0, line.length)
    if (this.#written !== 1) throw new Error('a stored record does not read back as one record')
  }

  finish(): EncodedBlock[] {
    if (this.#builder.recordCount > 0) this.#blocks.push(this.#builder.finish())
    return this.#blocks
  }

  message(form: MessageForm, bytes: Uint8Array, match: MatchedMessage, receivedMs: number): void {
    const { timeSlot } = form.shape
    const time = timeSlot + form.firstSlot
    const isInList = form.bookList >= 0
    const place = isInList ? match.listBases[form.bookList]! + bookOffset(form) : form.book
    this.#builder.push({
      form,
      bytes,
      match,
      message: 0,
      receivedMs,
      timeMs: this.#timeMs,
      venueUs: timeSlot < 0 ? Number.NaN : venueTimeUs(bytes, match.starts[time]!, match.ends[time]!),
      venueInstantUs: Number.NaN,
      eventWholeMs: Number.NaN,
      bookStart: place < 0 ? -1 : isInList ? match.elementStarts[place]! : match.starts[place]!,
      bookEnd: place < 0 ? -1 : isInList ? match.elementEnds[place]! : match.ends[place]!,
    })
    this.#written++
    if (this.#builder.isFull) this.#blocks.push(this.#builder.finish())
  }

  skip(what: string): void {
    throw new Error(`a stored record reads back as a ${what}`)
  }

  reject(reason: string): void {
    throw new Error(`a stored record does not read back: ${reason}`)
  }

  metadata(): void {
    throw new Error('a stored record reads back as metadata')
  }
}

/** The clock as it stood at the start of a block: from each book's last record before it. */
function seedClock(clock: QuoteClock, stored: BlockSource, fromBlock: number): void {
  const seeded = new Set<number>()
  const bookCount = stored.block(fromBlock).bookIds.length
  for (let index = fromBlock - 1; index >= 0 && seeded.size < bookCount; index--) {
    const block = stored.block(index)
    for (let record = block.recordCount - 1; record >= 0; record--) {
      const book = block.books[record]!
      const decoded = block.shapes[block.shapeIndexes[record]!]!
      const { shape } = decoded
      const isBookRecord = shape.kind === 'delta' || shape.kind === 'snapshot' || shape.kind === 'gap'
      if (!isBookRecord || book === 0 || seeded.has(book)) continue
      seeded.add(book)
      clock.opensQuote(book, shape.kind, storedVenueUs(decoded, block.rows[record]!))
    }
  }
}

const bookOffset = (form: MessageForm): number =>
  form.book - form.slots.findIndex((slot) => slot.list === form.bookList)
