// The database of a cluster in PostgreSQL.

import type { MarketPage } from '../../catalogue.ts'
import type { PartitionKey } from '../../partition-key.ts'
import type { Venue } from '../../venue.ts'
import type {
  ClusterDatabase,
  ClusterStats,
  Commit,
  DayRow,
  DaysOf,
  Listener,
  MarketDays,
  MarketRow,
  Move,
  NamedSegment,
  UpkeepCounts,
} from '../database/cluster-database.ts'
import type { CatalogueSettings } from '../settings/cluster-settings.ts'
import { commitRows } from './commit-rows.ts'
import { Postgres } from './connection.ts'
import { listen } from './listen.ts'
import { movePieces } from './move-pieces.ts'
import { PostgresFinding } from './postgres-finding.ts'
import {
  readDays,
  readMarketRows,
  readMarkets,
  readPartitions,
  readRevisions,
  readUnmoved,
  readUnmovedDates,
} from './read-rows.ts'
import { rowDamage } from './row-damage.ts'
import { prepareCatalogue } from './schema.ts'
import { forgetMarks, markKeys, noteSwept, readSegments, readUnknown, readUnnamed } from './segment-rows.ts'
import { countUpkeep } from './upkeep-counts.ts'

/** Opens the database. Creates missing tables if `mayWrite`. Rejects with DataError('store_unavailable'). */
export async function openPostgresDatabase(
  settings: CatalogueSettings,
  { mayWrite }: { mayWrite: boolean },
): Promise<PostgresDatabase> {
  const postgres = new Postgres(settings)
  try {
    await prepareCatalogue(postgres, settings.schema, mayWrite)
    return new PostgresDatabase(postgres)
  } catch (error) {
    await postgres.close().catch(() => undefined)
    throw error
  }
}

export class PostgresDatabase extends PostgresFinding implements ClusterDatabase {
  marketRows(markets: readonly { venue: Venue; market: string }[]): Promise<(MarketRow | undefined)[]> {
    return readMarketRows(this.postgres, markets)
  }

  revisions(markets: readonly { venue: Venue; market: string }[]): Promise<number[]> {
    return readRevisions(this.postgres, markets)
  }

  days(questions: readonly DaysOf[]): Promise<MarketDays[]> {
    return readDays(this.postgres, questions)
  }

  commitRows(commit: Commit): Promise<number[]> {
    return commitRows(this.postgres, commit)
  }

  move(segment: { key: string; bytes: number }, moves: readonly Move[]): Promise<number[]> {
    return movePieces(this.postgres, segment, moves)
  }

  unmoved(
    venue: Venue,
    date: string,
    page: { after: string; limit: number },
  ): Promise<{ market: string; day: DayRow }[]> {
    return readUnmoved(this.postgres, venue, date, page)
  }

  unmovedDates(venue: Venue, before: string): Promise<string[]> {
    return readUnmovedDates(this.postgres, venue, before)
  }

  unnamed(graceMs: number, page: { after: string; limit: number }): Promise<NamedSegment[]> {
    return readUnnamed(this.postgres, graceMs, page)
  }

  unknown(keys: readonly string[]): Promise<string[]> {
    return readUnknown(this.postgres, keys)
  }

  mark(keys: readonly string[], graceMs: number): Promise<string[]> {
    return markKeys(this.postgres, keys, graceMs)
  }

  swept(keys: readonly string[]): Promise<void> {
    return noteSwept(this.postgres, keys)
  }

  forgetMarks(retainedMs: number): Promise<void> {
    return forgetMarks(this.postgres, retainedMs)
  }

  segments(): AsyncIterable<NamedSegment> {
    return readSegments(this.postgres)
  }

  markets(venue: Venue, page: { prefix: string; offset: number; limit: number }): Promise<MarketPage> {
    return readMarkets(this.postgres, venue, page)
  }

  async marketsStamp(): Promise<string> {
    const [row] = await this.postgres.ask((sql) => sql`SELECT value FROM counters WHERE name = 'markets_revision'`)
    return String(row.value)
  }

  async cursorSecret(): Promise<Uint8Array> {
    const [row] = await this.postgres.ask((sql) => sql`SELECT value FROM store WHERE name = 'cursor_secret'`)
    return new Uint8Array(row.value)
  }

  partitions(venue: Venue): AsyncIterable<PartitionKey> {
    return readPartitions(this.postgres, venue)
  }

  damage(): Promise<string[]> {
    return rowDamage(this.postgres)
  }

  listen(listener: Listener): Promise<() => Promise<void>> {
    return listen(this.postgres, listener)
  }

  /** Takes the number of days from the sums of dates: counting them would read the rows of all markets. */
  async figures(): Promise<ClusterStats> {
    const [row] = await this.postgres.ask(
      (sql) => sql`
        SELECT (SELECT value FROM counters WHERE name = 'market_count') AS markets,
          (SELECT coalesce(sum(markets), 0) FROM sums) AS partitions, count(*) AS segments,
          coalesce(sum(bytes), 0) AS segment_bytes
        FROM segments WHERE unnamed_at IS NULL`,
    )
    return {
      markets: Number(row.markets),
      partitions: Number(row.partitions),
      segments: Number(row.segments),
      segmentBytes: Number(row.segment_bytes),
    }
  }

  upkeep(): Promise<UpkeepCounts> {
    return countUpkeep(this.postgres)
  }

  close(): Promise<void> {
    return this.postgres.close()
  }
}
