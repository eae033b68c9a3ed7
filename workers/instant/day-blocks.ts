// Reads single blocks of a stored day, for lookups of single records. Each block is read once, and only the columns
// that list its records are decoded.

import { blockPart, type PartId, statePart } from '../../storage/block-store.ts'
import { readingOf } from '../../storage/damage.ts'
import { type Block, decodeBlock, unpackIndexes, unpackInts } from '../../storage/format/block.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import { effectOf, type RecordKind } from '../../storage/format/shape.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { StoredFields } from '../block/stored-fields.ts'
import type { BookColumns } from '../book/book-columns.ts'
import { releaseBook } from '../book/book-pool.ts'
import { decodeState } from '../book/book-state.ts'

type Records = Pick<BookColumns, 'recordCount' | 'timesMs' | 'operations' | 'books'>

export class DayBlock {
  readonly block: Block
  readonly records: Records
  readonly fields: StoredFields
  /** Record number, within the day, of the block's first record. */
  readonly firstRecord: number
  readonly #kinds: RecordKind[]

  constructor(block: Block, firstRecord: number, records: Records) {
    this.block = block
    this.firstRecord = firstRecord
    this.records = records
    this.fields = new StoredFields(block, records)
    this.#kinds = block.shapes.map(({ shape }) => effectOf(shape))
  }

  kindOf(record: number): RecordKind {
    return this.#kinds[this.records.operations[record]! >>> 1]!
  }
}

export class DayBlocks {
  readonly key: PartitionKey
  readonly head: PartitionHead
  readonly #store: Pick<Store, 'blocks'>
  readonly #blocks: (DayBlock | undefined)[] = []
  readonly #progress: unknown[] = []

  constructor(store: Pick<Store, 'blocks'>, key: PartitionKey, head: PartitionHead) {
    this.#store = store
    this.key = key
    this.head = head
  }

  /** Returns the index of the block that has a record of the day. */
  indexOf(record: number): number {
    return this.head.blocks.findLastIndex(({ firstRecord }) => firstRecord <= record)
  }

  /** Adds a block that is read already; `progress` is from the state before it. */
  add(index: number, block: Block, columns: BookColumns, progress: unknown): DayBlock {
    const read = new DayBlock(block, this.head.blocks[index]!.firstRecord, columns)
    this.#blocks[index] = read
    this.#progress[index] = progress
    return read
  }

  /** Returns a block. Like `progressBefore`, rejects with DataError('block_corrupt'). */
  async block(index: number): Promise<DayBlock> {
    const { id, firstRecord } = this.head.blocks[index]!
    this.#blocks[index] ??= await this.#read(blockPart(id), `block ${index}`, (bytes) => {
      const block = decodeBlock(bytes)
      const { recordCount } = block
      return new DayBlock(block, firstRecord, {
        recordCount,
        timesMs: unpackInts(block.timesMs, recordCount),
        operations: unpackIndexes(block.operations, recordCount),
        books: unpackIndexes(block.bookIndexes, recordCount),
      })
    })
    return this.#blocks[index]
  }

  /** Returns the progress in the state before a block; null before the first block, which has no earlier records of the
   *  day. */
  async progressBefore(index: number): Promise<unknown> {
    if (index === 0) return null
    this.#progress[index] ??= await this.#read(
      statePart(this.head.blocks[index]!.stateId),
      `state ${index}`,
      (bytes) => {
        const { books, progress } = decodeState(bytes)
        for (const { book } of books) releaseBook(book)
        return progress
      },
    )
    return this.#progress[index]
  }

  async #read<T>(part: PartId, what: string, read: (bytes: Uint8Array) => T): Promise<T> {
    const parts = await this.#store.blocks.fetch([{ key: this.key, ...part }])
    return readingOf(this.key, what, () => read(parts.bytes(this.key, part)))
  }
}
