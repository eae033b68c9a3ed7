// A column of texts as bytes, in one of three forms:
//
//   dictionary  each distinct text once, and an index for each value
//   hex         texts of one length that differ only in lower-case hex digits (hashes, uuids): two digits per byte
//   plain       lengths, and the texts one after the other
//
// Texts are never converted to strings, neither when writing nor when reading: the stored bytes are those of the
// message.

import { firstInts } from './first-ints.ts'
import { decodeInts, encodeInts } from './int-column.ts'

export type EncodedTexts =
  | { form: 'dictionary'; wordLengths: Uint8Array; words: Uint8Array; wordCount: number; indexes: Uint8Array }
  | { form: 'hex'; pattern: Uint8Array; digits: Uint8Array }
  | { form: 'plain'; lengths: Uint8Array; text: Uint8Array }

/** Texts one after the other in `arena`; text i is arena[offsets[i] .. offsets[i + 1]). Value v is text indexes[v]. */
export type TextTable = { arena: Uint8Array; offsets: Uint32Array; wordCount: number; indexes: Float64Array }

const HEX_LENGTH_MIN = 16
const ANY_DIGIT = 0
const hexDigit = (value: number): number => '0123456789abcdef'.charCodeAt(value)
/** The two hex digits of each byte, as characters. The first digit is in the lower byte of the word. */
const HEX_PAIRS = Uint16Array.from({ length: 256 }, (_, byte) => hexDigit(byte >>> 4) | (hexDigit(byte & 15) << 8))

export function encodeTexts(table: TextTable, count: number): EncodedTexts {
  const { arena, offsets, wordCount, indexes } = table
  if (wordCount * 2 <= count || wordCount <= 4) {
    const words = arena.slice(0, offsets[wordCount]!)
    return {
      form: 'dictionary',
      wordLengths: encodeLengths(table),
      words,
      wordCount,
      indexes: encodeInts(indexes, count),
    }
  }
  const pattern = hexPattern(table)
  if (pattern !== undefined) return { form: 'hex', pattern, digits: packHex(table, count, pattern) }
  const lengths = new Float64Array(count)
  let total = 0
  for (let i = 0; i < count; i++) {
    lengths[i] = offsets[indexes[i]! + 1]! - offsets[indexes[i]!]!
    total += lengths[i]!
  }
  const text = new Uint8Array(total)
  for (let i = 0, offset = 0; i < count; i++) {
    text.set(arena.subarray(offsets[indexes[i]!]!, offsets[indexes[i]! + 1]!), offset)
    offset += lengths[i]!
  }
  return { form: 'plain', lengths: encodeInts(lengths, count), text }
}

/** Decodes the first `count` texts. Throws RangeError for a column that `encodeTexts` did not write. `isFirst` says
 *  whether the column may hold more than these. */
export function decodeTexts(encoded: EncodedTexts, count: number, isFirst = false): TextTable {
  const column = isFirst ? firstTexts(encoded, count) : encoded
  const table = decodeWordTable(column, count)
  if (column.form !== 'dictionary') return { ...table, indexes: ascending(count) }
  const indexes = decodeInts(column.indexes, count)
  for (let i = 0; i < count; i++) {
    if (!(indexes[i]! >= 0 && indexes[i]! < column.wordCount)) throw new RangeError('text column is damaged')
  }
  return { ...table, indexes }
}

/** Returns the column of the first `count` texts. */
export function firstTexts(column: EncodedTexts, count: number): EncodedTexts {
  if (column.form === 'dictionary') return { ...column, indexes: firstInts(column.indexes, count) }
  if (column.form === 'hex') {
    const rowBytes = (digitPlaces(column.pattern).length + 1) >>> 1
    return { ...column, digits: column.digits.subarray(0, rowBytes * count) }
  }
  const lengths = firstInts(column.lengths, count)
  const end = decodeInts(lengths, count).reduce((sum, length) => sum + length, 0)
  return { ...column, lengths, text: column.text.subarray(0, end) }
}

/** Returns one text. Throws RangeError as `decodeTexts` does. */
export function textAt(column: EncodedTexts, at: number): Uint8Array {
  if (column.form === 'hex') {
    const rowBytes = (digitPlaces(column.pattern).length + 1) >>> 1
    return unpackHex(column.digits.subarray(rowBytes * at, rowBytes * (at + 1)), column.pattern, 1)
  }
  const { arena, offsets, indexes } = decodeTexts(column, at + 1, true)
  return arena.subarray(offsets[indexes[at]!], offsets[indexes[at]! + 1])
}

function ascending(count: number): Float64Array {
  const indexes = new Float64Array(count)
  for (let i = 0; i < count; i++) indexes[i] = i
  return indexes
}

