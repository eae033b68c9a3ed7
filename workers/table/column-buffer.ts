// A column of many rows in Arrow's memory layout, filled chunk by chunk. Values that rows repeat are converted once.
// Source: https://arrow.apache.org/docs/format/Columnar.html#fixed-size-primitive-layout

import { bool, type DataType, dictionary, float64, int8, int32, int64, utf8 } from '@uwdata/flechette'
import type { ArrowVector } from '../arrow/arrow-stream.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'
import { presentBytes, wholeColumn, wordsColumn } from '../parquet/plain-columns.ts'
import type { PlainColumn } from '../parquet/plain-parquet.ts'
import { type ColumnType, NULL, type Texts } from './table.ts'

/** A range of rows in a chunk. `at` is the row of the buffer to which the first of these rows is written. */
export type RowRange = { from: number; to: number; at: number }

/** The values of a column in a chunk. `entries` has an entry for each row, and `values` has a value for each entry. In
 *  a `text` column, each value is an index into `texts`. */
export type ColumnValues = { entries: Int32Array; values: Float64Array; texts: Texts }

const NO_BYTES = new Uint8Array(0)
const ALL_VALID = 0xff
/** Dictionaries of up to this many texts are indexed with bytes. */
const BYTE_INDEXES = 128

/** Adding 1.5 * 2^52 to an integer within ±2^51 leaves the integer in the low bits of the double. Then the upper word
 *  of the double, minus the upper word of the constant, is the upper word of the integer as 64 bits. */
const WHOLE_SHIFT = 6_755_399_441_055_744
const WHOLE_SHIFT_WORD = 0x4338_0000

export abstract class ColumnBuffer {
  abstract readonly type: DataType
  readonly #validity: Uint8Array
  #nullCount = 0

  constructor(rowCountMax: number) {
    this.#validity = new Uint8Array(Math.ceil(rowCountMax / 8)).fill(ALL_VALID)
  }

  abstract add(rows: RowRange, column: ColumnValues): void

  /** Returns the buffers of the first rows, without the validity buffer. */
  protected abstract buffersOf(rowCount: number): Uint8Array[]

  protected setNull(row: number): void {
    this.#validity[row >> 3]! &= ~(1 << (row & 7))
    this.#nullCount++
  }

