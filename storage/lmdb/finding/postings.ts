// Postings: which markets have a word. A posting is the number of a market, and what follows the term in the word.
//
//   'words', venue, term, part → postings of the words that begin with the term, which has 1, 2, 4, 8 or 12 bytes
//
// A query word reads the postings of one term, the longest that it begins with, and compares its remaining bytes with
// those of each posting, up to four. So words that look alike (dates, numbers) cost no more than words that are equal.
// Part 0 is the last part; its first number is the count of the parts before it.

import type { Venue } from '../../venue.ts'
import { type Databases, KEY_END, type Key } from '../values/databases.ts'
import { openBytes, sealBytes } from './packed-values.ts'

/** Lengths of terms, and how many bytes after them are compared: fewer than would make the next longer term. */
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
const POSTINGS_MAX = 500
/** Set in the posting of a word that begins the id of its market. */
const BEGINS = 0x8000_0000
export const NUMBERS_MAX = 0x7fff_ffff

export type Posting = { key: Key; rest: number; begins: boolean }
export type PostingChange = Posting & { number: number; isAdded: boolean }

/** Returns a word with one character per byte. */
export const bytesOfWord = (word: string): string => Buffer.from(word, 'utf8').toString('latin1')

/** Returns the postings of a market's words, each once; `first` is the word that begins its id. The key of the map is
 *  the same for the same posting. */
export function postingsOf(venue: Venue, words: Iterable<string>, first: string | undefined): Map<string, Posting> {
  const postings = new Map<string, Posting>()
  for (const word of words) {
    const bytes = bytesOfWord(word)
    const begins = word === first
    for (const { termBytes, comparedBytes } of LEVELS) {
      if (bytes.length < termBytes) break
      const term = bytes.slice(0, termBytes)
      const rest = bytesAt(bytes, termBytes, comparedBytes)
      postings.set(`${term} ${rest} ${begins}`, { key: ['words', venue, term], rest, begins })
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

/** Applies changes within a write transaction. */
export function changePostings(databases: Databases, changes: readonly PostingChange[]): void {
  for (const same of Map.groupBy(changes, ({ key }) => String(key)).values()) {
    const { key } = same[0]!
    const added = same.filter(({ isAdded }) => isAdded)
    for (const removed of same) if (!removed.isAdded) removePosting(databases, key, removed)
    if (added.length > 0) addPostings(databases, key, added)
  }
}

function addPostings(databases: Databases, key: Key, added: PostingChange[]): void {
  const open = readPart(databases, key, 0)
  let before = open?.[0] ?? 0
  const postings = [...(open?.subarray(1) ?? [])]
  for (const { number, begins, rest } of added) postings.push(begins ? (number | BEGINS) >>> 0 : number, rest)
  let start = 0
  for (; postings.length - start > 2 * POSTINGS_MAX; start += 2 * POSTINGS_MAX) {
    putPart(databases, key, ++before, [before, ...postings.slice(start, start + 2 * POSTINGS_MAX)])
  }
  putPart(databases, key, 0, [before, ...postings.slice(start)])
}

function removePosting(databases: Databases, key: Key, { number, rest, begins }: PostingChange): void {
  const removed = begins ? (number | BEGINS) >>> 0 : number
  const last = readPart(databases, key, 0)?.[0] ?? 0
  for (let part = 0; part <= last; part++) {
    const words = readPart(databases, key, part)
    if (words === undefined) continue
    for (let at = 1; at < words.length; at += 2) {
      if (words[at] !== removed || words[at + 1] !== rest) continue
      const left = [...words.subarray(0, at), ...words.subarray(at + 2)]
      if (left.length === 1 && last === 0) databases.finding.removeSync(partKey(key, part))
      else putPart(databases, key, part, left)
      return
    }
  }
}

const partKey = (key: Key, part: number): Key => [...(key as string[]), part]

function readPart(databases: Databases, key: Key, part: number): Uint32Array | undefined {
  const entry = partKey(key, part)
  const bytes = databases.finding.get(entry)
  return bytes === undefined ? undefined : new Uint32Array(openBytes('finding', entry, bytes).buffer)
}

function putPart(databases: Databases, key: Key, part: number, words: number[]): void {
  const entry = partKey(key, part)
  const body = new Uint8Array(Uint32Array.from(words).buffer)
  databases.finding.putSync(entry, sealBytes('finding', entry, body))
}

/** Marks the markets that have a word beginning with `word`: raises `hits` by one for those with `before` hits, and
 *  sets `begins` if that word begins the market's id. */
export function markWord(databases: Databases, venue: Venue, word: string, marks: Marks): void {
  const bytes = bytesOfWord(word)
  const { termBytes, comparedBytes } = LEVELS.findLast((level) => level.termBytes <= bytes.length)!
  const compared = Math.min(comparedBytes, bytes.length - termBytes)
  const mask = compared === 0 ? 0 : (0xffff_ffff << (8 * (WORD_BYTES - compared))) >>> 0
  const rest = bytesAt(bytes, termBytes, compared)
  const term = bytes.slice(0, termBytes)
  const range = { start: ['words', venue, term, 0], end: ['words', venue, term, Number.MAX_SAFE_INTEGER] }
  for (const { key, value } of databases.finding.getRange(range)) mark(openPart(key, value), marks, mask, rest)
}

const openPart = (key: Key, value: Uint8Array) => new Uint32Array(openBytes('finding', key, value).buffer)

type Marks = { hits: Uint8Array; begins: Uint8Array; before: number }

function mark(postings: Uint32Array, { hits, begins, before }: Marks, mask: number, rest: number): void {
  for (let at = 1; at < postings.length; at += 2) {
    if ((postings[at + 1]! & mask) >>> 0 !== rest) continue
    const posting = postings[at]!
    const number = posting & NUMBERS_MAX
    if (hits[number] === before) hits[number] = before + 1
    if (posting >= BEGINS) begins[number] = 1
  }
}

/** Iterates over every posting of a venue with the key of its term, for checks. */
export function* allPostings(databases: Databases, venue: Venue): Generator<Posting & { number: number }> {
  const range = { start: ['words', venue, ''], end: ['words', venue, KEY_END] }
  for (const { key, value } of databases.finding.getRange(range)) {
    const term = ['words', venue, String(key[2])]
    const postings = openPart(key, value)
    for (let at = 1; at < postings.length; at += 2) {
      const posting = postings[at]!
      yield { key: term, number: posting & NUMBERS_MAX, begins: posting >= BEGINS, rest: postings[at + 1]! }
    }
  }
}
