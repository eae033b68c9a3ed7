// The records of one partition as one capture gives them, in capture order, as encoded blocks and one open block.

import type { PartitionKey } from '../../storage/partition-key.ts'
import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import { BlockBuilder, type EncodedBlock } from './block-builder.ts'
import { BookTable } from './book-table.ts'
import { QuoteClock } from './quote-clock.ts'
import type { RecordRow } from './record-row.ts'

export class PartitionBuffer {
  readonly key: PartitionKey
  readonly startMs: number
  readonly endMs: number
  readonly blocks: EncodedBlock[] = []
  /** Whether event times never step back: one run, which needs no sorting. */
  isSorted = true
  /** Records of the partition, in capture order, that nothing followed in their run, if they are untimed snapshots. */
  readonly looseSnapshots: number[] = []
  /** No record of the partition can be the same as a stored one that is earlier than this. */
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

  get recordCount(): number {
    return this.#recordCount
  }

  /** What came last is followed by nothing. */
  endRun(): void {
    if (this.#isLastUntimed) this.looseSnapshots.push(this.#recordCount - 1)
    this.#isLastUntimed = false
  }

  /** Memory of the closed blocks that are not put aside. */
  get closedBytes(): number {
    return this.blocks.reduce((sum, block) => sum + block.bytes, 0)
  }

  /** Moves the closed blocks out of memory. */
  putAside(write: (bytes: Uint8Array) => () => Uint8Array): void {
    for (let i = 0; i < this.blocks.length; i++) {
      const block = this.blocks[i]!
      if (block.bytes > 0) this.blocks[i] = { ...block, load: write(block.load()), bytes: 0 }
    }
  }

  /** Memory of the open block, roughly. */
  get openBytes(): number {
    return this.#builder?.bytes ?? 0
  }

  push(row: RecordRow, twinMs: number): void {
    this.touchedAt = row.message
    if (row.timeMs < this.#lastMs) {
      this.isSorted = false
      this.endRun()
    }
    this.#lastMs = row.timeMs
    this.#isLastUntimed = row.form.shape.kind === 'snapshot' && Number.isNaN(row.venueUs)
    this.#recordCount++
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
