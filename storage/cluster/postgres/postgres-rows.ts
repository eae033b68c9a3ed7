// Rows in one table of PostgreSQL. A reader sees the rows as of the moment at which its statement began, and waits for
// no writer.

import type { KeyRange, RangePage, Row, RowCommit, RowKey, Rows } from '../../rows/rows.ts'
import type { ClusterRows, Listener } from '../cluster-rows.ts'
import type { CatalogueSettings } from '../settings/cluster-settings.ts'
import { Postgres, type Queryable } from './connection.ts'
import { listen, notifyChanges } from './listen.ts'
import { Changed, commitRows, countRows, readKeys, readRange, readValues } from './row-statements.ts'
import { prepareCatalogue } from './schema.ts'

/** The time limit of a snapshot: an hour, because a snapshot is for checks that read all rows. */
const SNAPSHOT_MS_MAX = 3_600_000

/** Opens the rows. Creates a missing table if `mayWrite`. Rejects with DataError('store_unavailable'). */
export async function openPostgresRows(
  settings: CatalogueSettings,
  { mayWrite }: { mayWrite: boolean },
): Promise<PostgresRows> {
  const postgres = new Postgres(settings)
  try {
    await prepareCatalogue(postgres, settings.schema, mayWrite)
    return new PostgresRows(postgres)
  } catch (error) {
    await postgres.close().catch(() => undefined)
    throw error
  }
}

type Ask = <T>(ask: (sql: Queryable) => Promise<T>) => Promise<T>

class ReadRows {
  readonly #ask: Ask

  constructor(ask: Ask) {
    this.#ask = ask
  }

  get(keys: readonly RowKey[]): Promise<(Uint8Array | undefined)[]> {
    return this.#ask((sql) => readValues(sql, keys))
  }

  range(page: RangePage): Promise<Row[]> {
    return this.#ask((sql) => readRange(sql, page))
  }

  keys(page: RangePage & { offset?: number }): Promise<RowKey[]> {
    return this.#ask((sql) => readKeys(sql, page))
  }

  count(range: KeyRange, limit?: number): Promise<number> {
    return this.#ask((sql) => countRows(sql, range, limit))
  }

  refresh(): void {}
}

class SnapshotRows extends ReadRows implements Rows {
  async commit(): Promise<never> {
    throw new Error('a snapshot cannot be changed')
  }
}

export class PostgresRows extends ReadRows implements ClusterRows {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    super((ask) => postgres.ask(ask))
    this.#postgres = postgres
  }

  /** If the connection breaks during the commit, finds out whether the commit took effect. */
  async commit(commit: RowCommit): Promise<number[]> {
    try {
      await this.#postgres.write(async (sql) => {
        await Promise.all([commitRows(sql, commit), notifyChanges(sql, commit.expect)])
      })
      return []
    } catch (error) {
      if (error instanceof Changed) return error.indexes
      throw error
    }
  }

  listen(listener: Listener): Promise<() => Promise<void>> {
    return listen(this.#postgres, listener)
  }

  snapshot<T>(work: (rows: Rows) => Promise<T>): Promise<T> {
    return this.#postgres.snapshot((sql) => work(new SnapshotRows((ask) => ask(sql))), SNAPSHOT_MS_MAX)
  }

  close(): Promise<void> {
    return this.#postgres.close()
  }
}
