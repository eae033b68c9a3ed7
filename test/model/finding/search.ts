// Finds markets by words. Compares every known market.

import type { ModelStore, Venue } from '../model.ts'
import { type MarketInfo, marketInfo } from './market-info.ts'
import { textOf } from './metadata.ts'

type Described = 'title' | 'subtitle' | 'slug' | 'event' | 'outcomes'
type Stored = 'has_data' | 'start_date' | 'end_date' | 'available_date_count' | 'record_count'
export type SearchRow = { venue: Venue; market: string } & Pick<MarketInfo, Described | Stored>

/** A row found. Rows with the same `place` may come in any order among themselves. */
export type FoundRow = { row: SearchRow; place: string }

const VENUES: Venue[] = ['polymarket', 'kalshi']

/** Returns all markets that match every word of `text`: first the market whose id is `text`, then markets whose id
 *  begins with it, then the others. Each group is ordered by newest stored date. */
export function search(model: ModelStore, text: string, venue?: Venue): FoundRow[] {
  const queryWords = wordsIn(text)
  const found = VENUES.filter((each) => venue === undefined || each === venue).flatMap((each) =>
    marketsOf(model, each).flatMap((market) => {
      const { row, words } = describe(model, each, market)
      const hasAll = queryWords.every((word) => words.some((other) => other.startsWith(word)))
      return hasAll ? [{ row, rank: rankOf(row, text), date: row.end_date ?? '' }] : []
    }),
  )
  const newer = (one: string, other: string) => (one === other ? 0 : one > other ? -1 : 1)
  return found
    .sort((one, other) => one.rank - other.rank || newer(one.date, other.date))
    .map(({ row, rank, date }) => ({ row, place: `${rank} ${date}` }))
}

/** Returns the markets with stored records or with metadata. */
function marketsOf(model: ModelStore, venue: Venue): string[] {
  const described = model.metadata.markets().filter((each) => each.venue === venue)
  return [...new Set([...model.markets(venue), ...described.map(({ market }) => market)])]
}

function describe(model: ModelStore, venue: Venue, market: string): { row: SearchRow; words: string[] } {
  const known = model.metadata.of(venue, market)
  const { title, subtitle, slug, event, outcomes, ...info } = marketInfo(venue, known, model.partitions(venue, market))!
  const { has_data, start_date, end_date, available_date_count, record_count } = info
  const stored = { has_data, start_date, end_date, available_date_count, record_count }
  const ofEvent = [event?.id, event?.title, venue === 'kalshi' ? textOf(known?.eventJson?.['sub_title']) : null]
  const texts = [market, title, subtitle, slug, ...ofEvent, ...outcomes.flatMap((each) => [each.outcome, each.title])]
  const row = { venue, market, title, subtitle, slug, event, outcomes, ...stored }
  return { row, words: texts.flatMap((text) => wordsIn(text ?? '')) }
}

function rankOf({ venue, market }: SearchRow, text: string): number {
  const id = venue === 'kalshi' ? text.trim().toUpperCase() : text.trim().toLowerCase()
  if (market === id) return 0
  return market.startsWith(id) ? 1 : 2
}

/** Splits a text into runs of letters and digits, without accents, in lower case. */
export function wordsIn(text: string): string[] {
  const words = ['']
  for (const character of text.normalize('NFKD')) {
    if (/^\p{M}$/u.test(character)) continue
    if (/^[\p{L}\p{N}]$/u.test(character)) words.push(`${words.pop()}${character.toUpperCase().toLowerCase()}`)
    else words.push('')
  }
  return words.filter((word) => word !== '')
}
