// Stores the sums of each date, and the newest record of a venue; both change with every commit.

import type { TransactionSQL } from 'bun'
import { type DaySums, NO_SUMS } from '../../../finding/day-totals.ts'
import type { StoredSums } from '../../../finding/finding.ts'
import type { Venue } from '../../../venue.ts'
import { integers, type Queryable, texts } from './arrays.ts'

/** What a commit adds to the sums of a date. */
export type AddedSums = { venue: Venue; date: string; sums: DaySums; lastRecordMs: number | null }

type Count = Exclude<keyof DaySums, 'volume'>

/** Two concurrent commits seldom add to the same row; if they do, one waits for the other. */
const SHARDS = 16

/** Adds to the sums. Each date appears once. */
export async function addSums(sql: TransactionSQL, added: readonly AddedSums[]): Promise<void> {
  if (added.length === 0) return
  const text = (value: (each: AddedSums) => string) => texts(sql, added, value)
  const counts = (name: Count) => integers(sql, added, ({ sums }) => sums[name])
  const lastMs = integers(sql, added, ({ lastRecordMs }) => lastRecordMs)
  await sql`
    INSERT INTO sums AS stored
    SELECT venue, date, pg_backend_pid() % ${SHARDS}::integer, markets, records, trades, volume, gaps, gap_ms,
      inferred_gaps, snapshots_confirmed, snapshots_contradicted, best_prices_agreed, best_prices_checked,
      hashes_agreed, hashes_checked, last_record_ms
    FROM unnest(
      ${text(({ venue }) => venue)}, ${text(({ date }) => date)}::date[], ${counts('markets')}, ${counts('records')},
      ${counts('trades')}, ${text(({ sums }) => String(sums.volume))}::numeric[], ${counts('gaps')}, ${counts('gapMs')},
      ${counts('inferredGaps')}, ${counts('snapshotsConfirmed')}, ${counts('snapshotsContradicted')},
      ${counts('bestPricesAgreed')}, ${counts('bestPricesChecked')}, ${counts('hashesAgreed')},
      ${counts('hashesChecked')}, ${lastMs}
    ) AS u (venue, date, markets, records, trades, volume, gaps, gap_ms, inferred_gaps, snapshots_confirmed,
      snapshots_contradicted, best_prices_agreed, best_prices_checked, hashes_agreed, hashes_checked, last_record_ms)
    ORDER BY venue COLLATE "C", date
    ON CONFLICT (venue, date, shard) DO UPDATE SET
      markets = stored.markets + excluded.markets,
      records = stored.records + excluded.records,
      trades = stored.trades + excluded.trades,
      volume = stored.volume + excluded.volume,
      gaps = stored.gaps + excluded.gaps,
      gap_ms = stored.gap_ms + excluded.gap_ms,
      inferred_gaps = stored.inferred_gaps + excluded.inferred_gaps,
      snapshots_confirmed = stored.snapshots_confirmed + excluded.snapshots_confirmed,
      snapshots_contradicted = stored.snapshots_contradicted + excluded.snapshots_contradicted,
      best_prices_agreed = stored.best_prices_agreed + excluded.best_prices_agreed,
      best_prices_checked = stored.best_prices_checked + excluded.best_prices_checked,
      hashes_agreed = stored.hashes_agreed + excluded.hashes_agreed,
      hashes_checked = stored.hashes_checked + excluded.hashes_checked,
      last_record_ms = greatest(stored.last_record_ms, excluded.last_record_ms)`
}

export async function readSums(
  sql: Queryable,
  venue: Venue,
  range?: { from: string; to: string },
): Promise<StoredSums[]> {
  const { from, to } = range ?? { from: '-infinity', to: 'infinity' }
  const rows: Record<string, string>[] = await sql`
    SELECT date::text AS date, sum(markets) AS markets, sum(records) AS records, sum(trades) AS trades,
      sum(volume) AS volume, sum(gaps) AS gaps, sum(gap_ms) AS "gapMs", sum(inferred_gaps) AS "inferredGaps",
      sum(snapshots_confirmed) AS "snapshotsConfirmed", sum(snapshots_contradicted) AS "snapshotsContradicted",
      sum(best_prices_agreed) AS "bestPricesAgreed", sum(best_prices_checked) AS "bestPricesChecked",
      sum(hashes_agreed) AS "hashesAgreed", sum(hashes_checked) AS "hashesChecked"
    FROM sums WHERE venue = ${venue} AND sums.date >= ${from}::date AND sums.date <= ${to}::date
    GROUP BY sums.date HAVING sum(markets) > 0 ORDER BY sums.date`
  const names = Object.keys(NO_SUMS).filter((name) => name !== 'volume') as Count[]
  return rows.map((row) => {
    const counts = Object.fromEntries(names.map((name) => [name, Number(row[name])])) as Record<Count, number>
    return { date: row['date']!, ...counts, volume: BigInt(row['volume']!) }
  })
}

export async function readEnds(sql: Queryable, venue: Venue): Promise<{ from: string; to: string } | undefined> {
  const [row] = await sql`
    SELECT min(date)::text AS first, max(date)::text AS last
    FROM (SELECT date FROM sums WHERE venue = ${venue} GROUP BY date HAVING sum(markets) > 0) AS stored`
  return row.first === null ? undefined : { from: row.first, to: row.last }
}

export async function readLastRecordMs(sql: Queryable, venue: Venue): Promise<number | null> {
  const [row] = await sql`SELECT max(last_record_ms) AS ms FROM sums WHERE venue = ${venue}`
  return row.ms === null ? null : Number(row.ms)
}
