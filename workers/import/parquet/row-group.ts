// Reads columns of one row group as typed arrays, on demand: all rows, or one range after another.

import { ArchiveFault } from '../archive-fault.ts'
import { type Chunk, ColumnReader } from './column-reader.ts'
import { DOUBLES, NumberValues, type PageValues, WHOLES, WordValues } from './page-values.ts'
import type { Leaf } from './parquet-schema.ts'
import type { Words } from './words.ts'

/** `places` has the index in `words` of each row's word; -1 if the row has no word. */
export type WordColumn = { places: Int32Array; words: Words }

/** Row i has the values from index starts[i] up to, but not including, starts[i + 1]. An element without a value is
 *  NaN. */
export type ListColumn = { starts: Uint32Array; values: Float64Array }

/** Rows [start, end). */
export type RowRange = { start: number; end: number }

const LIST_VALUES = 1_024

/** Reads ranges of columns in ascending order. For a range before the last one, reads the column again from its first
 *  row. Words that are in no dictionary are valid until the next range of their column is read. */
export class RowGroup {
  readonly rows: number
  readonly #file: string
  readonly #chunks: readonly Chunk[]
  readonly #readers = new Map<Chunk, unknown>()

  constructor(file: string, rows: number, chunks: readonly Chunk[]) {
    this.#file = file
    this.rows = rows
    this.#chunks = chunks
  }

  /** Returns another reader of the same rows, which starts at the first row. */
  again(): RowGroup {
    return new RowGroup(this.#file, this.rows, this.#chunks)
  }

  /** Returns numbers; NaN for a missing value. Throws ArchiveFault for an integer that a double cannot hold. */
  numbers(name: string, range = this.#all): Float64Array {
    const into = new Float64Array(lengthOf(range))
    this.#fill(name, this.#reader(name, name, range, newNumbers, DOUBLES.column), range, into, Number.NaN)
    this.#checkWhole(name, into, into.length)
    return into
  }

  /** Returns unsigned 64-bit integers; 0 for a missing value. */
  wholes(name: string, range = this.#all): BigUint64Array {
    const { type } = this.#chunk(name).leaf
    if (type !== 'INT64') throw this.#fault(name, `whole numbers as ${type} are not supported`)
    const into = new BigUint64Array(lengthOf(range))
    this.#fill(name, this.#reader(name, name, range, newWholes, WHOLES.column), range, into, 0n)
    return into
  }

  words(name: string, range = this.#all): WordColumn {
    const places = new Int32Array(lengthOf(range))
    const reader = this.#reader(name, name, range, newWords, roomForPlaces)
    const { words } = reader.values
    words.exchange()
    this.#fill(name, reader, range, places, -1)
    return { places, words }
  }

  /** Returns one field of the structs in a column of lists. */
  lists(name: string, field: string, range = this.#all): ListColumn {
    const reader = this.#reader(name, field, range, newNumbers, DOUBLES.column)
    const { leaf } = reader
    const rows = lengthOf(range)
    const starts = new Uint32Array(rows + 1)
    let values = new Float64Array(LIST_VALUES)
    let length = 0
    let row = 0
    this.#read(name, reader, range, ({ definitions, repetitions }, start, end, count) => {
      const dense = new Float64Array(count)
      if (count > 0) reader.values.read(dense, count)
      this.#checkWhole(name, dense, count)
      if (length + end - start > values.length) {
        const grown = new Float64Array(Math.max(2 * values.length, length + end - start))
        grown.set(values.subarray(0, length))
        values = grown
      }
      for (let i = start, at = 0; i < end; i++) {
        if (repetitions![i] === 0) starts[row++] = length
        const level = definitions![i]!
        if (level === leaf.definition) values[length++] = dense[at++]!
        else if (level >= leaf.element) values[length++] = Number.NaN
      }
    })
    starts[rows] = length
    return { starts, values }
  }

  /** Reads values into the places of their rows. Rows without a value get `none`. */
  #fill<Into extends Float64Array | BigUint64Array | Int32Array, Values extends PageValues<Into>>(
    name: string,
    reader: ColumnReader<Into, Values>,
    range: RowRange,
    into: Into,
    none: Into[number],
  ): void {
    let row = 0
    this.#read(name, reader, range, (page, start, end, count) => {
      const target = into.subarray(row, row + end - start) as Into
      row += end - start
      if (count === 0) return void target.fill(none as never)
      if (count === end - start) return reader.values.read(target, count)
      const dense = into.slice(0, count) as Into
      reader.values.read(dense, count)
      for (let i = start, at = 0; i < end; i++) {
        target[i - start] = page.definitions![i] === reader.leaf.definition ? dense[at++]! : none
      }
    })
  }

  get #all(): RowRange {
    return { start: 0, end: this.rows }
  }

  /** Returns the column's reader if its row is not after the range's start, else a new reader. */
  #reader<Into, Values extends PageValues<Into>>(
    name: string,
    field: string,
    { start }: RowRange,
    make: (leaf: Leaf) => Values,
    room: (length: number) => Into,
  ): ColumnReader<Into, Values> {
    const chunk = this.#chunk(name, field)
    const known = this.#readers.get(chunk) as ColumnReader<Into, Values> | undefined
    if (known !== undefined && known.row <= start) return known
    const reader = new ColumnReader(chunk, this.rows, make(chunk.leaf), room)
    this.#readers.set(chunk, reader)
    return reader
  }

  #read<Into, Values extends PageValues<Into>>(
    name: string,
    reader: ColumnReader<Into, Values>,
    range: RowRange,
    take: Parameters<ColumnReader<Into, Values>['read']>[1],
  ): void {
    try {
      reader.skipTo(range.start)
      reader.read(lengthOf(range), take)
    } catch (error) {
      if (error instanceof ArchiveFault) throw error
      throw this.#fault(name, (error as Error).message)
    }
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

const lengthOf = ({ start, end }: RowRange): number => end - start

const newNumbers = (leaf: Leaf) => new NumberValues(leaf, DOUBLES)
const newWholes = (leaf: Leaf) => new NumberValues(leaf, WHOLES)
const newWords = (leaf: Leaf) => new WordValues(leaf)
const roomForPlaces = (length: number) => new Int32Array(length)