  /** Returns the first `rowCount` rows. The result is valid until rows are added again. */
  vector(rowCount: number): ArrowVector {
    const validity = this.#nullCount === 0 ? NO_BYTES : this.#validity.subarray(0, Math.ceil(rowCount / 8))
    return { length: rowCount, nullCount: this.#nullCount, buffers: [validity, ...this.buffersOf(rowCount)] }
  }

  /** Returns all rows as a Parquet column; `rowCount` is their number. The column is valid until rows are added
   *  again. */
  plain(rowCount: number): PlainColumn {
    const column = this.plainOf(rowCount)
    return this.#nullCount === 0 ? column : { ...column, present: this.#validity.subarray(0, Math.ceil(rowCount / 8)) }
  }

  /** Returns the values of the rows that are not null. */
  protected abstract plainOf(rowCount: number): PlainColumn

  protected isValid(row: number): boolean {
    return ((this.#validity[row >> 3]! >> (row & 7)) & 1) === 1
  }

  /** Returns the values of the rows that are not null. */
  protected withoutNulls(values: Float64Array, rowCount: number): Uint8Array {
    if (this.#nullCount === 0) return new Uint8Array(values.buffer, 0, 8 * rowCount)
    return presentBytes(values, rowCount, (row) => this.isValid(row))
  }

  /** Removes all rows. */
  clear(): void {
    if (this.#nullCount > 0) this.#validity.fill(ALL_VALID)
    this.#nullCount = 0
  }
}

/** Prices, sizes and all other doubles. */
class Doubles extends ColumnBuffer {
  readonly type = float64()
  readonly #values: Float64Array
  readonly #divisor: number

  constructor(rowCountMax: number, places: number) {
    super(rowCountMax)
    this.#values = new Float64Array(rowCountMax)
    this.#divisor = 10 ** places
  }

  add({ from, to, at }: RowRange, { entries, values }: ColumnValues): void {
    const target = this.#values
    const divisor = this.#divisor
    let entry = -1
    let value = 0
    let isNull = false
    for (let row = from, place = at; row < to; row++, place++) {
      if (entries[row] !== entry) {
        entry = entries[row]!
        isNull = values[entry] === NULL
        // Adding 0 turns -0 into 0: zero has no sign in the other formats either.
        value = isNull ? 0 : values[entry]! / divisor + 0
      }
      target[place] = value
      if (isNull) this.setNull(place)
    }
  }

  protected buffersOf(rowCount: number): Uint8Array[] {
    return [new Uint8Array(this.#values.buffer, 0, 8 * rowCount)]
  }

  protected plainOf(rowCount: number): PlainColumn {
    return { bytes: this.withoutNulls(this.#values, rowCount) }
  }
}

/** Counts and times. */
export class Wholes extends ColumnBuffer {
  readonly type: DataType
  readonly #values: Float64Array
  readonly #words: Int32Array

  constructor(rowCountMax: number, type: DataType = int64()) {
    super(rowCountMax)
    this.type = type
    this.#values = new Float64Array(rowCountMax)
    this.#words = new Int32Array(this.#values.buffer)
  }

  add({ from, to, at }: RowRange, { entries, values }: ColumnValues): void {
    const target = this.#values
    const words = this.#words
    for (let row = from, place = at; row < to; row++, place++) {
      const value = values[entries[row]!]!
      if (value === NULL) this.setNull(place)
      target[place] = (value === NULL ? 0 : value) + WHOLE_SHIFT
      words[2 * place + 1]! -= WHOLE_SHIFT_WORD
    }
  }

  addTimes({ from, to, at }: RowRange, timesMs: Float64Array): void {
    const target = this.#values
    const words = this.#words
    for (let row = from, place = at; row < to; row++, place++) {
      target[place] = timesMs[row]! + WHOLE_SHIFT
      words[2 * place + 1]! -= WHOLE_SHIFT_WORD
    }
  }

  protected buffersOf(rowCount: number): Uint8Array[] {
    return [new Uint8Array(this.#values.buffer, 0, 8 * rowCount)]
  }

  protected plainOf(rowCount: number): PlainColumn {
    return wholeColumn(this.withoutNulls(this.#values, rowCount))
  }
}

class Flags extends ColumnBuffer {
  readonly type = bool()
  readonly #bits: Uint8Array

  constructor(rowCountMax: number) {
    super(rowCountMax)
    this.#bits = new Uint8Array(Math.ceil(rowCountMax / 8))
  }

  add({ from, to, at }: RowRange, { entries, values }: ColumnValues): void {
    for (let row = from, place = at; row < to; row++, place++) {
      const value = values[entries[row]!]!
      if (value === NULL) this.setNull(place)
      else if (value === 1) this.#bits[place >> 3]! |= 1 << (place & 7)
    }
  }

  protected buffersOf(rowCount: number): Uint8Array[] {
    return [this.#bits.subarray(0, Math.ceil(rowCount / 8))]
  }

  protected plainOf(rowCount: number): PlainColumn {
    const bytes = new Uint8Array(Math.ceil(rowCount / 8))
    for (let row = 0, at = 0; row < rowCount; row++) {
      if (!this.isValid(row)) continue
      bytes[at >> 3]! |= ((this.#bits[row >> 3]! >> (row & 7)) & 1) << (at & 7)
      at++
    }
    return { bytes }
  }

  override clear(): void {
    super.clear()
    this.#bits.fill(0)
  }
}

/** Indexes into a dictionary. */
export class Names extends ColumnBuffer {
  readonly type: DataType
  readonly #indexes: Int8Array | Int32Array
  readonly #names: readonly string[]

  /** Fills all rows with the name at `index`. Rows that are added later overwrite them. */
  constructor(rowCountMax: number, names: readonly string[], id: number, index = 0) {
    super(rowCountMax)
    this.#names = names
    const isShort = names.length <= BYTE_INDEXES
    this.type = dictionary(utf8(), isShort ? int8() : int32(), false, id)
    this.#indexes = isShort ? new Int8Array(rowCountMax) : new Int32Array(rowCountMax)
    if (index !== 0) this.#indexes.fill(index)
  }

  add({ from, to, at }: RowRange, { entries, values }: ColumnValues): void {
    for (let row = from, place = at; row < to; row++, place++) {
      const value = values[entries[row]!]!
      if (value === NULL) this.setNull(place)
      this.#indexes[place] = value === NULL ? 0 : value
    }
  }

  protected buffersOf(rowCount: number): Uint8Array[] {
    return [new Uint8Array(this.#indexes.buffer, 0, this.#indexes.BYTES_PER_ELEMENT * rowCount)]
  }

  protected plainOf(rowCount: number): PlainColumn {
    const indexes = this.#indexes.subarray(0, rowCount)
    return wordsColumn(
      this.#names,
      indexes.filter((_, row) => this.isValid(row)),
    )
  }
}

class PlainTexts extends ColumnBuffer {
  readonly type = utf8()
  readonly #offsets: Int32Array
  readonly #writer = new ByteWriter(1_024)

  constructor(rowCountMax: number) {
    super(rowCountMax)
    this.#offsets = new Int32Array(rowCountMax + 1)
  }

  add({ from, to, at }: RowRange, { entries, values, texts }: ColumnValues): void {
    const { arena, offsets } = texts
    const target = this.#offsets
    const writer = this.#writer
    for (let row = from, place = at; row < to; ) {
      const text = values[entries[row]!]!
      if (text === NULL) {
        this.setNull(place)
        target[++place] = writer.length
        row++
        continue
      }
      // Consecutive texts, which are the usual case, are copied at once.
      let next = text + 1
      while (++row < to && values[entries[row]!] === next) next++
      const shift = writer.length - offsets[text]!
      writer.writeSlice(arena, offsets[text]!, offsets[next]!)
      for (let copied = text + 1; copied <= next; copied++) target[++place] = offsets[copied]! + shift
    }
  }

  protected buffersOf(rowCount: number): Uint8Array[] {
    const { bytes, length } = this.#writer
    return [new Uint8Array(this.#offsets.buffer, 0, 4 * (rowCount + 1)), bytes.subarray(0, length)]
  }

  protected plainOf(rowCount: number): PlainColumn {
    const { bytes } = this.#writer
    const writer = new ByteWriter(this.#writer.length + 4 * rowCount)
    for (let row = 0; row < rowCount; row++) {
      if (!this.isValid(row)) continue
      const [start, end] = [this.#offsets[row]!, this.#offsets[row + 1]!]
      writer.view.setUint32(writer.length, end - start, true)
      writer.length += 4
      writer.writeSlice(bytes, start, end)
    }
    return { bytes: writer.take() }
  }

  override clear(): void {
    super.clear()
    this.#writer.length = 0
  }
}

/** Returns a buffer for a column type. If the type has names, `dictionaryId` is the id of the dictionary of these
 *  names. */
export function columnBuffer(type: ColumnType, rowCountMax: number, dictionaryId: number): ColumnBuffer {
  if (type === 'whole') return new Wholes(rowCountMax)
  if (type === 'flag') return new Flags(rowCountMax)
  if (type === 'text') return new PlainTexts(rowCountMax)
  if (type === 'double') return new Doubles(rowCountMax, 0)
  if ('names' in type) return new Names(rowCountMax, type.names, dictionaryId)
  return new Doubles(rowCountMax, type.places)
}
