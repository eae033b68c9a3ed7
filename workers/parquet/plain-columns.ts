// Columns of a Parquet file as bytes, filled row by row: integers, scaled prices and sizes, texts.

import { ByteWriter } from '../bytes/byte-writer.ts'
import { writeProduct } from '../bytes/wide-product.ts'
import type { PlainColumn } from './plain-parquet.ts'

/** Rows of a group. */
export const GROUP_ROWS = 16_384

const WORD = 2 ** 32
const NS_PER_US = 1_000

/** Whole numbers below 2^31, as 4 bytes each. */
export class Int32Column {
  readonly values = new Int32Array(GROUP_ROWS)

  take(rowCount: number): PlainColumn {
    return { bytes: new Uint8Array(this.values.buffer, 0, 4 * rowCount) }
  }
}

/** Whole numbers of 0 and above, as 8 bytes each. */
export class Uint64Column {
  readonly #view = new DataView(new ArrayBuffer(8 * GROUP_ROWS))

  /** `value` is below 2^53. */
  set(row: number, value: number): void {
    writeProduct(this.#view, 8 * row, value, 1)
  }

  /** Microseconds, kept as nanoseconds. */
  setUsAsNs(row: number, us: number): void {
    writeProduct(this.#view, 8 * row, us, NS_PER_US)
  }

  /** `isSorted`: no row has less than the row before. */
  take(rowCount: number, isSorted = false): PlainColumn {
    const bytes = new Uint8Array(this.#view.buffer, 0, 8 * rowCount)
    if (!isSorted || rowCount === 0) return { bytes }
    const values = new BigUint64Array(this.#view.buffer)
    return { bytes, least: values[0]!, most: values[rowCount - 1]! }
  }
}

/** Whole numbers of 0 and above, as 8 bytes each; any other is none. */
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

  /** Rows were set in their order, each once. */
  take(rowCount: number): PlainColumn {
    const column = { ...this.#values.take(this.#count), present: this.#present.subarray(0, Math.ceil(rowCount / 8)) }
    this.#count = 0
    return column
  }
}

/** Millionths, as integers of 10^-9 in 8 bytes or of 10^-16 in 16, as Nautilus has prices and sizes. */
export class FixedColumn {
  readonly bytesPerValue: 8 | 16
  readonly #words: Uint32Array
  /** The same bytes. */
  readonly #view: DataView

  constructor(bytesPerValue: 8 | 16) {
    this.bytesPerValue = bytesPerValue
    this.#words = new Uint32Array((bytesPerValue / 4) * GROUP_ROWS)
    this.#view = new DataView(this.#words.buffer)
  }

  setMicros(row: number, micros: number): void {
    if (this.bytesPerValue === 8) writeProduct(this.#view, 8 * row, micros, 1_000)
    else setTenBillionth(this.#words, 4 * row, micros)
  }

  take(rowCount: number): PlainColumn {
    return { bytes: new Uint8Array(this.#words.buffer, 0, this.bytesPerValue * rowCount) }
  }
}

/** Doubles. */
export class DoubleColumn {
  readonly values = new Float64Array(GROUP_ROWS)

  take(rowCount: number): PlainColumn {
    return { bytes: new Uint8Array(this.values.buffer, 0, 8 * rowCount) }
  }
}

/** One of a few words in each row. */
export class WordColumn {
  readonly #words: readonly Uint8Array[]
  readonly #indexes = new Uint8Array(GROUP_ROWS)

  constructor(words: readonly string[]) {
    this.#words = words.map(afterLength)
  }

  set(row: number, word: number): void {
    this.#indexes[row] = word
  }

  take(rowCount: number): PlainColumn {
    const writer = new ByteWriter(16 * rowCount)
    for (let row = 0; row < rowCount; row++) writer.write(this.#words[this.#indexes[row]!]!)
    return { bytes: writer.take() }
  }
}

/** The same text in every row. */
export class RepeatedText {
  readonly #bytes: Uint8Array

  constructor(text: string) {
    this.#bytes = afterLength(text)
  }

  take(rowCount: number): PlainColumn {
    const bytes = new Uint8Array(this.#bytes.length * rowCount)
    for (let row = 0; row < rowCount; row++) bytes.set(this.#bytes, row * this.#bytes.length)
    return { bytes }
  }
}

function afterLength(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text)
  const all = new Uint8Array(4 + bytes.length)
  new DataView(all.buffer).setUint32(0, bytes.length, true)
  all.set(bytes, 4)
  return all
}

/** Texts after their lengths. */
export class TextColumn {
  readonly #writer = new ByteWriter(GROUP_ROWS)

  add(text: string): void {
    this.#writer.write(afterLength(text))
  }

  /** All texts that were added, which are let go of. */
  take(): PlainColumn {
    const { length } = this.#writer
    const bytes = this.#writer.bytes.slice(0, length)
    this.#writer.length = 0
    return { bytes }
  }
}

/** 10^10 in digits of 16 bits, the lowest first. */
const [TEN_LOW, TEN_MIDDLE, TEN_HIGH] = [0xe400, 0x540b, 0x0002]
const HALF = 0x1_0000

/** A value below 2^53 times 10^10, as four words. By digits of 16 bits: no sum of their products is above 2^53. */
function setTenBillionth(words: Uint32Array, at: number, value: number): void {
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
