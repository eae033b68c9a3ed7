// Changes the search index within a commit: the words of each market, and its newest stored day, which decides what a
// search returns first.
//
//   k venue market → number, whether it has records, whether it has metadata
//   n venue number → market
//   t venue part   → newest day of each of 512 markets: days since 1970 plus one, 0 if nothing is stored, GONE if
//                    the market is not known any more

import type { EventCard, MarketCard } from '../../finding/metadata.ts'
import { marketWords, wordsOf } from '../../finding/search-words.ts'
import { DAY_MS, dateStartMs } from '../../units.ts'
import type { Venue } from '../../venue.ts'
import { keyOf, namesOf } from '../keys.ts'
import type { RowKey, Rows } from '../rows.ts'
import { revisionOf } from '../rows.ts'
import { openBytes, openText, sealBytes, sealText } from '../sealed-rows.ts'
import type { Write } from '../shared-rows.ts'
import { openPart, POSTINGS_MAX, type Posting, partKey, partsOf, postingsOf, sealPart, termKey } from './postings.ts'

export const NUMBERS_A_PART = 512
export const GONE = 0xffff

/** The metadata from which the words of a market are taken; null if the market is not known. */
export type Cards = { card: MarketCard | undefined; event: EventCard | undefined } | null
export const NO_CARDS: Cards = { card: undefined, event: undefined }

export const dayOf = (date: string | null): number => (date === null ? 0 : dateStartMs(date) / DAY_MS + 1)
export const nameKey = (venue: Venue, number: number): RowKey => keyOf('n', venue, String(number))
const daysKey = (venue: Venue, part: number): RowKey => keyOf('t', venue, String(part).padStart(8, '0'))
/** Returns the number of the market that the first day of a row belongs to. */
export const firstNumber = (key: RowKey): number => Number(namesOf(key)[1]) * NUMBERS_A_PART

export const openName = (key: RowKey, bytes: Uint8Array): string =>
  openText(key, bytes, ([venue, number]) => `name of the market ${number} of ${venue}`)

/** Throws DataError('block_corrupt'). */
export function openDays(key: RowKey, bytes: Uint8Array): Uint16Array {
  const body = openBytes(key, bytes, ([venue]) => `newest days of ${venue}`)
  return new Uint16Array(body.buffer, body.byteOffset, body.length / Uint16Array.BYTES_PER_ELEMENT)
}

/** A change of a known market. `day` is the market's newest day after the change; if it is undefined, the newest day
 *  does not change. */
export type MarketWords = { venue: Venue; market: string; number: number; before: Cards; after: Cards; day?: number }

export class IndexChange {
  readonly #rows: Rows
  /** The changed terms, by venue and term. */
  readonly #terms = new Map<string, ChangedTerm>()
  readonly #days = new Map<RowKey, Map<number, number>>()

  constructor(rows: Rows) {
    this.#rows = rows
  }

  change({ venue, market, number, before, after, day }: MarketWords): void {
    const [first] = wordsOf(market)
    const postings = (cards: Cards) => {
      const words = cards === null ? [] : marketWords(market, cards.card, cards.event)
      return postingsOf(number, words, first)
    }
    const [had, has] = before === after ? [new Map(), new Map()] : [postings(before), postings(after)]
    for (const [name, posting] of had) if (!has.has(name)) this.#term(venue, posting.term).removed.push(posting)
    for (const [name, posting] of has) if (!had.has(name)) this.#term(venue, posting.term).added.push(posting)
    if (day === undefined) return
    const key = daysKey(venue, Math.floor(number / NUMBERS_A_PART))
    this.#days.set(key, (this.#days.get(key) ?? new Map<number, number>()).set(number % NUMBERS_A_PART, day))
  }

