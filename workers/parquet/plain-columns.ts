// Columns of a Parquet file as bytes, filled row by row: integers, scaled prices and sizes, texts.

import { ByteWriter } from '../bytes/byte-writer.ts'
import { writeProduct } from '../bytes/wide-product.ts'
import type { PlainColumn } from './plain-parquet.ts'

/** Rows of a group. */
export const GROUP_ROWS = 16_384

const WORD = 2 ** 32
const LENGTH_BYTES = 4
const encoder = new TextEncoder()
const NS_PER_US = 1_000

/** Integers below 2^31, 4 bytes each. */
export class Int32Column {
  readonly values = new Int32Array(GROUP_ROWS)

  take(rowCount: number): PlainColumn {
    return { bytes: new Uint8Array(this.values.buffer, 0, 4 * rowCount) }
  }
}

/** Integers of at least 0, 8 bytes each. */
export class Uint64Column {
  readonly #view = new DataView(new ArrayBuffer(8 * GROUP_ROWS))

  /** Sets a value, which must be below 2^53. */
  set(row: number, value: number): void {
    writeProduct(this.#view, 8 * row, value, 1)
  }

  /** Sets microseconds, stored as nanoseconds. */
  setUsAsNs(row: number, us: number): void {
    writeProduct(this.#view, 8 * row, us, NS_PER_US)
  }

  /** Returns the first `rowCount` rows. `isSorted` says that no row has a smaller value than the row before it. */
  take(rowCount: number, isSorted = false): PlainColumn {
    const bytes = new Uint8Array(this.#view.buffer, 0, 8 * rowCount)
    if (!isSorted || rowCount === 0) return { bytes }
    return { bytes, least: bytes.slice(0, 8), most: bytes.slice(-8) }
  }
}

/** Integers of at least 0, 8 bytes each; any other value is null. */
export class OptionalUint64Column {
  readonly #values = new Uint64Column()
  readonly #present = new Uint8Array(GROUP_ROWS / 8)
  #count = 0

  set(row: number, value: number): void {
    const isPresent = value >= 0
    const bit = 1 << (row & 7)
    this.#present[row >> 3] = isPresent ? this.#present[row >> 3]! | bit : this.#present[row >> 3]! & ~bit
    if (isPresent) this.#values.set(this.#count++, value)
  }

  /** Returns the rows, which must have been set in order, each once. */
  take(rowCount: number): PlainColumn {
    const column = { ...this.#values.take(this.#count), present: this.#present.subarray(0, Math.ceil(rowCount / 8)) }
    this.#count = 0
    return column
  }
}

/** Takes values in 1e-6 units and stores them as Nautilus stores prices and sizes: as 8-byte integers in 1e-9 units, or
 *  as 16-byte integers in 1e-16 units. */
export class FixedColumn {
  readonly bytesPerValue: 8 | 16
  readonly #words: Uint32Array
  /** View of the same bytes. */
  readonly #view: DataView

  constructor(bytesPerValue: 8 | 16) {
    this.bytesPerValue = bytesPerValue
    this.#words = new Uint32Array((bytesPerValue / 4) * GROUP_ROWS)
    this.#view = new DataView(this.#words.buffer)
  }

  setMicros(row: number, micros: number): void {
    if (this.bytesPerValue === 8) writeProduct(this.#view, 8 * row, micros, 1_000)
    else setScaled(this.#words, 4 * row, micros)
  }

  take(rowCount: number): PlainColumn {
    return { bytes: new Uint8Array(this.#words.buffer, 0, this.bytesPerValue * rowCount) }
  }
}

export class DoubleColumn {
  readonly values = new Float64Array(GROUP_ROWS)

  take(rowCount: number): PlainColumn {
    return { bytes: new Uint8Array(this.values.buffer, 0, 8 * rowCount) }
  }
}

/** A column with one of a few words in each row. */
export class WordColumn {
  readonly #words: readonly string[]
  readonly #indexes = new Uint8Array(GROUP_ROWS)

  constructor(words: readonly string[]) {
    this.#words = words
  }

  set(row: number, word: number): void {
    this.#indexes[row] = word
  }

  take(rowCount: number): PlainColumn {
    return wordsColumn(this.#words, this.#indexes.subarray(0, rowCount))
  }
}

/** Returns a column of texts. Each row refers to one of `words` by index. */
export function wordsColumn(words: readonly string[], indexes: Iterable<number>): PlainColumn {
  const cells = words.map(afterLength)
  const used = new Set<number>()
  const writer = new ByteWriter(GROUP_ROWS)
  for (const index of indexes) {
    writer.write(cells[index]!)
    used.add(index)
  }
  const range = Array.from(used, (index) => cells[index]!.subarray(LENGTH_BYTES)).sort(Buffer.compare)
  return { bytes: writer.take(), ...(range[0] && { least: range[0], most: range.at(-1)! }) }
}

/** Returns the bytes of the rows that have a value. Copies 32-bit words, not doubles, because a double may hold the
 *  bits of an integer. */
export function presentBytes(values: Float64Array, rowCount: number, isPresent: (row: number) => boolean): Uint8Array {
  const words = new Int32Array(values.buffer)
  const present = new Int32Array(2 * rowCount)
  let count = 0
  for (let row = 0; row < rowCount; row++) {
    if (!isPresent(row)) continue
    present[count++] = words[2 * row]!
    present[count++] = words[2 * row + 1]!
  }
  return new Uint8Array(present.buffer, 0, 4 * count)
}

/** Returns a column of integers within ±2^53, 8 bytes each. */
export function wholeColumn(bytes: Uint8Array): PlainColumn {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  const valueAt = (at: number) => words[at + 1]! * WORD + (words[at]! >>> 0)
  let [least, most] = [0, 0]
  for (let at = 2; at < words.length; at += 2) {
    const value = valueAt(at)
    if (value < valueAt(least)) least = at
    if (value > valueAt(most)) most = at
  }
  const cell = (at: number) => bytes.slice(4 * at, 4 * at + 8)
  return bytes.length === 0 ? { bytes } : { bytes, least: cell(least), most: cell(most) }
}

/** Returns the content with its length in front, as Parquet stores texts and bytes. */
export function afterLength(content: string | Uint8Array): Uint8Array {
  const bytes = typeof content === 'string' ? encoder.encode(content) : content
  const all = new Uint8Array(LENGTH_BYTES + bytes.length)
  new DataView(all.buffer).setUint32(0, bytes.length, true)
  all.set(bytes, LENGTH_BYTES)
  return all
}

/** Texts, each after its length. */
export class TextColumn {
  readonly #writer = new ByteWriter(GROUP_ROWS)

  add(text: string): void {
    this.#writer.write(afterLength(text))
  }

  /** Returns the texts added so far, and removes them. */
  take(): PlainColumn {
    const { length } = this.#writer
    const bytes = this.#writer.bytes.slice(0, length)
    this.#writer.length = 0
    return { bytes }
  }
}

/** 10^10 in 16-bit digits, lowest first. */
const [TEN_LOW, TEN_MIDDLE, TEN_HIGH] = [0xe400, 0x540b, 0x0002]
const HALF = 0x1_0000

/** Writes `value` times 10^10 as four words; `value` is below 2^53. Uses 16-bit digits, so that no sum of products
 *  exceeds 2^53. */
function setScaled(words: Uint32Array, at: number, value: number): void {
  const upper = Math.floor(value / WORD)
  const lower = value - upper * WORD
  const [a, b, c, d] = [lower % HALF, Math.floor(lower / HALF), upper % HALF, Math.floor(upper / HALF)]
  let carry = a * TEN_LOW
  const digit0 = carry % HALF
  carry = Math.floor(carry / HALF) + a * TEN_MIDDLE + b * TEN_LOW
  words[at] = digit0 + (carry % HALF) * HALF
  carry = Math.floor(carry / HALF) + a * TEN_HIGH + b * TEN_MIDDLE + c * TEN_LOW
  const digit2 = carry % HALF
  carry = Math.floor(carry / HALF) + b * TEN_HIGH + c * TEN_MIDDLE + d * TEN_LOW
  words[at + 1] = digit2 + (carry % HALF) * HALF
  carry = Math.floor(carry / HALF) + c * TEN_HIGH + d * TEN_MIDDLE
  const digit4 = carry % HALF
  carry = Math.floor(carry / HALF) + d * TEN_HIGH
  words[at + 2] = digit4 + (carry % HALF) * HALF
  words[at + 3] = 0
}
