// Answers a search in one venue from postings and numbers: finds the markets that have all words, and ranks them.

import { idOfText, marketWords } from '../../finding/search-words.ts'
import type { Venue } from '../../venue.ts'
import { below, keyOf, knownKey } from '../keys.ts'
import { ALL_ROWS, type Rows } from '../rows.ts'
import { firstNumber, GONE, NUMBERS_A_PART, nameKey, openDays, openKnown, openName } from './index-change.ts'
import { cardsOf } from './metadata-rows.ts'
import { bytesOfWord, COMPARED_BYTES, markWord } from './postings.ts'

export type Hit = { venue: Venue; market: string; rank: number; day: number }
type Found = { number: number; market: string }

const EXACT = 0
const PREFIX = 1
const OTHER = 2
const NAMES_AT_ONCE = 100

export class VenueSearch {
  readonly #rows: Rows
  readonly #venue: Venue
  readonly #text: string
  readonly #words: readonly string[]
  #days = new Uint16Array(0)
  #begins = new Uint8Array(0)
  /** How many of the search's words each market has, by the market's number. */
  #hits = new Uint8Array(0)

  /** `words` are the words of `text`. */
  constructor(rows: Rows, venue: Venue, text: string, words: readonly string[]) {
    this.#rows = rows
    this.#venue = venue
    this.#text = text
    this.#words = words
  }

  async hits(limit: number): Promise<Hit[]> {
    await this.#mark()
    const found = newestFirst(this.#hits, this.#words.length, this.#days)
    const ranked = new Map<number, Hit>()
    const add = ({ number, market }: Found, rank: number) => {
      if (!ranked.has(number)) ranked.set(number, { venue: this.#venue, market, rank, day: this.#days[number]! })
    }
    const id = idOfText(this.#text, this.#venue)
    if (id !== null) {
      for (const exact of await this.#numbered([id]))
        for (const each of await this.#withLongWords([exact])) add(each, EXACT)
      const beginning = found.filter((number) => this.#begins[number] === 1)
      for await (const each of this.#named(beginning)) {
        if (ranked.size >= limit) break
        if (each.market.startsWith(id)) add(each, PREFIX)
      }
    }
    if (ranked.size < limit) {
      for await (const each of this.#named(found)) {
        add(each, OTHER)
        if (ranked.size >= limit) break
      }
    }
    return [...ranked.values()]
  }

  /** Returns those of the given markets that have all words of the search. */
  async matching(markets: readonly string[]): Promise<Set<string>> {
    await this.#mark()
    const numbered = await this.#numbered(markets)
    const found = numbered.filter(({ number }) => this.#hits[number] === this.#words.length)
    return new Set((await this.#withLongWords(found)).map(({ market }) => market))
  }

  async #mark(): Promise<void> {
    const parts = await this.#rows.range({ ...below(keyOf('t', this.#venue)), limit: ALL_ROWS })
    this.#days = new Uint16Array(parts.length === 0 ? 0 : firstNumber(parts.at(-1)!.key) + NUMBERS_A_PART).fill(GONE)
    for (const { key, value } of parts) this.#days.set(openDays(key, value), firstNumber(key))
    this.#hits = new Uint8Array(this.#days.length)
    this.#begins = new Uint8Array(this.#days.length)
    for (const [before, word] of this.#words.entries()) {
      await markWord(this.#rows, this.#venue, word, { hits: this.#hits, begins: this.#begins, before })
    }
  }

  async #numbered(markets: readonly string[]): Promise<Found[]> {
    const keys = markets.map((market) => knownKey(this.#venue, market))
    const stored = await this.#rows.get(keys)
    return stored.flatMap((bytes, at) =>
      bytes === undefined ? [] : [{ market: markets[at]!, number: openKnown(keys[at]!, bytes).number }],
    )
  }

  /** Iterates over the markets with these numbers that have the long words. */
  async *#named(numbers: Uint32Array): AsyncGenerator<Found> {
    for (let from = 0; from < numbers.length; from += NAMES_AT_ONCE) {
      const some = [...numbers.subarray(from, from + NAMES_AT_ONCE)]
      const keys = some.map((number) => nameKey(this.#venue, number))
      const names = (await this.#rows.get(keys)).flatMap((bytes, at) =>
        bytes === undefined ? [] : [{ number: some[at]!, market: openName(keys[at]!, bytes) }],
      )
      yield* await this.#withLongWords(names)
    }
  }

  /** Checks the words that are longer than the compared bytes: the postings matched only their beginning. */
  async #withLongWords(found: Found[]): Promise<Found[]> {
    const long = this.#words.filter((word) => bytesOfWord(word).length > COMPARED_BYTES)
    if (long.length === 0) return found
    const cards = await cardsOf(
      this.#rows,
      found.map(({ market }) => ({ venue: this.#venue, market })),
    )
    return found.filter(({ market }, at) => {
      const { card, event } = cards[at]!
      const known = marketWords(market, card, event)
      return long.every((word) => known.some((each) => each.startsWith(word)))
    })
  }
}

/** Returns the numbers with `wanted` hits, by newest day, then by number, both descending. */
function newestFirst(hits: Uint8Array, wanted: number, days: Uint16Array): Uint32Array {
  // A counting sort: the numbers of a day begin at starts[newest - day].
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
