// Writes a partition from some block on. It copies records into new blocks or takes finished blocks as they are, and
// replays each block once for its state, the head and the rollups. It opens at the state of any block or at the end, so
// an append costs no more than what it adds.

import assert from 'node:assert/strict'
import { BLOCK_RECORDS_MAX, type Block, decodeBlock } from '../../storage/format/block.ts'
import type { BlockEntry, GapEntry } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { onlyBook } from '../../storage/venue.ts'
import { BlockBuilder, blockOf, type EncodedBlock } from '../block/block-builder.ts'
import { BookTable } from '../block/book-table.ts'
import { type DecodedBlock, decodeWholeBlock } from '../block/decoded-block.ts'
import { gapsIn } from '../block/gaps-in-block.ts'
import { QuoteClock } from '../block/quote-clock.ts'
import { StoredOrigins } from '../block/stored-origins.ts'
import { type BookColumns, bookColumns } from '../book/book-columns.ts'
import { countTrades, tradeSizes } from '../book/trade-amounts.ts'
import { countReleased, LOADING } from '../collect-garbage.ts'
import { joinChunks, type RollupChunk } from '../summary/rollup-sink.ts'
import type { ShownBook } from '../trust/shown-books.ts'
import type { BlockSource } from './block-source.ts'
import type { CollectedPartition } from './collected-partition.ts'
import type { PartitionReplay } from './partition-replay.ts'

/** Blocks with fewer records have no rollup: they are cheap to replay. */
export const ROLLUP_RECORDS_MIN = 4_096

/** Approximate bytes that a record takes while its block is replayed. */
const REPLAYED_BYTES = 256

/** A block that the writer has written or passed. `content` is null for a block that is stored already; `stored` is
 *  null for a new block. `state` is the state that the block starts from. */
export type WrittenBlock = {
  entry: Omit<BlockEntry, 'id' | 'stateId'>
  stored: BlockEntry | null
  content: EncodedBlock['content'] | null
  state: Uint8Array | null
  rollup: RollupChunk | null
}

/** A writer begins before `firstRecord`, with the books and counts of `replay`. `state` is their encoded form, null if
 *  it is not encoded yet. */
export type WriterStart = { key: PartitionKey; firstRecord: number; replay: PartitionReplay; state: Uint8Array | null }

export class PartitionWriter {
  readonly blocks: WrittenBlock[] = []
  /** Gaps in the blocks written here. */
  readonly gaps: GapEntry[] = []
  /** Number of gaps of the partition before the blocks written here. */
  readonly gapsBefore: number
  readonly replay: PartitionReplay
  /** Number of the first record that the writer writes. */
  readonly firstRecord: number
  #state: Uint8Array | null
  #nextRecord: number
  /** Time from which the next block shows another source; undefined if it does not begin a span. */
  #begins: number | undefined
  #builder: BlockBuilder | undefined
  readonly #key: PartitionKey

  constructor({ key, firstRecord, replay, state }: WriterStart) {
    this.#key = key
    this.#state = state
    this.firstRecord = firstRecord
    this.#nextRecord = firstRecord
    this.replay = replay
    this.gapsBefore = replay.gapCount
  }

