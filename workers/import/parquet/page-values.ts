// The values of pages as columns of numbers, without an object for any of them.

import { deltaBinaryUnpack, deltaByteArray, deltaLengthByteArray } from 'hyparquet/src/delta.js'
import { byteStreamSplit } from 'hyparquet/src/encoding.js'
import type { Page } from './column-pages.ts'
import { readHybrid } from './hybrid-runs.ts'
import { Words } from './words.ts'

/** How one value is stored. */
export type ValueKind = { type: string; bytes: number }

const TWO_32 = 2 ** 32

/** Reads the values that are there, one after the other. */
export class NumberValues {
  readonly #kind: ValueKind
  #dictionary = new Float64Array(0)
  #places = new Uint32Array(0)

  constructor(kind: ValueKind) {
    this.#kind = kind
  }

  dictionary(page: Page): void {
    this.#dictionary = new Float64Array(page.count)
    this.#plain(page, this.#dictionary)
  }

  /** Fills the first `page.count` of `into`. */
  read(page: Page, into: Float64Array): void {
    const { count, encoding } = page
    if (count === 0) return
    if (encoding === 'PLAIN') return this.#plain(page, into)
    if (isDictionary(encoding)) {
      if (this.#places.length < count) this.#places = new Uint32Array(count)
      const places = this.#places
      readPlaces(page, places, this.#dictionary.length)
      const dictionary = this.#dictionary
      for (let i = 0; i < count; i++) into[i] = dictionary[places[i]!]!
      return
    }
    const values = otherwise(page, this.#kind)
    for (let i = 0; i < count; i++) {
      const value = values[i]
      into[i] = value instanceof Uint8Array ? signed(value, 0, value.length) : Number(value)
    }
  }

  #plain({ bytes, start, count }: Page, into: Float64Array): void {
    const { type, bytes: size } = this.#kind
    need(bytes, start, count * size)
    const view = new DataView(bytes.buffer, bytes.byteOffset + start, count * size)
    if (type === 'INT32') for (let i = 0; i < count; i++) into[i] = view.getInt32(4 * i, true)
    else if (type === 'INT64') {
      for (let i = 0; i < count; i++) into[i] = view.getInt32(8 * i + 4, true) * TWO_32 + view.getUint32(8 * i, true)
    } else if (type === 'DOUBLE') for (let i = 0; i < count; i++) into[i] = view.getFloat64(8 * i, true)
    else if (type === 'FIXED_LEN_BYTE_ARRAY') {
      for (let i = 0; i < count; i++) into[i] = signed(bytes, start + size * i, size)
    } else throw new Error(`numbers as ${type} are not read`)
  }
}

/** Whole numbers of 64 bits without a sign, of INT64. */
export class WholeValues {
  #dictionary = new BigUint64Array(0)

  dictionary(page: Page): void {
    this.#dictionary = new BigUint64Array(page.count)
    plainWholes(page, this.#dictionary)
  }

  read(page: Page, into: BigUint64Array): void {
    const { count, encoding } = page
    if (count === 0) return
    if (encoding === 'PLAIN') return plainWholes(page, into)
    if (isDictionary(encoding)) {
      const places = new Uint32Array(count)
      readPlaces(page, places, this.#dictionary.length)
      for (let i = 0; i < count; i++) into[i] = this.#dictionary[places[i]!]!
      return
    }
    const values = otherwise(page, { type: 'INT64', bytes: 8 }) as ArrayLike<bigint>
    for (let i = 0; i < count; i++) into[i] = BigInt.asUintN(64, values[i]!)
  }
}

/** Texts and bytes: what `read` fills in are places in `words`. */
export class WordValues {
  readonly words = new Words()
  readonly #kind: ValueKind
  #first = 0

  constructor(kind: ValueKind) {
    this.#kind = kind
  }

  dictionary(page: Page): void {
    this.#first = this.words.count
    this.#plain(page, undefined)
  }

  read(page: Page, into: Uint32Array): void {
    const { count, encoding } = page
    if (count === 0) return
    if (encoding === 'PLAIN') return this.#plain(page, into)
    if (isDictionary(encoding)) {
      readPlaces(page, into, this.words.count - this.#first)
      if (this.#first > 0) for (let i = 0; i < count; i++) into[i]! += this.#first
      return
    }
    const values = otherwise(page, this.#kind) as ArrayLike<Uint8Array>
    for (let i = 0; i < count; i++) into[i] = this.words.addUnlessLast(values[i]!, 0, values[i]!.length)
  }

  #plain({ bytes, start, count }: Page, into: Uint32Array | undefined): void {
    const { type, bytes: size } = this.#kind
    const { words } = this
    if (type === 'FIXED_LEN_BYTE_ARRAY') need(bytes, start, count * size)
    else if (type !== 'BYTE_ARRAY') throw new Error(`texts as ${type} are not read`)
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
  }
}

const isDictionary = (encoding: string): boolean => encoding === 'RLE_DICTIONARY' || encoding === 'PLAIN_DICTIONARY'

/** A whole number with its sign, greatest byte first. */
function signed(bytes: Uint8Array, start: number, length: number): number {
  let value = length === 0 || bytes[start]! < 0x80 ? 0 : -1
  for (let i = 0; i < length; i++) value = value * 256 + bytes[start + i]!
  return value
}

function plainWholes({ bytes, start, count }: Page, into: BigUint64Array): void {
  need(bytes, start, 8 * count)
  new Uint8Array(into.buffer, into.byteOffset).set(bytes.subarray(start, start + 8 * count))
}

function readPlaces({ bytes, start, count }: Page, into: Uint32Array, words: number): void {
  readHybrid(bytes, start + 1, bytes.length, bytes[start] ?? 0, into, count)
  for (let i = 0; i < count; i++) if (into[i]! >= words) throw new Error('a value is not in its dictionary')
}

/** Encodings that are rare in such files, by the library. */
function otherwise({ bytes, start, count, encoding }: Page, { type, bytes: size }: ValueKind): ArrayLike<unknown> {
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
  else throw new Error(`values as ${encoding} are not read`)
  return values
}

function need(bytes: Uint8Array, start: number, count: number): void {
  if (start + count > bytes.length) throw new Error('a page ends too early')
}
