// The records of one partition as one capture gives them, in capture order, as encoded blocks and one open block.

import type { PartitionKey } from '../../storage/partition-key.ts'
import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import { BlockBuilder, type EncodedBlock } from '../block/block-builder.ts'
import { BookTable } from '../block/book-table.ts'
import { QuoteClock } from '../block/quote-clock.ts'
import type { RecordRow } from '../block/record-row.ts'
import type { SpilledBytes } from '../block/spill-file.ts'
import type { CollectedPartition } from './collected-partition.ts'

export class PartitionBuffer {
  readonly key: PartitionKey
  readonly startMs: number
  readonly endMs: number
  readonly blocks: EncodedBlock[] = []
  isSorted = true
  readonly looseSnapshots: number[] = []
  startsMs = Number.NaN
  earliestTwinMs = Number.POSITIVE_INFINITY
  /** Count of the capture's messages when the last record came: which buffers are at rest. */
  touchedAt = 0
  #lastMs = Number.NEGATIVE_INFINITY
  #isLastUntimed = false
  #recordCount = 0
  readonly #books: BookTable
  readonly #clock = new QuoteClock()
  #builder: BlockBuilder | undefined

  constructor(key: PartitionKey) {
    this.key = key
    this.startMs = dateStartMs(key.date)
    this.endMs = this.startMs + DAY_MS
    this.#books = new BookTable(key.venue === 'kalshi' ? key.market : undefined)
  }

  /** Nothing follows. */
  collect(): CollectedPartition {
    this.closeBlock()
    this.endRun()
    const { key, blocks, isSorted, looseSnapshots, startsMs, earliestTwinMs } = this
    const recordCount = this.#recordCount
    const [bookIds, firstUs] = [this.#books.ids(), this.#clock.first()]
    const order = { isSorted, looseSnapshots, startsMs, earliestTwinMs }
    return { key, recordCount, blocks, bookIds, firstUs, ...order, planned: null, ongoing: null, recorders: [] }
  }

  /** What came last is followed by nothing: the market's next record steps back, or is of another day. */
  endRun(): void {
    if (this.#isLastUntimed) this.looseSnapshots.push(this.#recordCount - 1)
    this.#isLastUntimed = false
  }

  /** Memory of the closed blocks that are not spilled. */
  get closedBytes(): number {
    return this.blocks.reduce((sum, { content }) => sum + (content instanceof Uint8Array ? content.length : 0), 0)
  }

  /** Moves the closed blocks out of memory. */
  spill(write: (bytes: Uint8Array) => SpilledBytes): void {
    for (const block of this.blocks) if (block.content instanceof Uint8Array) block.content = write(block.content)
  }

  /** Memory of the open block, roughly. */
  get openBytes(): number {
    return this.#builder?.bytes ?? 0
  }

  /** Whether the row's book may be one of the partition's. */
  hasRoomFor({ bytes, bookStart, bookEnd }: RecordRow): boolean {
    return bookStart < 0 || this.#books.hasRoomFor(bytes, bookStart, bookEnd)
  }

  push(row: RecordRow, twinMs: number): void {
    this.touchedAt = row.message
    if (row.timeMs < this.#lastMs) {
      this.isSorted = false
      this.endRun()
    }
    this.#lastMs = row.timeMs
    this.#isLastUntimed = row.form.shape.kind === 'snapshot' && Number.isNaN(row.venueUs)
    if (this.#recordCount++ === 0) this.startsMs = row.timeMs
    if (twinMs < this.earliestTwinMs) this.earliestTwinMs = twinMs
    this.#builder ??= new BlockBuilder(this.#books, this.#clock)
    this.#builder.push(row)
    if (this.#builder.isFull) this.blocks.push(this.#builder.finish())
  }

  /** Encodes the open block, full or not, and gives its memory back. */
  closeBlock(): void {
    if (this.#builder !== undefined && this.#builder.recordCount > 0) this.blocks.push(this.#builder.finish())
    this.#builder = undefined
  }
}
