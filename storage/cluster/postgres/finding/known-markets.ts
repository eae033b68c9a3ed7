// The rows by which markets are found. Whoever changes several changes them in the order of their keys, in one
// statement: nobody waits for somebody who waits for him.

import type { TransactionSQL } from 'bun'
import type { EventCard, MarketCard } from '../../../finding/metadata.ts'
import { marketWords } from '../../../finding/search-words.ts'
import type { Venue } from '../../../venue.ts'
import { marketTable, texts } from './arrays.ts'

/** Of longer words only the beginning is kept: PostgreSQL has room for 2,046 bytes. */
export const WORD_BYTES_MAX = 1_024

export type NamedMarket = { venue: Venue; market: string }
export type SaidCards = NamedMarket & { card: MarketCard; event: EventCard | undefined }

/** Words hold letters and digits alone, so nothing in them needs an escape. */
export const quoted = (word: string): string => `'${beginningOf(word)}'`

export const isCut = (word: string): boolean => Buffer.byteLength(word) > WORD_BYTES_MAX

function beginningOf(word: string): string {
  if (!isCut(word)) return word
  const bytes = Buffer.from(word)
  let end = WORD_BYTES_MAX
  // Not within a character.
  while ((bytes[end]! & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

const wordsOfMarket = (market: string, card?: MarketCard, event?: EventCard): string =>
  marketWords(market, card, event).map(quoted).join(' ')

/** Each with the number that it gets if it is new. */
const numbered = <Market extends NamedMarket>(
  sql: TransactionSQL,
  markets: readonly Market[],
  words: (market: Market) => string,
) =>
  sql`SELECT venue, market, words::tsvector AS words, nextval('known_numbers') AS number
    FROM unnest(${texts(sql, markets, ({ venue }) => venue)}, ${texts(sql, markets, ({ market }) => market)},
      ${texts(sql, markets, words)}) AS u (venue, market, words)`

/** Of markets that metadata is kept of; new ones become known in this order. */
export async function noteSaid(sql: TransactionSQL, markets: readonly SaidCards[]): Promise<void> {
  if (markets.length === 0) return
  const words = ({ market, card, event }: SaidCards) => wordsOfMarket(market, card, event)
  await sql`
    WITH given AS MATERIALIZED (${numbered(sql, markets, words)})
    INSERT INTO known_markets AS known (venue, market, number, is_said, words)
    SELECT venue, market, number, true, words FROM given ORDER BY venue COLLATE "C", market COLLATE "C"
    ON CONFLICT (venue, market) DO UPDATE SET is_said = true, words = excluded.words
    WHERE NOT known.is_said OR known.words IS DISTINCT FROM excluded.words`
}

/** Nothing is said of it any more. */
export async function noteUnsaid(sql: TransactionSQL, { venue, market }: NamedMarket): Promise<void> {
  await sql`
    UPDATE known_markets SET is_said = false, words = ${wordsOfMarket(market)}::tsvector
    WHERE venue = ${venue} AND market = ${market}`
  await forgetUnknown(sql, [{ venue, market }])
}

/** Of markets of which dates were added or removed, after their rows of `markets` were changed. */
export async function noteDates(sql: TransactionSQL, markets: readonly NamedMarket[]): Promise<void> {
  if (markets.length === 0) return
  const words = ({ market }: NamedMarket) => wordsOfMarket(market)
  await sql`
    WITH given AS MATERIALIZED (${numbered(sql, markets, words)})
    INSERT INTO known_markets AS known (venue, market, number, last_date, is_said, words)
    SELECT venue, market, given.number, CASE WHEN date_count > 0 THEN markets.last_date END, false, words
    FROM given JOIN markets USING (venue, market) ORDER BY venue COLLATE "C", market COLLATE "C"
    ON CONFLICT (venue, market) DO UPDATE SET last_date = excluded.last_date
    WHERE known.last_date IS DISTINCT FROM excluded.last_date`
}

/** Those of them that are neither stored nor said anything of. */
export async function forgetUnknown(sql: TransactionSQL, markets: readonly NamedMarket[]): Promise<void> {
  if (markets.length === 0) return
  // In words that no index has: all markets that are not stored would be gone through for each of these.
  await sql`
    DELETE FROM known_markets k USING ${marketTable(sql, markets)}
    WHERE k.venue = u.venue AND k.market = u.market AND is_said::integer + (last_date IS NOT NULL)::integer = 0`
}
