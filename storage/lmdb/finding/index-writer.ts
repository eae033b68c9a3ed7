// Keeps the search index as cards and stored days change, within one write transaction.

import type { EventCard, MarketCard } from '../../finding/metadata.ts'
import { marketWords, wordsOf } from '../../finding/search-words.ts'
import type { Venue } from '../../venue.ts'
import type { Databases } from '../values/databases.ts'
import { dayOf, MarketNumbers, numberOf } from './market-numbers.ts'
import { changePostings, type PostingChange, postingsOf } from './postings.ts'

/** What the words of a market follow from; null where it is not known. */
export type Cards = { card: MarketCard | undefined; event: EventCard | undefined } | null

export class IndexWriter {
  readonly #databases: Databases
  readonly #numbers: MarketNumbers
  readonly #postings: PostingChange[] = []

  constructor(databases: Databases) {
    this.#databases = databases
    this.#numbers = new MarketNumbers(databases)
  }

  /** `lastDate` is null where no record is stored. Undefined leaves it as it was. */
  change(venue: Venue, market: string, change: { before: Cards; after: Cards; lastDate?: string | null }): void {
    const { before, after, lastDate } = change
    const known = numberOf(this.#databases, venue, market)
    if (known === undefined && after === null) return
    const number = known ?? this.#numbers.give(venue, market)
    this.#changeWords(venue, market, number, { before: known === undefined ? null : before, after })
    if (after === null) this.#numbers.remove(venue, market, number)
    else if (lastDate !== undefined) this.#numbers.setDay(venue, number, dayOf(lastDate))
  }

  finish(): void {
    changePostings(this.#databases, this.#postings)
    this.#numbers.finish()
  }

  #changeWords(venue: Venue, market: string, number: number, { before, after }: { before: Cards; after: Cards }): void {
    const words = (cards: Cards) => new Set(cards === null ? [] : marketWords(market, cards.card, cards.event))
    const [had, has] = [words(before), words(after)]
    const [first] = wordsOf(market)
    const add = (word: string, isAdded: boolean) => {
      const begins = word === first
      for (const posting of postingsOf(venue, word)) this.#postings.push({ ...posting, isAdded, number, begins })
    }
    for (const word of had.difference(has)) add(word, false)
    for (const word of has.difference(had)) add(word, true)
  }
}
