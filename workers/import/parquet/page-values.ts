// Decodes the values of pages into columns of numbers, without an object per value.

import { deltaBinaryUnpack, deltaByteArray, deltaLengthByteArray } from 'hyparquet/src/delta.js'
import { byteStreamSplit } from 'hyparquet/src/encoding.js'
import type { Page } from './column-pages.ts'
import { HybridRuns } from './hybrid-runs.ts'
import { Words } from './words.ts'

/** How one value is stored. */
export type ValueKind = { type: string; bytes: number }

const TWO_32 = 2 ** 32

/** Reads the present values, page after page, in steps of any size. */
export interface PageValues<Into> {
  dictionary(page: Page): void
  begin(page: Page): void
  /** Fills the first `count` elements of `into` with the next values of the page. The page must have that many left. */
  read(into: Into, count: number): void
}

export type Numbers = Float64Array | BigUint64Array

/** How stored values become numbers. `column` returns an empty column of a length, `plain` reads plain values of a page
 *  from index `at` on, and `numberOf` converts one value of any other encoding. */
export type NumberForm<Into extends Numbers> = {
  column(length: number): Into
  plain(page: Page, at: number, kind: ValueKind, into: Into, count: number): void
  numberOf(value: unknown): Into[number]
}

/** Values as doubles. A decimal is read as its unscaled integer. */
export const DOUBLES: NumberForm<Float64Array> = {
  column: (length) => new Float64Array(length),
  plain: plainNumbers,
  numberOf: (value) => (value instanceof Uint8Array ? signed(value, 0, value.length) : Number(value)),
}

/** Unsigned 64-bit integers from INT64. */
export const WHOLES: NumberForm<BigUint64Array> = {
  column: (length) => new BigUint64Array(length),
  plain: plainWholes,
  numberOf: (value) => BigInt.asUintN(64, value as bigint),
}

export class NumberValues<Into extends Numbers> implements PageValues<Into> {
  readonly #kind: ValueKind
  readonly #form: NumberForm<Into>
  readonly #places = new Places()
  #dictionary: Into
  #page: Page | undefined
  #at = 0
  #others: ArrayLike<unknown> | undefined

  constructor(kind: ValueKind, form: NumberForm<Into>) {
    this.#kind = kind
    this.#form = form
    this.#dictionary = form.column(0)
  }

  dictionary(page: Page): void {
    needPlain(page, this.#kind.bytes)
    this.#dictionary = this.#form.column(page.count)
    this.#form.plain(page, 0, this.#kind, this.#dictionary, page.count)
  }

  begin(page: Page): void {
    const { count, encoding } = page
    this.#page = page
    this.#at = 0
    this.#others = undefined
    if (count === 0) return
    if (isDictionary(encoding)) this.#places.begin(page, this.#dictionary.length)
    else if (encoding === 'PLAIN') needPlain(page, this.#kind.bytes)
    else this.#others = decodeOther(page, this.#kind)
  }

  read(into: Into, count: number): void {
    const page = this.#page!
    const others = this.#others
    if (others !== undefined) {
      for (let i = 0; i < count; i++) into[i] = this.#form.numberOf(others[this.#at + i])
    } else if (page.encoding === 'PLAIN') this.#form.plain(page, this.#at, this.#kind, into, count)
    else {
      const places = this.#places.read(count)
      const dictionary = this.#dictionary
      for (let i = 0; i < count; i++) into[i] = dictionary[places[i]!]!
    }
    this.#at += count
  }
}

/** Reads texts and bytes. `read` fills `into` with indexes in `words`. */
export class WordValues implements PageValues<Int32Array> {
  readonly words = new Words()
  readonly #kind: ValueKind
  readonly #places = new Places()
  #page: Page | undefined
  #offset = 0
  #at = 0
  #first = 0
  #others: ArrayLike<Uint8Array> | undefined

  constructor(kind: ValueKind) {
    this.#kind = kind
  }

  dictionary(page: Page): void {
    this.#first = this.words.count
    this.#checkPlain(page)
    this.#plain(page, page.start, undefined, page.count)
    this.words.keep()
  }

  begin(page: Page): void {
    const { count, encoding, start } = page
    this.#page = page
    this.#at = 0
    this.#offset = start
    this.#others = undefined
    if (count === 0) return
    if (isDictionary(encoding)) this.#places.begin(page, this.words.kept - this.#first)
    else if (encoding === 'PLAIN') this.#checkPlain(page)
    else this.#others = decodeOther(page, this.#kind) as ArrayLike<Uint8Array>
  }

  read(into: Int32Array, count: number): void {
    const page = this.#page!
    const others = this.#others
    if (others !== undefined) {
      for (let i = 0; i < count; i++) {
        const value = others[this.#at + i]!
        into[i] = this.words.addUnlessLast(value, 0, value.length)
      }
    } else if (page.encoding === 'PLAIN') this.#offset = this.#plain(page, this.#offset, into, count)
    else {
      const places = this.#places.read(count)
      for (let i = 0; i < count; i++) into[i] = this.#first + places[i]!
    }
    this.#at += count
  }

  #checkPlain({ bytes, start, count }: Page): void {
    const { type, bytes: size } = this.#kind
    if (type === 'FIXED_LEN_BYTE_ARRAY') need(bytes, start, count * size)
    else if (type !== 'BYTE_ARRAY') throw new Error(`texts as ${type} are not supported`)
  }

  /** Reads plain values from `start` on. Returns the offset where the values end. */
  #plain({ bytes }: Page, start: number, into: Int32Array | undefined, count: number): number {
    const { type, bytes: size } = this.#kind
    const { words } = this
    let at = start
    for (let i = 0; i < count; i++) {
      let length = size
      if (type === 'BYTE_ARRAY') {
        need(bytes, at, 4)
        length = bytes[at]! + bytes[at + 1]! * 2 ** 8 + bytes[at + 2]! * 2 ** 16 + bytes[at + 3]! * 2 ** 24
        at += 4
        need(bytes, at, length)
      }
      if (into === undefined) words.add(bytes, at, length)
      else into[i] = words.addUnlessLast(bytes, at, length)
      at += length
    }
    return at
  }
}

/** Reads the indexes of values in a dictionary. */
class Places {
  #runs: HybridRuns | undefined
  #words = 0
  #places = new Uint32Array(0)

