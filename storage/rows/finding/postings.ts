// Postings say which markets have a word. A posting is a market's number, and up to four bytes that follow the term.
//
//   w venue term part → postings of the words that begin with the term, which has 1, 2, 4, 8 or 12 bytes
//
// For each word of a query, a search reads the postings of the longest term that begins the word, and compares the
// bytes after the term. So words that look alike (dates, numbers) cost no more than equal words. Part 0 is the last
// part; its first number is the count of the parts before it.

import type { Venue } from '../../venue.ts'
import { below, keyOf, namesOf } from '../keys.ts'
import { ALL_ROWS, type RowKey, type Rows } from '../rows.ts'
import { openBytes, sealBytes } from '../sealed-rows.ts'

/** The lengths of terms, and for each length how many bytes after the term are compared. A query word with more bytes
 *  than these has a longer term. */
const LEVELS = [
  { termBytes: 1, comparedBytes: 0 },
  { termBytes: 2, comparedBytes: 1 },
  { termBytes: 4, comparedBytes: 3 },
  { termBytes: 8, comparedBytes: 3 },
  { termBytes: 12, comparedBytes: 4 },
] as const
const WORD_BYTES = 4
/** How many bytes of a word are compared. */
export const COMPARED_BYTES = 16
/** A part with this many postings just fits into a page of its own. */
export const POSTINGS_MAX = 500
/** Bit that is set in the posting of a word that begins the id of its market. */
const BEGINS = 0x8000_0000
const NUMBERS_MAX = 0x7fff_ffff

/** A posting: its term, and the two numbers that are stored for it. */
export type Posting = { term: string; market: number; rest: number }

/** Returns a word with one character per byte. */
export const bytesOfWord = (word: string): string => Buffer.from(word, 'utf8').toString('latin1')

export const termKey = (venue: Venue, term: string): RowKey => keyOf('w', venue, term)
export const partKey = (term: RowKey, part: number): RowKey => `${term}${part}\0`
const partOf = (key: RowKey): number => Number(namesOf(key)[2])

/** Returns the postings of a market's words, each once. `first` is the word that begins the market's id. Equal postings
 *  have equal keys in the map. */
export function postingsOf(number: number, words: Iterable<string>, first?: string): Map<string, Posting> {
  if (number > NUMBERS_MAX) throw new RangeError('there are more markets than can be numbered')
  const postings = new Map<string, Posting>()
  for (const word of words) {
    const bytes = bytesOfWord(word)
    const market = word === first ? (number | BEGINS) >>> 0 : number
    for (const { termBytes, comparedBytes } of LEVELS) {
      if (bytes.length < termBytes) break
      const term = bytes.slice(0, termBytes)
      const rest = bytesAt(bytes, termBytes, comparedBytes)
      postings.set(`${term} ${rest} ${market}`, { term, market, rest })
    }
  }
  return postings
}

/** Returns bytes of a word as one number, padded with zeros. */
function bytesAt(bytes: string, start: number, count: number): number {
  let value = 0
  for (let at = start; at < start + WORD_BYTES; at++) {
    value = (value << 8) | (at < start + count ? bytes.charCodeAt(at) || 0 : 0)
  }
  return value >>> 0
}

/** Throws DataError('block_corrupt'). */
export function openPart(key: RowKey, bytes: Uint8Array): Uint32Array {
  const body = openBytes(key, bytes, ([venue]) => `index of the words of ${venue}`)
  return new Uint32Array(body.buffer, body.byteOffset, body.length / Uint32Array.BYTES_PER_ELEMENT)
}

export const sealPart = (key: RowKey, numbers: readonly number[]): Uint8Array =>
  sealBytes(key, new Uint8Array(Uint32Array.from(numbers).buffer))

/** Returns the stored bytes of all parts of a term, by the number of the part. */
export async function partsOf(rows: Rows, term: RowKey): Promise<Map<number, Uint8Array>> {
  const found = await rows.range({ ...below(term), limit: ALL_ROWS })
  return new Map(found.map(({ key, value }) => [partOf(key), value]))
}

type Marks = { hits: Uint8Array; begins: Uint8Array; before: number }

/** Marks the markets that have a word beginning with `word`: raises their `hits` from `before` by one, and sets
 *  `begins` if the market's word begins the market's id. */
export async function markWord(rows: Rows, venue: Venue, word: string, marks: Marks): Promise<void> {
  const bytes = bytesOfWord(word)
  const { termBytes, comparedBytes } = LEVELS.findLast((level) => level.termBytes <= bytes.length)!
  const compared = Math.min(comparedBytes, bytes.length - termBytes)
  const mask = compared === 0 ? 0 : (0xffff_ffff << (8 * (WORD_BYTES - compared))) >>> 0
  const rest = bytesAt(bytes, termBytes, compared)
  const range = below(termKey(venue, bytes.slice(0, termBytes)))
  for (const { key, value } of await rows.range({ ...range, limit: ALL_ROWS })) {
    mark(openPart(key, value), marks, mask, rest)
  }
}

function mark(postings: Uint32Array, { hits, begins, before }: Marks, mask: number, rest: number): void {
  for (let at = 1; at < postings.length; at += 2) {
    if ((postings[at + 1]! & mask) >>> 0 !== rest) continue
    const posting = postings[at]!
    const number = posting & NUMBERS_MAX
    if (hits[number] === before) hits[number] = before + 1
    if (posting >= BEGINS) begins[number] = 1
  }
}