  /** Adds the changes to a commit. */
  async finish(write: Write): Promise<void> {
    const all = [...this.#terms.values()]
    const terms = all.filter(({ removed }) => removed.length === 0)
    const dayKeys = [...this.#days.keys()]
    const stored = await this.#rows.get([...terms.map(({ key }) => partKey(key, 0)), ...dayKeys])
    for (const [index, term] of terms.entries()) {
      const part = stored[index]
      changeTerm(write, term, new Map(part && [[0, part]]))
    }
    for (const term of all) {
      if (term.removed.length > 0) changeTerm(write, term, await partsOf(this.#rows, term.key))
    }
    for (const [index, key] of dayKeys.entries()) {
      const bytes = stored[terms.length + index]
      const days = bytes ? openDays(key, bytes) : new Uint16Array(NUMBERS_A_PART).fill(GONE)
      for (const [at, day] of this.#days.get(key)!) days[at] = day
      write.expect.push({ key, revision: revisionOf(bytes) })
      write.put.push({ key, value: sealBytes(key, new Uint8Array(days.buffer, days.byteOffset, days.byteLength)) })
    }
  }

  #term(venue: Venue, term: string): ChangedTerm {
    const name = `${venue} ${term}`
    const existing = this.#terms.get(name) ?? { key: termKey(venue, term), added: [], removed: [] }
    this.#terms.set(name, existing)
    return existing
  }
}

type ChangedTerm = { key: RowKey; added: Posting[]; removed: Posting[] }

/** Adds the change of a term to a commit. `stored` has the parts of the term, or only part 0 if no posting is
 *  removed. */
function changeTerm(write: Write, { key, added, removed }: ChangedTerm, stored: ReadonlyMap<number, Uint8Array>): void {
  const parts = new Map([...stored].map(([part, bytes]) => [part, [...openPart(partKey(key, part), bytes)]]))
  const changed = new Set<number>()
  for (const posting of removed) removePosting(parts, posting, changed)
  if (added.length > 0) addPostings(parts, added, changed)
  for (const part of changed) {
    const [row, numbers] = [partKey(key, part), parts.get(part)!]
    write.expect.push({ key: row, revision: revisionOf(stored.get(part)) })
    if (numbers.length === 1 && numbers[0] === 0) write.remove.push(row)
    else write.put.push({ key: row, value: sealPart(row, numbers) })
  }
}

function addPostings(parts: Map<number, number[]>, added: readonly Posting[], changed: Set<number>): void {
  const [before = 0, ...postings] = parts.get(0) ?? []
  for (const { market, rest } of added) postings.push(market, rest)
  let last = before
  let start = 0
  for (; postings.length - start > 2 * POSTINGS_MAX; start += 2 * POSTINGS_MAX) {
    parts.set(++last, [last, ...postings.slice(start, start + 2 * POSTINGS_MAX)])
    changed.add(last)
  }
  parts.set(0, [last, ...postings.slice(start)])
  changed.add(0)
}

function removePosting(parts: ReadonlyMap<number, number[]>, { market, rest }: Posting, changed: Set<number>): void {
  for (const [part, numbers] of parts) {
    for (let at = 1; at < numbers.length; at += 2) {
      if (numbers[at] !== market || numbers[at + 1] !== rest) continue
      numbers.splice(at, 2)
      changed.add(part)
      return
    }
  }
}

/** `number` grows in the order in which markets became known. */
export type KnownRow = { number: number; isStored: boolean; isDescribed: boolean }

export const sealKnown = (key: RowKey, { number, isStored, isDescribed }: KnownRow): Uint8Array =>
  sealText(key, `${number} ${Number(isStored)} ${Number(isDescribed)}`)

/** Throws DataError('block_corrupt'). */
export function openKnown(key: RowKey, bytes: Uint8Array): KnownRow {
  const text = openText(key, bytes, ([venue, market]) => `number of the ${venue} market ${market}`)
  const [number, isStored, isDescribed] = text.split(' ') as [string, string, string]
  return { number: Number(number), isStored: isStored === '1', isDescribed: isDescribed === '1' }
}

/** Adds a change of a market's known state to a commit. `after` is null if the market is not known any more. */
export function writeKnown(
  write: Write,
  { venue, market }: { venue: Venue; market: string },
  before: { key: RowKey; bytes: Uint8Array | undefined },
  after: KnownRow | null,
  number: number,
): void {
  const { key, bytes } = before
  const name = nameKey(venue, number)
  if (after !== null || bytes !== undefined) write.expect.push({ key, revision: revisionOf(bytes) })
  if (after === null) {
    write.remove.push(key, name)
    return
  }
  write.put.push({ key, value: sealKnown(key, after) })
  if (bytes !== undefined) return
  // If two writers give the same number to two markets, both expect that no row holds the name for this number yet, so
  // only one of them can commit.
  write.expect.push({ key: name, revision: revisionOf(undefined) })
  write.put.push({ key: name, value: sealText(name, market) })
}
