// Columns of one row group as typed arrays, each read when it is asked for.

import type { CompressionCodec } from 'hyparquet'
import { ArchiveFault } from '../archive-fault.ts'
import { type Page, pagesOf } from './column-pages.ts'
import { NumberValues, WholeValues, WordValues } from './page-values.ts'
import type { Leaf } from './parquet-schema.ts'
import { Words } from './words.ts'

export type Chunk = { leaf: Leaf; codec: CompressionCodec; bytes: Uint8Array }

/** Of each row its word; -1 where it has none. */
export type WordColumn = { places: Int32Array; words: Words }

/** Values of row i stand from `starts[i]` to before `starts[i + 1]`; NaN where an element has none. */
export type ListColumn = { starts: Uint32Array; values: Float64Array }

type Values<Into> = { dictionary(page: Page): void; read(page: Page, into: Into): void }

const NO_NUMBERS = new Float64Array(0)
const NO_WORDS: WordColumn = { places: new Int32Array(0), words: new Words() }

export class RowGroup {
  readonly rows: number
  readonly #file: string
  readonly #chunks: readonly Chunk[]

  constructor(file: string, rows: number, chunks: readonly Chunk[]) {
    this.#file = file
    this.rows = rows
    this.#chunks = chunks
  }

  /** As `numbers`, but without any where no row has one. */
  fewNumbers(name: string, into?: Float64Array): Float64Array {
    return this.#isEmpty(name) ? NO_NUMBERS : this.numbers(name, into)
  }

  /** NaN where there is none. Throws ArchiveFault for a whole number that a double cannot hold. */
  numbers(name: string, into: Float64Array = new Float64Array(this.rows)): Float64Array {
    const { leaf } = this.#chunk(name)
    let dense = new Float64Array(0)
    this.#read(name, name, new NumberValues(leaf), (values, page, row) => {
      const { definitions, entries, count } = page
      const target = into.subarray(row, row + entries)
      if (count === entries) {
        values.read(page, target)
        return this.#checkWhole(name, target, count)
      }
      if (dense.length < count) dense = new Float64Array(count)
      values.read(page, dense)
      this.#checkWhole(name, dense, count)
      for (let i = 0, at = 0; i < entries; i++)
        target[i] = definitions![i] === leaf.definition ? dense[at++]! : Number.NaN
    })
    return into
  }

  /** Whole numbers of 64 bits without a sign; 0 where there is none. */
  wholes(name: string): BigUint64Array {
    const { leaf } = this.#chunk(name)
    if (leaf.type !== 'INT64') throw this.#fault(name, `whole numbers as ${leaf.type} are not read`)
    const into = new BigUint64Array(this.rows)
    this.#read(name, name, new WholeValues(), (values, page, row) => {
      const dense = new BigUint64Array(page.count)
      values.read(page, dense)
      const { definitions, entries, count } = page
      if (count === entries) return into.set(dense, row)
      for (let i = 0, at = 0; i < entries; i++) if (definitions![i] === leaf.definition) into[row + i] = dense[at++]!
    })
    return into
  }

  /** As `words`, but without any where no row has one. */
  fewWords(name: string, places?: Int32Array): WordColumn {
    return this.#isEmpty(name) ? NO_WORDS : this.words(name, places)
  }

  words(name: string, places: Int32Array = new Int32Array(this.rows)): WordColumn {
    const { leaf } = this.#chunk(name)
    const reader = new WordValues(leaf)
    let dense = new Uint32Array(0)
    this.#read(name, name, reader, (values, page, row) => {
      const { definitions, entries, count } = page
      if (count === 0) {
        places.fill(-1, row, row + entries)
        return
      }
      if (dense.length < count) dense = new Uint32Array(count)
      values.read(page, dense)
      if (count === entries) return places.set(dense.subarray(0, count), row)
      for (let i = 0, at = 0; i < entries; i++)
        places[row + i] = definitions![i] === leaf.definition ? dense[at++]! : -1
    })
    return { places, words: reader.words }
  }

  /** A field of the structs in lists. */
  lists(name: string, field: string): ListColumn {
    const { leaf } = this.#chunk(name, field)
    const starts = new Uint32Array(this.rows + 1)
    let values = new Float64Array(1_024)
    let dense = new Float64Array(0)
    let length = 0
    let row = 0
    this.#read(name, field, new NumberValues(leaf), (reader, page) => {
      const { definitions, repetitions, entries, count } = page
      if (dense.length < count) dense = new Float64Array(count)
      reader.read(page, dense)
      this.#checkWhole(name, dense, count)
      if (length + entries > values.length) {
        const grown = new Float64Array(Math.max(2 * values.length, length + entries))
        grown.set(values.subarray(0, length))
        values = grown
      }
      for (let i = 0, at = 0; i < entries; i++) {
        if (repetitions![i] === 0) starts[row++] = length
        const level = definitions![i]!
        if (level === leaf.definition) values[length++] = dense[at++]!
        else if (level >= leaf.element) values[length++] = Number.NaN
      }
      return row
    })
    starts[this.rows] = length
    return { starts, values }
  }

  /** `take` is told the row that a page begins at, and returns the one that it ends at where that is not by entries. */
  #read<Into>(
    name: string,
    field: string,
    values: Values<Into>,
    // biome-ignore lint/suspicious/noConfusingVoidType: most pages end where their entries do.
    take: (values: Values<Into>, page: Page, row: number) => number | void,
  ): void {
    const { leaf, codec, bytes } = this.#chunk(name, field)
    let row = 0
    try {
      for (const page of pagesOf(bytes, { codec, ...leaf })) {
        if (page.isDictionary) {
          values.dictionary(page)
          continue
        }
        if (leaf.repetition === 0 && row + page.entries > this.rows) throw new Error('has more values than rows')
        row = take(values, page, row) ?? row + page.entries
      }
      if (row !== this.rows) throw new Error(`has ${row} values for ${this.rows} rows`)
    } catch (error) {
      if (error instanceof ArchiveFault) throw error
      throw this.#fault(name, (error as Error).message)
    }
  }

  #isEmpty(name: string): boolean {
    const { leaf, codec, bytes } = this.#chunk(name)
    try {
      for (const page of pagesOf(bytes, { codec, ...leaf })) if (!page.isDictionary && page.count > 0) return false
    } catch (error) {
      throw this.#fault(name, (error as Error).message)
    }
    return true
  }

  #checkWhole(name: string, values: Float64Array, count: number): void {
    for (let i = 0; i < count; i++) {
      const value = values[i]!
      if (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER) {
        throw this.#fault(name, `a value is about ${value}, which is more than a double holds exactly`)
      }
    }
  }

  #chunk(name: string, field = name): Chunk {
    return this.#chunks.find(({ leaf }) => leaf.name === name && leaf.field === field)!
  }

  #fault(name: string, why: string): ArchiveFault {
    return new ArchiveFault(this.#file, `cannot be read: column ${name}, ${why}`)
  }
}