  /** Copies a record of a decoded block with its final event time. */
  copy(block: DecodedBlock, record: number, timeMs: number): void {
    this.#builder ??= this.#newBuilder()
    this.#builder.pushStored(block, record, timeMs)
    if (this.#builder.isFull) this.#closeBlock()
  }

  /** Copies the records [from, to) with their own times; `from` is the first record of a block. */
  copyAll(source: BlockSource, from: number, to: number): void {
    for (let record = from; record < to; ) {
      const block = source.block(source.blockOf(record))
      const count = Math.min(block.recordCount, to - record)
      if (count === block.recordCount) this.#copyBlock(block)
      else for (let row = 0; row < count; row++) this.copy(block, row, block.timesMs[row]!)
      record += count
    }
  }

  /** Returns whether the blocks of a capture can be stored here as they are: their books have the same numbers, and
   *  their first records open quotes. */
  fits({ bookIds, firstUs }: Pick<CollectedPartition, 'bookIds' | 'firstUs'>): boolean {
    const { clockUs } = this.replay
    const ids = this.replay.ids()
    return ids.every((id, i) => i >= bookIds.length || id === bookIds[i]) && firstUs.every((us, i) => us !== clockUs[i])
  }

  /** Adds a finished block of a capture. */
  add(encoded: EncodedBlock): void {
    this.#closeBlock()
    this.#builder = undefined
    this.#add(encoded)
  }

  /** Replays a stored block without writing it. */
  pass(stored: BlockEntry, bytes: Uint8Array, clockUs: number[]): void {
    this.#closeBlock()
    this.#builder = undefined
    assert(stored.begins === this.#begins, 'the books that a stored block begins with must be given')
    this.#replay(stored, null, decodeBlock(bytes), clockUs, bytes.length)
  }

  /** Switches to another source at `atMs`, Unix ms. From then on, the writer has the books of that source, and no
   *  others. Later records must not be earlier than `atMs`. If there is no record between two switches, only the last
   *  switch counts. */
  switchTo(shown: readonly ShownBook[], atMs: number): void {
    this.#closeBlock()
    const last = this.blocks.at(-1)
    this.#builder = undefined
    this.replay.switchTo(shown, atMs, this.#nextRecord)
    // The open quotes are complete. Their rows join the rollup of the last block. A block without a rollup is replayed
    // when it is read, so its quotes need no rows.
    const rest = this.replay.rollup.take(this.replay.books)
    if (last !== undefined && last.rollup !== null) last.rollup = joinChunks(last.rollup, rest)
    this.#state = null
    this.#begins = atMs
  }

  /** Drops the rows since the last block with a rollup, so that a new rollup begins here. */
  cutRollup(): void {
    this.#closeBlock()
    this.replay.rollup.take(this.replay.books)
  }

  /** Ends the partition. Returns the state at the end. */
  finish(): Uint8Array {
    this.#closeBlock()
    return this.#stateNow()
  }

  #newBuilder(): BlockBuilder {
    const books = new BookTable(onlyBook(this.#key), this.replay.ids())
    return new BlockBuilder(books, new QuoteClock(this.replay.clockUs))
  }

  #copyBlock(block: DecodedBlock): void {
    this.#builder ??= this.#newBuilder()
    if (this.#builder.recordCount + block.recordCount > BLOCK_RECORDS_MAX) {
      for (let record = 0; record < block.recordCount; record++) this.copy(block, record, block.timesMs[record]!)
      return
    }
    this.#builder.pushBlock(block)
    if (this.#builder.isFull) this.#closeBlock()
  }

  #closeBlock(): void {
    if (this.#builder !== undefined && this.#builder.recordCount > 0) this.#add(this.#builder.finish())
  }

  #add(encoded: EncodedBlock): void {
    this.#replay(null, encoded.content, blockOf(encoded), encoded.clockUs, encoded.content.length)
  }

  #replay(
    stored: BlockEntry | null,
    content: EncodedBlock['content'] | null,
    block: Block,
    clockUs: number[],
    size: number,
  ): void {
    const { replay } = this
    // The first block of a partition starts from its opening books, unless it begins with a switch to another source.
    const state = this.#nextRecord === 0 && this.#begins === undefined ? null : this.#stateNow()
    const columns = bookColumns(block)
    const fields = new StoredOrigins(block, columns)
    const sizes = tradeSizes(block)
    replay.apply({ columns, firstRecord: this.#nextRecord, fields, tradeSizes: sizes })
    replay.clockUs = clockAfter(columns, clockUs, replay.clockUs)
    if (block.shapes.some(({ shape }) => shape.kind === 'gap')) this.gaps.push(...gapsIn(decodeWholeBlock(block)))
    replay.gapCount = this.gapsBefore + this.gaps.length
    this.#state = null
    const entry = {
      ...entryOf(this.#nextRecord, columns, countTrades(columns, sizes), size),
      ...(this.#begins !== undefined && { begins: this.#begins }),
    }
    this.#begins = undefined
    const rollup = entry.recordCount < ROLLUP_RECORDS_MIN ? null : replay.rollup.take(replay.books)
    this.blocks.push({ entry, stored, content, state, rollup })
    this.#nextRecord += entry.recordCount
    countReleased(REPLAYED_BYTES * entry.recordCount, LOADING)
  }

  #stateNow(): Uint8Array {
    this.#state ??= this.replay.state()
    return this.#state
  }
}

// Returns the quote clock after a block. The clock of a block that was built alone has only the books that changed in
// it.
function clockAfter(columns: BookColumns, own: number[], before: number[]): number[] {
  const { recordCount, books, operations, shapes } = columns
  const clock = [...before]
  for (let record = 0; record < recordCount; record++) {
    const number = books[record]!
    const { kind } = shapes[operations[record]! >>> 1]!
    const changes = kind === 'snapshot' || kind === 'delta' || kind === 'gap'
    if (changes && number > 0) clock[number - 1] = own[number - 1]!
  }
  return Array.from(clock, (us) => us ?? Number.NaN)
}

function entryOf(
  firstRecord: number,
  { recordCount, timesMs, books, bookIds }: BookColumns,
  tradeCounts: number[],
  bytes: number,
): WrittenBlock['entry'] {
  const bookRecords = bookIds.map(() => 0)
  for (let record = 0; record < recordCount; record++) if (books[record]! > 0) bookRecords[books[record]! - 1]!++
  const [firstMs, lastMs] = [timesMs[0]!, timesMs[recordCount - 1]!]
  return { firstRecord, recordCount, firstMs, lastMs, bookRecords, tradeCounts, bytes }
}
