// Updates the search index when cards and stored days change, within one write transaction.

import type { EventCard, MarketCard } from '../../finding/metadata.ts'
import { marketWords, wordsOf } from '../../finding/search-words.ts'
import type { Venue } from '../../venue.ts'
import type { Databases } from '../values/databases.ts'
import { dayOf, MarketNumbers, numberOf } from './market-numbers.ts'
import { changePostings, type PostingChange, postingsOf } from './postings.ts'

/** What the words of a market are taken from; null if the market is not known. */
export type Cards = { card: MarketCard | undefined; event: EventCard | undefined } | null

export class IndexWriter {
  readonly #databases: Databases
  readonly #numbers: MarketNumbers
  readonly #postings: PostingChange[] = []

  constructor(databases: Databases) {
    this.#databases = databases
    this.#numbers = new MarketNumbers(databases)
  }

  /** Changes a market's words and last date. `lastDate` is null if no record is stored; undefined leaves it
   *  unchanged. */
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
    const [first] = wordsOf(market)
    const postings = (cards: Cards) => {
      const words = cards === null ? [] : marketWords(market, cards.card, cards.event)
      return postingsOf(venue, words, first)
    }
    const [had, has] = [postings(before), postings(after)]
    for (const [name, posting] of had) {
      if (!has.has(name)) this.#postings.push({ ...posting, isAdded: false, number })
    }
    for (const [name, posting] of has) {
      if (!had.has(name)) this.#postings.push({ ...posting, isAdded: true, number })
    }
  }
}
