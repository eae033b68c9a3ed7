// Collects records into one block after the other. The books are those of the whole sequence, so that a book has one
// number throughout its blocks.

import { BLOCK_RECORDS_MAX, type Block, encodeBlock, packInts } from '../../storage/block.ts'
import type { BookTable } from './book-table.ts'
import { NumberBuilder } from './number-builder.ts'
import type { QuoteClock } from './quote-clock.ts'
import type { RecordRow } from './record-row.ts'
import { ShapeBuilder } from './shape-builder.ts'

/** `load` gives its bytes, from memory or from where they were put aside. */
export type EncodedBlock = { load: () => Uint8Array; bytes: number; recordCount: number }

export class BlockBuilder {
  readonly #books: BookTable
  readonly #clock: QuoteClock
  #timesMs = new NumberBuilder()
  #operations = new NumberBuilder()
  #bookIndexes = new NumberBuilder()
  #shapes: ShapeBuilder[] = []
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

  /** Memory held, roughly. */
  get bytes(): number {
    return 1_024 + 24 * this.#timesMs.values.length + this.#shapes.reduce((sum, shape) => sum + shape.bytes, 0)
  }

  push(row: RecordRow): void {
    const book = row.bookStart < 0 ? 0 : this.#books.numberOf(row.bytes, row.bookStart, row.bookEnd)
    const opens = book > 0 && this.#clock.opensQuote(book, row.form.shape.kind, row.venueUs)
    const shape = this.#shapeIndex(row)
    this.#timesMs.push(row.timeMs)
    this.#operations.push(2 * shape + (opens ? 1 : 0))
    this.#bookIndexes.push(book)
    this.#shapes[shape]!.push(row, opens)
  }

  /** Encodes what was pushed since the last call; there must be something. */
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
    const bytes = encodeBlock(block)
    this.#timesMs = new NumberBuilder()
    this.#operations = new NumberBuilder()
    this.#bookIndexes = new NumberBuilder()
    this.#shapes = []
    this.#shapeIndexes = new Map()
    this.#lastKey = ''
    return { load: () => bytes, bytes: bytes.length, recordCount }
  }

  #shapeIndex({ form: { shapeKey, shape } }: RecordRow): number {
    if (shapeKey === this.#lastKey) return this.#lastShape
    let index = this.#shapeIndexes.get(shapeKey)
    if (index === undefined) {
      index = this.#shapes.length
      this.#shapes.push(new ShapeBuilder(shape))
      this.#shapeIndexes.set(shapeKey, index)
    }
    this.#lastKey = shapeKey
    this.#lastShape = index
    return index
  }
}
