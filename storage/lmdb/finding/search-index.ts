// Answers a search from postings and numbers: finds the markets that have all words, and ranks them.

import { idOfText, marketWords, queryWords } from '../../finding/search-words.ts'
import { VENUES, type Venue } from '../../venue.ts'
import type { Databases } from '../values/databases.ts'
import { countOf, GONE, nameOf, numberOf, readLastDays } from './market-numbers.ts'
import { bytesOfWord, COMPARED_BYTES, markWord } from './postings.ts'
import { cardsOf } from './stored-metadata.ts'

export type Hit = { venue: Venue; market: string }
type Ranked = Hit & { rank: number; day: number }

const EXACT = 0
const PREFIX = 1
const OTHER = 2

export function searchIndex(
  databases: Databases,
  { text, venue, limit }: { text: string; venue: Venue | undefined; limit: number },
): Hit[] {
  const words = queryWords(text)
  if (words.length === 0) return []
  const venues = venue === undefined ? VENUES : [venue]
  const ranked = venues.flatMap((each) => new VenueSearch(databases, each, text, words).ranked(limit))
  return ranked.sort((a, b) => a.rank - b.rank || b.day - a.day).slice(0, limit)
}

/** Returns a function that tests whether a market of the venue has all words of the text. */
export function wordMatcher(databases: Databases, venue: Venue, text: string): (market: string) => boolean {
  const search = new VenueSearch(databases, venue, text, queryWords(text))
  return (market) => search.has(market)
}

class VenueSearch {
  readonly #databases: Databases
  readonly #venue: Venue
  readonly #words: string[]
  readonly #id: string | null
  readonly #days: Uint16Array
  readonly #begins: Uint8Array
  /** How many of the words each market has, by number. */
  readonly #hits: Uint8Array
  /** Numbers of the markets that have all words, in result order. */
  readonly #found: Uint32Array

  constructor(databases: Databases, venue: Venue, text: string, words: string[]) {
    this.#databases = databases
    this.#venue = venue
    this.#words = words
    this.#id = idOfText(text, venue)
    const count = countOf(databases, venue)
    this.#days = readLastDays(databases, venue, count)
    this.#begins = new Uint8Array(count)
    this.#hits = new Uint8Array(count)
    for (const [before, word] of words.entries()) {
      markWord(databases, venue, word, { hits: this.#hits, begins: this.#begins, before })
    }
    this.#found = newestFirst(this.#hits, words.length, this.#days)
  }

  ranked(limit: number): Ranked[] {
    const ranked = new Map<number, Ranked>()
    const add = (number: number, rank: number, market = this.#name(number)) => {
      if (market === undefined || ranked.has(number) || !this.#hasLongWords(market)) return
      ranked.set(number, { venue: this.#venue, market, rank, day: this.#days[number]! })
    }
    const id = this.#id
    if (id !== null) {
      const exact = numberOf(this.#databases, this.#venue, id)
      if (exact !== undefined) add(exact, EXACT, id)
      // By index: an iterator over this many would take longer than all the rest.
      for (let at = 0; at < this.#found.length && ranked.size < limit; at++) {
        const number = this.#found[at]!
        if (this.#begins[number] === 0) continue
        const market = this.#name(number)
        if (market?.startsWith(id)) add(number, PREFIX, market)
      }
    }
    for (let at = 0; at < this.#found.length && ranked.size < limit; at++) add(this.#found[at]!, OTHER)
    return [...ranked.values()]
  }

  has(market: string): boolean {
    const number = numberOf(this.#databases, this.#venue, market)
    return number !== undefined && this.#hits[number] === this.#words.length && this.#hasLongWords(market)
  }

  #name(number: number): string | undefined {
    return nameOf(this.#databases, this.#venue, number)
  }

  /** Checks the words that are longer than the compared bytes: the postings matched only their beginning. */
  #hasLongWords(market: string): boolean {
    const long = this.#words.filter((word) => bytesOfWord(word).length > COMPARED_BYTES)
    if (long.length === 0) return true
    const { card, event } = cardsOf(this.#databases, this.#venue, market)
    const known = marketWords(market, card, event)
    return long.every((word) => known.some((each) => each.startsWith(word)))
  }
}

/** Returns the numbers with `wanted` hits, by newest day, then by number, both descending. */
function newestFirst(hits: Uint8Array, wanted: number, days: Uint16Array): Uint32Array {
  // A counting sort: starts[day] is where the numbers of the day begin.
  let newest = 0
  let count = 0
  for (let number = 0; number < hits.length; number++) {
    if (hits[number] !== wanted || days[number] === GONE) continue
    count++
    if (days[number]! > newest) newest = days[number]!
  }
  const starts = new Uint32Array(newest + 2)
  for (let number = 0; number < hits.length; number++) {
    if (hits[number] === wanted && days[number] !== GONE) starts[newest - days[number]! + 1]!++
  }
  for (let day = 1; day < starts.length; day++) starts[day]! += starts[day - 1]!
  const sorted = new Uint32Array(count)
  for (let number = hits.length - 1; number >= 0; number--) {
    if (hits[number] !== wanted || days[number] === GONE) continue
    sorted[starts[newest - days[number]!]!++] = number
  }
  return sorted
}
