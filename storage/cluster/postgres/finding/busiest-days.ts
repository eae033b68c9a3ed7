// Reads a page of the busiest markets of a date.

import type { BusiestPage, BusiestQuery } from '../../../finding/finding.ts'
import { queryWords } from '../../../finding/search-words.ts'
import type { Venue } from '../../../venue.ts'
import type { Queryable } from './arrays.ts'
import { isCut } from './known-markets.ts'
import { queryOf, withWords } from './search-known.ts'

export async function readBusiest(
  sql: Queryable,
  venue: Venue,
  date: string,
  { by, text, offset = 0, limit }: BusiestQuery,
): Promise<BusiestPage> {
  const words = text === undefined ? [] : queryWords(text)
  const long = words.filter(isCut)
  const query = words.length === 0 ? null : queryOf(words)
  const page = long.length === 0 ? { offset, limit } : { offset: 0, limit: Number.MAX_SAFE_INTEGER }
  const rows: Record<string, string>[] = await sql`
    WITH matching AS MATERIALIZED (
      SELECT market, records, trades, volume, gaps, gap_ms,
        CASE ${by}::text WHEN 'records' THEN records WHEN 'trades' THEN trades WHEN 'volume' THEN volume END AS amount
      FROM days WHERE venue = ${venue} AND date = ${date}::date AND (${query}::text IS NULL OR market IN (
        SELECT market FROM known_markets WHERE venue = ${venue} AND words @@ ${query}::tsquery))
    ), page AS (SELECT * FROM matching ORDER BY amount DESC, market LIMIT ${page.limit} OFFSET ${page.offset})
    SELECT total, page.* FROM (SELECT count(*) AS total FROM matching) AS counted LEFT JOIN page ON true
    ORDER BY amount DESC, market`
  // For an empty page, one row without a market gives the total count.
  const days = rows
    .filter(({ market }) => market !== null)
    .map((row) => ({
      market: row['market']!,
      records: Number(row['records']),
      trades: Number(row['trades']),
      volume: BigInt(row['volume']!),
      gaps: Number(row['gaps']),
      gapMs: Number(row['gap_ms']),
    }))
  if (long.length === 0) return { days, totalCount: Number(rows[0]!['total']) }
  // The index compares only the beginning of words that were cut, so they are checked here.
  const named = days.map((day) => ({ ...day, venue }))
  const found = await withWords(sql, named, long)
  return { days: found.slice(offset, offset + limit).map(({ venue: _, ...day }) => day), totalCount: found.length }
}
