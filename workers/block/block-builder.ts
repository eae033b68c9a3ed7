// Collects records into consecutive blocks. The book table covers the whole sequence, so a book has one number in all
// of its blocks.

import { BLOCK_RECORDS_MAX, type Block, decodeBlock, encodeBlock } from '../../storage/format/block.ts'
import { packInts } from '../../storage/format/columns/packed-ints.ts'
import { effectOf, type Shape } from '../../storage/format/shape.ts'
import { NumberBuilder } from '../bytes/number-builder.ts'
import type { BookTable } from './book-table.ts'
import type { DecodedBlock } from './decoded-block.ts'
import type { QuoteClock } from './quote-clock.ts'
import type { RecordRow } from './record-row.ts'
import { ShapeBuilder } from './shape-builder.ts'
import { readSpilled, type SpilledBytes } from './spill-file.ts'
import { storedVenueUs } from './stored-venue-time.ts'

/** `content` is the block's bytes, or their place in a spill file. `clockUs` is the state of the quote clock after
 *  the last record. */
export type EncodedBlock = { content: Uint8Array | SpilledBytes; recordCount: number; clockUs: number[] }

/** Returns a block's bytes, from memory or from the spill file. */
export function loadBlock({ content }: Pick<EncodedBlock, 'content'>): Uint8Array {
  return content instanceof Uint8Array ? content : readSpilled(content)
}

/** Small blocks that were just built, by their bytes. They are cached because appends read them again at once. */
const built = new WeakMap<Uint8Array, Block>()
const SMALL_RECORDS_MAX = 512

/** Returns the decoded block. Throws DataError('block_corrupt'). */
export function blockOf(encoded: EncodedBlock): Block {
  const { content } = encoded
  return (content instanceof Uint8Array ? built.get(content) : undefined) ?? decodeBlock(loadBlock(encoded))
}

export class BlockBuilder {
  readonly #books: BookTable
  readonly #clock: QuoteClock
  readonly #timesMs = new NumberBuilder()
  readonly #operations = new NumberBuilder()
  readonly #bookIndexes = new NumberBuilder()
  #shapes: ShapeBuilder[] = []
  /** Shape builders of earlier blocks, by shape. They are used again, because most shapes occur again. */
  #spareShapes = new Map<string, ShapeBuilder>()
  #shapeIndexes = new Map<string, number>()
  #lastKey = ''
  #lastShape = 0

  constructor(books: BookTable, clock: QuoteClock) {
    this.#books = books
    this.#clock = clock
  }

  get recordCount(): number {
    return this.#timesMs.count
  }

  get isFull(): boolean {
    return this.#timesMs.count >= BLOCK_RECORDS_MAX
  }

  /** The approximate memory that the builder uses, bytes. */
  get bytes(): number {
    return 1_024 + 24 * this.#timesMs.values.length + this.#shapes.reduce((sum, shape) => sum + shape.bytes, 0)
  }

  /** Adds a record. Returns the number of its book; 0 for a record of the whole market. */
  push(row: RecordRow): number {
    const book = row.bookStart < 0 ? 0 : this.#books.numberOf(row.bytes, row.bookStart, row.bookEnd, row.bookText)
    const opens = book > 0 && this.#clock.opensQuote(book, row.form.shape.kind, row.venueUs)
    const shape = this.#shapeIndex(row.form.shapeKey, row.form.shape)
    this.#pushRecord(row.timeMs, shape, opens, book)
    this.#shapes[shape]!.push(row, opens)
    return book
  }

  /** Like `push`, for a record of a stored block. One builder must not mix stored records and rows. */
  pushStored(block: DecodedBlock, record: number, timeMs: number): void {
    const stored = block.shapes[block.shapeIndexes[record]!]!
    const row = block.rows[record]!
    const id = block.bookIds[block.books[record]! - 1]
    const book = id === undefined ? 0 : this.#books.numberOfId(id)
    const opens = book > 0 && this.#clock.opensQuote(book, effectOf(stored.shape), storedVenueUs(stored, row))
    const shape = this.#shapeIndex(keyOf(stored.shape), stored.shape)
    this.#pushRecord(timeMs, shape, opens, book)
    this.#shapes[shape]!.pushStored(stored, row, timeMs, opens)
  }

