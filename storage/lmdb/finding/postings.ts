// Which markets have a word. A posting is the number of a market, and what follows in the word.
//
//   'words 4', venue, term, part   → postings of the words that begin with the term: their first 4 bytes, or all
//   'words 8', 'words 12'          → as above, of the first 8 and 12 bytes of longer words
//
// A question of up to three bytes reads every term that begins with it; a longer one reads one term, and compares up to
// four bytes that follow the term, which each posting has. So the words that look alike (dates, numbers) cost no more
// than those that are alike. Part 0 is the last one, and tells how many there are before it.

import type { Venue } from '../../venue.ts'
import { type Databases, KEY_END, type Key } from '../values/databases.ts'
import { openBytes, sealBytes } from './packed-values.ts'

const STEP = 4
const LEVELS = 3
/** What of a word is compared: its term and what a posting has beside that. */
export const COMPARED_BYTES = STEP * (LEVELS + 1)
/** Their part just fits into a page of its own. */
const POSTINGS_MAX = 500
/** Set in a posting of a word that begins the id of its market. */
const BEGINS = 0x8000_0000
export const NUMBERS_MAX = 0x7fff_ffff

export type PostingChange = { key: Key; isAdded: boolean; number: number; begins: boolean; rest: number }

const KEYS = ['words 4', 'words 8', 'words 12'] as const

/** A word as one character a byte. */
export const bytesOfWord = (word: string): string => Buffer.from(word, 'utf8').toString('latin1')

/** The postings of a word, without their part. */
export function postingsOf(venue: Venue, word: string): { key: Key; rest: number }[] {
  const bytes = bytesOfWord(word)
  const levels = Math.max(1, Math.min(LEVELS, Math.floor(bytes.length / STEP)))
  return Array.from({ length: levels }, (_, level) => {
    const end = STEP * (level + 1)
    return { key: [KEYS[level]!, venue, bytes.slice(0, end)], rest: bytesAt(bytes, end) }
  })
}

function bytesAt(bytes: string, start: number): number {
  let value = 0
  for (let at = start; at < start + STEP; at++) value = (value << 8) | (bytes.charCodeAt(at) || 0)
  return value >>> 0
}

/** Within a write transaction. */
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

function removePosting(databases: Databases, key: Key, { number, rest }: PostingChange): void {
  const last = readPart(databases, key, 0)?.[0] ?? 0
  for (let part = 0; part <= last; part++) {
    const words = readPart(databases, key, part)
    if (words === undefined) continue
    for (let at = 1; at < words.length; at += 2) {
      if ((words[at]! & NUMBERS_MAX) !== number || words[at + 1] !== rest) continue
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

/** Marks the markets that have a word beginning with this one: `hits` of those that have `before` becomes one more.
 *  `begins` is set where that word begins the id. */
export function markWord(
  databases: Databases,
  venue: Venue,
  word: string,
  marks: { hits: Uint8Array; begins: Uint8Array; before: number },
): void {
  const bytes = bytesOfWord(word)
  const { length } = bytes
  if (length < STEP) {
    const range = { start: [KEYS[0], venue, bytes], end: [KEYS[0], venue, bytes + KEY_END] }
    for (const { key, value } of databases.finding.getRange(range)) mark(openPart(key, value), marks, 0, 0)
    return
  }
  const level = Math.min(LEVELS, Math.floor(length / STEP)) - 1
  const end = STEP * (level + 1)
  const compared = Math.min(STEP, length - end)
  const mask = compared === 0 ? 0 : (0xffff_ffff << (8 * (STEP - compared))) >>> 0
  const rest = (bytesAt(bytes.slice(0, end + compared), end) & mask) >>> 0
  const term = bytes.slice(0, end)
  const range = { start: [KEYS[level]!, venue, term, 0], end: [KEYS[level]!, venue, term, Number.MAX_SAFE_INTEGER] }
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

/** Every posting of a venue with the key of its term, for checks. */
export function* allPostings(
  databases: Databases,
  venue: Venue,
): Generator<{ key: Key; number: number; begins: boolean; rest: number }> {
  for (const name of KEYS) {
    const range = { start: [name, venue, ''], end: [name, venue, KEY_END] }
    for (const { key, value } of databases.finding.getRange(range)) {
      const term = [name, venue, String(key[2])]
      const postings = openPart(key, value)
      for (let at = 1; at < postings.length; at += 2) {
        const posting = postings[at]!
        yield { key: term, number: posting & NUMBERS_MAX, begins: posting >= BEGINS, rest: postings[at + 1]! }
      }
    }
  }
}
