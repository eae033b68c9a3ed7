// Searches the rows of known markets.

import type { FoundMarket, SearchQuery } from '../../../finding/finding.ts'
import { idOfText, marketWords, queryWords } from '../../../finding/search-words.ts'
import { VENUES, type Venue } from '../../../venue.ts'
import type { Queryable } from './arrays.ts'
import { isCut, type NamedMarket, quoted } from './known-markets.ts'
import { foundMarkets, nameOf, storedEvents, storedMarkets } from './stored-metadata.ts'

type Hit = NamedMarket & { rank: number; day: string }

const EXACT = 0
const PREFIX = 1
const OTHER = 2

/** How many of the newest markets are searched first: words of many markets are also words of many new ones. */
const NEWEST = 4_000

export async function searchKnown(sql: Queryable, { text, venue, limit }: SearchQuery): Promise<FoundMarket[]> {
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

type Search = { text: string; words: string[]; limit: number }

async function hitsOf(sql: Queryable, venue: Venue, { text, words, limit }: Search): Promise<Hit[]> {
  const id = idOfText(text, venue)
  // An id that begins with the text has all of its words.
  const byId = id === null ? [] : await hitsById(sql, venue, id, limit)
  if (byId.length >= limit) return byId
  const long = words.filter(isCut)
  // The index compares only the beginning of words that were cut, so they are checked here.
  const byWords =
    long.length === 0
      ? await hitsByWords(sql, venue, queryOf(words), limit + byId.length)
      : await withWords(sql, await allByWords(sql, venue, queryOf(words), Number.MAX_SAFE_INTEGER), long)
  const ids = new Set(byId.map(({ market }) => market))
  return [...byId, ...byWords.filter(({ market }) => !ids.has(market))].slice(0, limit)
}

/** Returns a PostgreSQL text query that matches all of the words. */
export const queryOf = (words: readonly string[]): string => words.map((word) => `${quoted(word)}:*`).join(' & ')

function hitsById(sql: Queryable, venue: Venue, id: string, limit: number): Promise<Hit[]> {
  const [from, to] = [id, id.slice(0, -1) + String.fromCharCode(id.charCodeAt(id.length - 1) + 1)]
  return sql`
    SELECT ${venue} AS venue, market, rank, coalesce(last_date::text, '') AS day FROM (
      (SELECT market, last_date, number, ${EXACT}::integer AS rank FROM known_markets
        WHERE venue = ${venue} AND market = ${id})
      UNION ALL
      (SELECT market, last_date, number, ${PREFIX}::integer FROM known_markets
        WHERE venue = ${venue} AND market > ${from} AND market < ${to}
        ORDER BY last_date DESC NULLS LAST, number DESC LIMIT ${limit})
    ) AS found ORDER BY rank, last_date DESC NULLS LAST, number DESC LIMIT ${limit}`
}

async function hitsByWords(sql: Queryable, venue: Venue, query: string, limit: number): Promise<Hit[]> {
  const newest: Hit[] = await sql`
    SELECT venue, market, ${OTHER}::integer AS rank, coalesce(last_date::text, '') AS day FROM (
      SELECT * FROM known_markets WHERE venue = ${venue}
      ORDER BY last_date DESC NULLS LAST, number DESC LIMIT ${NEWEST}
    ) AS newest
    WHERE words @@ ${query}::tsquery ORDER BY last_date DESC NULLS LAST, number DESC LIMIT ${limit}`
  return newest.length === limit ? newest : allByWords(sql, venue, query, limit)
}

/** Searches through the index of words, however many markets have them. */
const allByWords = (sql: Queryable, venue: Venue, query: string, limit: number): Promise<Hit[]> => sql`
  WITH hits AS MATERIALIZED (
    SELECT market, last_date, number FROM known_markets WHERE venue = ${venue} AND words @@ ${query}::tsquery
  )
  SELECT ${venue} AS venue, market, ${OTHER}::integer AS rank, coalesce(last_date::text, '') AS day FROM hits
  ORDER BY last_date DESC NULLS LAST, number DESC LIMIT ${limit}`

/** Returns the markets for which every word is the start of a word, including the part that was cut. */
export async function withWords<Hit extends NamedMarket>(
  sql: Queryable,
  hits: readonly Hit[],
  words: readonly string[],
): Promise<Hit[]> {
  const cards = await storedMarkets(sql, hits)
  const named = hits.flatMap(({ venue, market }) => {
    const event = cards.get(nameOf(venue, market))?.card.event ?? null
    return event === null ? [] : [{ venue, event }]
  })
  const events = await storedEvents(sql, named)
  return hits.filter(({ venue, market }) => {
    const card = cards.get(nameOf(venue, market))?.card
    const event = card?.event ? events.get(nameOf(venue, card.event))?.card : undefined
    const known = marketWords(market, card, event)
    return words.every((word) => known.some((each) => each.startsWith(word)))
  })
}