/** Returns the texts alone: the words of a dictionary, else one text per value. */
export function decodeWordTable(column: EncodedTexts, count: number): Omit<TextTable, 'indexes'> {
  if (column.form === 'dictionary') {
    const offsets = decodeOffsets(column.wordLengths, column.wordCount, column.words)
    return { arena: column.words, offsets, wordCount: column.wordCount }
  }
  if (column.form === 'plain') {
    return { arena: column.text, offsets: decodeOffsets(column.lengths, count, column.text), wordCount: count }
  }
  const offsets = new Uint32Array(count + 1)
  for (let i = 0; i <= count; i++) offsets[i] = i * column.pattern.length
  return { arena: unpackHex(column.digits, column.pattern, count), offsets, wordCount: count }
}

function encodeLengths({ offsets, wordCount }: TextTable): Uint8Array {
  const lengths = new Float64Array(wordCount)
  for (let i = 0; i < wordCount; i++) lengths[i] = offsets[i + 1]! - offsets[i]!
  return encodeInts(lengths, wordCount)
}

function decodeOffsets(encodedLengths: Uint8Array, count: number, text: Uint8Array): Uint32Array {
  const lengths = decodeInts(encodedLengths, count)
  const offsets = new Uint32Array(count + 1)
  for (let i = 0; i < count; i++) offsets[i + 1] = offsets[i]! + lengths[i]!
  if (offsets[count] !== text.length) throw new RangeError('text column and its lengths disagree')
  return offsets
}

const isHexDigit = (byte: number): boolean => (byte >= 48 && byte <= 57) || (byte >= 97 && byte <= 102)

/** Returns the pattern that all texts share; undefined if they share none. A byte of the pattern is 0 where any hex
 *  digit may be. Otherwise it is the byte that all texts have there, which is not a hex digit. */
function hexPattern({ arena, offsets, wordCount }: TextTable): Uint8Array | undefined {
  const length = offsets[1]! - offsets[0]!
  if (length < HEX_LENGTH_MIN) return undefined
  const pattern = arena.slice(offsets[0]!, offsets[1]!)
  const isFixed = pattern.map((byte) => (isHexDigit(byte) ? 0 : 1))
  for (let word = 0; word < wordCount; word++) {
    const start = offsets[word]!
    if (offsets[word + 1]! - start !== length) return undefined
    for (let i = 0; i < length; i++) {
      const byte = arena[start + i]!
      if (isFixed[i] ? byte !== pattern[i] : !isHexDigit(byte)) return undefined
    }
  }
  return pattern.map((byte, i) => (isFixed[i] ? byte : ANY_DIGIT))
}

function packHex({ arena, offsets, indexes }: TextTable, count: number, pattern: Uint8Array): Uint8Array {
  const places = digitPlaces(pattern)
  const rowBytes = (places.length + 1) >>> 1
  const digits = new Uint8Array(rowBytes * count)
  for (let row = 0; row < count; row++) {
    const start = offsets[indexes[row]!]!
    for (let i = 0; i < places.length; i++) {
      const byte = arena[start + places[i]!]!
      const digit = byte < 58 ? byte - 48 : byte - 87
      digits[row * rowBytes + (i >>> 1)]! |= i % 2 === 0 ? digit << 4 : digit
    }
  }
  return digits
}

function unpackHex(digits: Uint8Array, pattern: Uint8Array, count: number): Uint8Array {
  const places = digitPlaces(pattern)
  const rowBytes = (places.length + 1) >>> 1
  if (digits.length !== rowBytes * count) throw new RangeError('hex column has the wrong length')
  const arena = repeated(pattern, count)
  const view = new DataView(arena.buffer)
  for (let column = 0; column < rowBytes; column++) {
    const first = places[2 * column]!
    const second = places[2 * column + 1]
    let source = column
    let start = first
    if (second === first + 1) {
      for (let row = 0; row < count; row++, source += rowBytes, start += pattern.length)
        view.setUint16(start, HEX_PAIRS[digits[source]!]!, true)
      continue
    }
    const apart = second === undefined ? 0 : second - first
    for (let row = 0; row < count; row++, source += rowBytes, start += pattern.length) {
      const pair = HEX_PAIRS[digits[source]!]!
      arena[start + apart] = pair >>> 8
      arena[start] = pair
    }
  }
  return arena
}

function repeated(pattern: Uint8Array, count: number): Uint8Array {
  const bytes = new Uint8Array(pattern.length * count)
  if (count > 0) bytes.set(pattern)
  for (let filled = pattern.length; filled < bytes.length; filled *= 2) bytes.copyWithin(filled, 0, filled)
  return bytes
}

function digitPlaces(pattern: Uint8Array): number[] {
  const places: number[] = []
  for (let i = 0; i < pattern.length; i++) if (pattern[i] === ANY_DIGIT) places.push(i)
  return places
}