  /** Like `pushStored`, for all records of a block. Each record keeps its event time. */
  pushBlock(block: DecodedBlock): void {
    const { recordCount, shapes, shapeIndexes, rows, books, timesMs } = block
    const isOneEach = new Set(shapes.map(({ shape }) => keyOf(shape))).size === shapes.length
    if (!isOneEach || new Set(shapes.map(({ slots }) => slots)).size < shapes.length) {
      for (let record = 0; record < recordCount; record++) this.pushStored(block, record, timesMs[record]!)
      return
    }
    // Books and shapes are numbered in the order of their first records.
    const numbers: (number | undefined)[] = []
    const indexes: (number | undefined)[] = []
    const opened = shapes.map((shape) => new Uint8Array(shape.timesMs.length))
    for (let record = 0; record < recordCount; record++) {
      const id = block.bookIds[books[record]! - 1]
      numbers[books[record]!] ??= id === undefined ? 0 : this.#books.numberOfId(id)
      const book = numbers[books[record]!]!
      const stored = shapes[shapeIndexes[record]!]!
      const row = rows[record]!
      indexes[shapeIndexes[record]!] ??= this.#shapeIndex(keyOf(stored.shape), stored.shape)
      const opens = book > 0 && this.#clock.opensQuote(book, effectOf(stored.shape), storedVenueUs(stored, row))
      if (opens) opened[shapeIndexes[record]!]![row] = 1
      this.#pushRecord(timesMs[record]!, indexes[shapeIndexes[record]!]!, opens, book)
    }
    for (const [i, index] of indexes.entries()) {
      if (index !== undefined) this.#shapes[index]!.pushAll(shapes[i]!, opened[i]!)
    }
  }

  #pushRecord(timeMs: number, shape: number, opens: boolean, book: number): void {
    this.#timesMs.push(timeMs)
    this.#operations.push(2 * shape + (opens ? 1 : 0))
    this.#bookIndexes.push(book)
  }

  /** Encodes what was pushed since the last call, which must be at least one record. */
  finish(): EncodedBlock {
    const recordCount = this.#timesMs.count
    const block: Block = {
      recordCount,
      books: this.#books.ids(),
      timesMs: packInts(this.#timesMs.values, recordCount),
      operations: packInts(this.#operations.values, recordCount),
      bookIndexes: packInts(this.#bookIndexes.values, recordCount),
      shapes: this.#shapes.map((shape) => shape.finish()),
    }
    const content = encodeBlock(block)
    if (recordCount <= SMALL_RECORDS_MAX) built.set(content, block)
    this.#clear()
    return { content, recordCount, clockUs: this.#clock.state() }
  }

  #clear(): void {
    for (const column of [this.#timesMs, this.#operations, this.#bookIndexes]) column.clear()
    this.#spareShapes = new Map()
    for (const [key, index] of this.#shapeIndexes) {
      const shape = this.#shapes[index]!
      shape.clear()
      this.#spareShapes.set(key, shape)
    }
    this.#shapes = []
    this.#shapeIndexes = new Map()
    this.#lastKey = ''
  }

  #shapeIndex(shapeKey: string, shape: Shape): number {
    if (shapeKey === this.#lastKey) return this.#lastShape
    let index = this.#shapeIndexes.get(shapeKey)
    if (index === undefined) {
      index = this.#shapes.length
      this.#shapes.push(this.#spareShapes.get(shapeKey) ?? new ShapeBuilder(shape))
      this.#shapeIndexes.set(shapeKey, index)
    }
    this.#lastKey = shapeKey
    this.#lastShape = index
    return index
  }
}

/** The JSON of each shape: shapes of stored blocks are equal if their JSON is equal. */
const keys = new WeakMap<Shape, string>()
function keyOf(shape: Shape): string {
  let key = keys.get(shape)
  if (key === undefined) {
    key = JSON.stringify(shape)
    keys.set(shape, key)
  }
  return key
}
