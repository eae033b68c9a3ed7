// Reads one column of a row group from first to last row, in steps of any number of rows. Holds at most one page.

import type { CompressionCodec } from 'hyparquet'
import { PAGE_VALUES_MAX, type PackedPage, type Page, pagesOf } from './column-pages.ts'
import type { PageValues } from './page-values.ts'
import type { Leaf } from './parquet-schema.ts'

export type Chunk = { leaf: Leaf; codec: CompressionCodec; bytes: Uint8Array }

/** Receives entries [start, end) of a page. `count` of these entries have a value. The receiver must read these values
 *  before it returns. */
type Take = (page: Page, start: number, end: number, count: number) => void

export class ColumnReader<Into, Values extends PageValues<Into>> {
  readonly leaf: Leaf
  readonly values: Values
  /** Number of rows read or skipped. */
  row = 0
  readonly #rows: number
  readonly #pages: Generator<PackedPage>
  readonly #room: (length: number) => Into
  #page: Page | undefined
  /** Number of the page's entries read so far. */
  #entry = 0

  /** `rows` is the row count of the row group; `room` returns space for skipped values. */
  constructor({ leaf, codec, bytes }: Chunk, rows: number, values: Values, room: (length: number) => Into) {
    this.leaf = leaf
    this.values = values
    this.#rows = rows
    this.#pages = pagesOf(bytes, { codec, ...leaf })
    this.#room = room
  }

  /** Reads the next rows, page by page. Throws Error if they cannot be read. */
  read(count: number, take: Take): void {
    if (this.leaf.repetition > 0) this.#readLists(count, take)
    else this.#readValues(count, take)
    if (this.row === this.#rows && this.#hasMore()) throw new Error('has more values than rows')
  }

  /** Skips the rows before `row`. Pages that have only skipped rows stay closed, except in a column of lists. */
  skipTo(row: number): void {
    const skip: Take = (_page, _start, _end, count) => {
      if (count > 0) this.values.read(this.#room(count), count)
    }
    if (this.leaf.repetition === 0) {
      while (this.row < row && (!this.#isAtEnd() || this.#next(row - this.row))) {
        const left = this.#page!.entries - this.#entry
        this.#readValues(Math.min(row - this.row, left), skip)
      }
    }
    if (this.row < row) this.read(row - this.row, skip)
  }

  #readValues(count: number, take: Take): void {
    for (let end = this.row + count; this.row < end; ) {
      if (this.#isAtEnd()) {
        if (!this.#next(0)) throw this.#tooFew()
        continue
      }
      const page = this.#page!
      const start = this.#entry
      const taken = Math.min(page.entries - start, end - this.row)
      take(page, start, start + taken, presentIn(page, start, start + taken, this.leaf))
      this.#entry += taken
      this.row += taken
    }
  }

  /** Reads the next rows of a column of lists. A row may begin in one page and end in another. It ends where an entry
   *  begins the next row. */
  #readLists(count: number, take: Take): void {
    const end = this.row + count
    while (!this.#isAtEnd() || this.#next(0)) {
      const page = this.#page!
      const start = this.#entry
      let at = start
      for (; at < page.entries; at++) {
        if (page.repetitions![at] !== 0) continue
        if (this.row === end) break
        this.row++
      }
      if (at > start) take(page, start, at, presentIn(page, start, at, this.leaf))
      this.#entry = at
      if (at < page.entries) return
    }
    if (this.row < end) throw this.#tooFew()
  }

  #isAtEnd(): boolean {
    return this.#page === undefined || this.#entry === this.#page.entries
  }

  #hasMore(): boolean {
    if (!this.#isAtEnd()) return true
    for (const { isDictionary, entries } of this.#pages) if (!isDictionary && entries > 0) return true
    return false
  }

  /** Opens the next page. Skips pages whose rows are all among the next `left` rows. Returns false if no page
   *  follows. */
  #next(left: number): boolean {
    const skipped = this.row + left
    this.#page = undefined
    for (;;) {
      // A for-of loop would close the generator.
      const { value: page, done } = this.#pages.next()
      if (done === true) return false
      if (!(page.entries >= 0 && page.entries <= PAGE_VALUES_MAX)) {
        throw new Error(`a page says ${page.entries ?? 'no number of'} values: up to ${PAGE_VALUES_MAX} are read`)
      }
      if (page.isDictionary) {
        this.values.dictionary(page.open())
        continue
      }
      const hasRows = this.leaf.repetition === 0
      if (hasRows && this.row + page.entries > this.#rows) throw new Error('has more values than rows')
      if (hasRows && this.row + page.entries <= skipped) {
        this.row += page.entries
        continue
      }
      this.#page = page.open()
      this.#entry = 0
      this.values.begin(this.#page)
      return true
    }
  }

  #tooFew(): Error {
    return new Error(`has ${this.row} values for ${this.#rows} rows`)
  }
}

/** Returns how many values of entries [start, end) are present. */
function presentIn({ definitions, count, entries }: Page, start: number, end: number, { definition }: Leaf): number {
  if (count === entries) return end - start
  if (count === 0 || end - start === entries) return count
  let present = 0
  for (let i = start; i < end; i++) if (definitions![i] === definition) present++
  return present
}