  begin({ bytes, start }: Page, words: number): void {
    this.#runs = new HybridRuns(bytes, start + 1, bytes.length, bytes[start] ?? 0)
    this.#words = words
  }

  /** Returns the next indexes; valid until the next call. */
  read(count: number): Uint32Array {
    if (this.#places.length < count) this.#places = new Uint32Array(2 * count)
    const places = this.#places
    this.#runs!.read(places, count)
    for (let i = 0; i < count; i++) if (places[i]! >= this.#words) throw new Error('a value is not in its dictionary')
    return places
  }
}

const isDictionary = (encoding: string): boolean => encoding === 'RLE_DICTIONARY' || encoding === 'PLAIN_DICTIONARY'

/** Reads a signed big-endian integer. */
function signed(bytes: Uint8Array, start: number, length: number): number {
  let value = length === 0 || bytes[start]! < 0x80 ? 0 : -1
  for (let i = 0; i < length; i++) value = value * 256 + bytes[start + i]!
  return value
}

function needPlain({ bytes, start, count }: Page, size: number): void {
  need(bytes, start, count * size)
}

/** Reads values of the page from index `at` on. */
function plainNumbers(
  page: Page,
  at: number,
  { type, bytes: size }: ValueKind,
  into: Float64Array,
  count: number,
): void {
  const { bytes } = page
  const start = page.start + size * at
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, count * size)
  if (type === 'INT32') for (let i = 0; i < count; i++) into[i] = view.getInt32(4 * i, true)
  else if (type === 'INT64') {
    for (let i = 0; i < count; i++) into[i] = view.getInt32(8 * i + 4, true) * TWO_32 + view.getUint32(8 * i, true)
  } else if (type === 'DOUBLE') for (let i = 0; i < count; i++) into[i] = view.getFloat64(8 * i, true)
  else if (type === 'FIXED_LEN_BYTE_ARRAY') {
    for (let i = 0; i < count; i++) into[i] = signed(bytes, start + size * i, size)
  } else throw new Error(`numbers as ${type} are not supported`)
}

function plainWholes({ bytes, start }: Page, at: number, _: ValueKind, into: BigUint64Array, count: number): void {
  const from = start + 8 * at
  new Uint8Array(into.buffer, into.byteOffset).set(bytes.subarray(from, from + 8 * count))
}

/** Decodes rare encodings with the library. */
function decodeOther({ bytes, start, count, encoding }: Page, { type, bytes: size }: ValueKind): ArrayLike<unknown> {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: start }
  if (encoding === 'DELTA_BINARY_PACKED') {
    const values = type === 'INT32' ? new Int32Array(count) : new BigInt64Array(count)
    deltaBinaryUnpack(reader, count, values)
    return values
  }
  if (encoding === 'BYTE_STREAM_SPLIT') {
    return byteStreamSplit(reader, count, type as Parameters<typeof byteStreamSplit>[2], size)
  }
  const values = new Array<Uint8Array>(count)
  if (encoding === 'DELTA_LENGTH_BYTE_ARRAY') deltaLengthByteArray(reader, count, values)
  else if (encoding === 'DELTA_BYTE_ARRAY') deltaByteArray(reader, count, values)
  else throw new Error(`values as ${encoding} are not supported`)
  return values
}

function need(bytes: Uint8Array, start: number, count: number): void {
  if (start + count > bytes.length) throw new Error('a page ends too early')
}
