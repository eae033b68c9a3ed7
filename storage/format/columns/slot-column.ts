// The values in one slot of a shape, stored so that each is printed again byte for byte:
//
//   decimal  integers of 10^-scale, and how the venue prints them: always `scale` digits after the point, without
//            trailing zeros, or each value in its own way
//   instant  RFC 3339 in UTC, with the fraction's trailing zeros cut, as microseconds
//   text     anything else, unchanged

import { firstInts } from './first-ints.ts'
import { decodeIndexedInts, decodeIndexes, decodeInts } from './int-column.ts'
import { decodeNumbers, encodeNumbers, type NumberColumn } from './number-column.ts'
import { pack, unpack } from './packed.ts'
import { packEncoded, packInts } from './packed-ints.ts'
import type { RowClock } from './row-clock.ts'
import {
  decodeTexts,
  decodeWordTable,
  type EncodedTexts,
  encodeTexts,
  firstTexts,
  type TextTable,
  textAt,
} from './text-column.ts'

const WORDS_MAX = 4_096
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export type DecimalStyle = 'fixed' | 'trimmed' | 'mixed'

export type SlotColumn =
  | { form: 'decimal'; scale: number; style: DecimalStyle; values: NumberColumn; places: Uint8Array | null }
  | { form: 'instant'; values: NumberColumn }
  | { form: 'text'; texts: EncodedTexts }

/** Decoded values of a slot. `places` is set only if the style is mixed. */
export type SlotValues =
  | { form: 'decimal'; scale: number; style: DecimalStyle; values: Float64Array; places: Float64Array | null }
  | { form: 'instant'; values: Float64Array }
  | { form: 'text'; texts: TextTable }

export function encodeSlot(slot: SlotValues, count: number, clock: RowClock | undefined): SlotColumn {
  if (slot.form === 'text') return { form: 'text', texts: packTexts(encodeTexts(slot.texts, count)) }
  const values = encodeNumbers(slot.values, count, clock)
  if (slot.form === 'instant') return { form: 'instant', values }
  const { scale, style, places } = slot
  return { form: 'decimal', scale, style, values, places: places === null ? null : packInts(places, count) }
}

/** Decodes the first `count` values. `isFirst` says whether the column may hold more than these. */
export function decodeSlot(
  column: SlotColumn,
  count: number,
  clock: RowClock | undefined,
  isFirst = false,
): SlotValues {
  if (column.form === 'text') return { form: 'text', texts: decodeTexts(unpackTexts(column.texts), count, isFirst) }
  const values = decodeNumbers(column.values, count, clock, isFirst)
  if (column.form === 'instant') return { form: 'instant', values }
  const { scale, style } = column
  const places = column.places === null ? null : unpack(column.places)
  const cutPlaces = places !== null && isFirst ? firstInts(places, count) : places
  return { form: 'decimal', scale, style, values, places: cutPlaces === null ? null : decodeInts(cutPlaces, count) }
}

/** Returns one text of a text column; undefined for any other column. In a column of hex texts it decodes no other
 *  text. */
export function decodeTextAt(column: SlotColumn, at: number): Uint8Array | undefined {
  return column.form === 'text' ? textAt(unpackTexts(column.texts), at) : undefined
}

/** The values of a slot, possibly only the distinct ones: `rows` then holds the index of each row's value. If `rows` is
 *  undefined, there is one value per row. */
export type DistinctValues = { slot: SlotValues; rows: Uint16Array | undefined }

/** Like `decodeSlot` without a clock, for readers that treat equal values alike. */
export function decodeDistinct(column: SlotColumn, count: number, isFirst = false): DistinctValues {
  // In the mixed style, equal values may print differently, so they are not merged.
  if (column.form === 'decimal' && column.places === null) {
    const { scale, style } = column
    const all = unpack(column.values.packed)
    const bytes = isFirst ? firstInts(all, count) : all
    const indexed = decodeIndexedInts(bytes, count)
    const values = indexed === undefined ? decodeInts(bytes, count) : indexed.words
    return { slot: { form: 'decimal', scale, style, values, places: null }, rows: indexed?.indexes }
  }
  return { slot: decodeSlot(column, count, undefined, isFirst), rows: undefined }
}

/** A column with few distinct values, as words and an index for each row. */
export type IndexedWords = { words: string[]; indexes: Uint16Array }

/** Decodes a slot that holds one of a few words, such as a side. Works for any slot: if its values are not text, or if
 *  there are too many, all rows get one empty word. */
export function decodeWords(column: SlotColumn, count: number, isFirst = false): IndexedWords {
  const all = column.form === 'text' ? unpackTexts(column.texts) : undefined
  const texts = all !== undefined && isFirst ? firstTexts(all, count) : all
  const wordCount = texts?.form === 'dictionary' ? texts.wordCount : count
  if (texts === undefined || wordCount > WORDS_MAX) return { words: [''], indexes: new Uint16Array(count) }
  const { arena, offsets } = decodeWordTable(texts, count)
  const words = Array.from({ length: wordCount }, (_, i) => decoder.decode(arena.subarray(offsets[i], offsets[i + 1])))
  if (texts.form === 'dictionary') return { words, indexes: decodeIndexes(texts.indexes, count) }
  return { words, indexes: Uint16Array.from(words.keys()) }
}

function packTexts(texts: EncodedTexts): EncodedTexts {
  if (texts.form === 'hex') return { ...texts, digits: pack(texts.digits) }
  if (texts.form === 'plain') return { ...texts, lengths: packEncoded(texts.lengths), text: pack(texts.text) }
  const { wordLengths, words, indexes } = texts
  return { ...texts, wordLengths: packEncoded(wordLengths), words: pack(words), indexes: packEncoded(indexes) }
}

function unpackTexts(texts: EncodedTexts): EncodedTexts {
  if (texts.form === 'hex') return { ...texts, digits: unpack(texts.digits) }
  if (texts.form === 'plain') return { ...texts, lengths: unpack(texts.lengths), text: unpack(texts.text) }
  const { wordLengths, words, indexes } = texts
  return { ...texts, wordLengths: unpack(wordLengths), words: unpack(words), indexes: unpack(indexes) }
}
