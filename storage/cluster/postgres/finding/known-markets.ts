// The rows by which markets are found. A writer of several rows changes them in the order of their keys, in one
// statement, so that there are no deadlocks.

import type { TransactionSQL } from 'bun'
import type { EventCard, MarketCard } from '../../../finding/metadata.ts'
import { marketWords } from '../../../finding/search-words.ts'
import type { Venue } from '../../../venue.ts'
import { marketTable, texts } from './arrays.ts'

/** Longer words are cut: PostgreSQL has room for 2,046 bytes. */
export const WORD_BYTES_MAX = 1_024

export type NamedMarket = { venue: Venue; market: string }
export type DescribedCards = NamedMarket & { card: MarketCard; event: EventCard | undefined }

/** Quotes a word. Words contain only letters and digits, so nothing in them needs an escape. */
export const quoted = (word: string): string => `'${beginningOf(word)}'`

export const isCut = (word: string): boolean => Buffer.byteLength(word) > WORD_BYTES_MAX

function beginningOf(word: string): string {
  if (!isCut(word)) return word
  const bytes = Buffer.from(word)
  let end = WORD_BYTES_MAX
  // Does not cut within a character.
  while ((bytes[end]! & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

const wordsOfMarket = (market: string, card?: MarketCard, event?: EventCard): string =>
  marketWords(market, card, event).map(quoted).join(' ')

/** Returns rows with the number that a market gets if it is new. */
const numbered = <Market extends NamedMarket>(
  sql: TransactionSQL,
  markets: readonly Market[],
  words: (market: Market) => string,
) =>
  sql`SELECT venue, market, words::tsvector AS words, nextval('known_numbers') AS number
    FROM unnest(${texts(sql, markets, ({ venue }) => venue)}, ${texts(sql, markets, ({ market }) => market)},
      ${texts(sql, markets, words)}) AS u (venue, market, words)`

/** Updates markets that have metadata. New ones become known in this order. */
export async function noteDescribed(sql: TransactionSQL, markets: readonly DescribedCards[]): Promise<void> {
  if (markets.length === 0) return
  const words = ({ market, card, event }: DescribedCards) => wordsOfMarket(market, card, event)
  await sql`
    WITH given AS MATERIALIZED (${numbered(sql, markets, words)})
    INSERT INTO known_markets AS known (venue, market, number, is_said, words)
    SELECT venue, market, number, true, words FROM given ORDER BY venue COLLATE "C", market COLLATE "C"
    ON CONFLICT (venue, market) DO UPDATE SET is_said = true, words = excluded.words
    WHERE NOT known.is_said OR known.words IS DISTINCT FROM excluded.words`
}

/** Updates a market whose metadata was removed. */
export async function noteUndescribed(sql: TransactionSQL, { venue, market }: NamedMarket): Promise<void> {
  await sql`
    UPDATE known_markets SET is_said = false, words = ${wordsOfMarket(market)}::tsvector
    WHERE venue = ${venue} AND market = ${market}`
  await forgetUnknown(sql, [{ venue, market }])
}

/** Updates markets whose dates were added or removed, after their rows of `markets` have changed. */
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

/** Removes those markets that have neither records nor metadata. */
export async function forgetUnknown(sql: TransactionSQL, markets: readonly NamedMarket[]): Promise<void> {
  if (markets.length === 0) return
  // Written so that no index matches: the index would scan all markets without records for each of these.
  await sql`
    DELETE FROM known_markets k USING ${marketTable(sql, markets)}
    WHERE k.venue = u.venue AND k.market = u.market AND is_said::integer + (last_date IS NOT NULL)::integer = 0`
}
