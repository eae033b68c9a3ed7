// Searches by the rows of known markets.

import type { FoundMarket, SearchQuery } from '../../../finding/finding.ts'
import { idOfText, marketWords, queryWords } from '../../../finding/search-words.ts'
import { VENUES, type Venue } from '../../../venue.ts'
import type { Asked } from './arrays.ts'
import { foundMarkets, keptEvents, keptMarkets, nameOf } from './kept-metadata.ts'
import { isCut, type NamedMarket, quoted } from './known-markets.ts'

type Hit = NamedMarket & { rank: number; day: string }

export async function searchKnown(sql: Asked, { text, venue, limit }: SearchQuery): Promise<FoundMarket[]> {
  const words = queryWords(text)
  if (words.length === 0) return []
  const venues = venue === undefined ? VENUES : [venue]
  const found = await Promise.all(venues.map((each) => hitsOf(sql, each, { text, words, limit })))
  const hits = found.flat().sort((a, b) => a.rank - b.rank || (a.day === b.day ? 0 : a.day > b.day ? -1 : 1))
  return foundMarkets(
    sql,
    hits.slice(0, limit).map(({ venue: of, market }) => ({ venue: of, market })),
  )
}

type Asking = { text: string; words: string[]; limit: number }

async function hitsOf(sql: Asked, venue: Venue, { text, words, limit }: Asking): Promise<Hit[]> {
  const long = words.filter(isCut)
  const [from, to] = idRange(idOfText(text, venue))
  const query = words.map((word) => `${quoted(word)}:*`).join(' & ')
  // Of words that were cut only the beginning is compared here.
  const most = long.length === 0 ? limit : Number.MAX_SAFE_INTEGER
  // An id that begins with the text has all of its words.
  const hits: Hit[] = await sql`
    SELECT ${venue} AS venue, market, rank, coalesce(last_date::text, '') AS day FROM (
      (SELECT market, last_date, number, 0 AS rank FROM known_markets WHERE venue = ${venue} AND market = ${from})
      UNION ALL
      (SELECT market, last_date, number, 1 AS rank FROM known_markets
        WHERE venue = ${venue} AND market > ${from} AND market < ${to}
        ORDER BY last_date DESC NULLS LAST, number DESC LIMIT ${most})
      UNION ALL
      (SELECT market, last_date, number, 2 AS rank FROM known_markets
        WHERE venue = ${venue} AND words @@ ${query}::tsquery AND NOT (market >= ${from} AND market < ${to})
        ORDER BY last_date DESC NULLS LAST, number DESC LIMIT ${most})
    ) AS found ORDER BY rank, last_date DESC NULLS LAST, number DESC LIMIT ${most}`
  return long.length === 0 ? hits : withWords(sql, hits, long)
}

/** What begins with an id is at or after the first and before the second; without one nothing is. */
function idRange(id: string | null): [from: string, to: string] {
  if (id === null) return ['', '']
  return [id, id.slice(0, -1) + String.fromCharCode(id.charCodeAt(id.length - 1) + 1)]
}

async function withWords(sql: Asked, hits: Hit[], words: string[]): Promise<Hit[]> {
  const cards = await keptMarkets(sql, hits)
  const named = hits.flatMap(({ venue, market }) => {
    const event = cards.get(nameOf(venue, market))?.card.event ?? null
    return event === null ? [] : [{ venue, event }]
  })
  const events = await keptEvents(sql, named)
  return hits.filter(({ venue, market }) => {
    const card = cards.get(nameOf(venue, market))?.card
    const event = card?.event ? events.get(nameOf(venue, card.event))?.card : undefined
    const known = marketWords(market, card, event)
    return words.every((word) => known.some((each) => each.startsWith(word)))
  })
}
