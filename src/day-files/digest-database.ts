// A SQLite file beside the day files. It holds the digests, sizes and row counts of all files that were made, and
// records which of them are in the folder. It can be removed at any time, because everything is made again on
// request.

import { Database } from 'bun:sqlite'
import { chmodSync, rmSync } from 'node:fs'
import type { DayFile } from '../../workers/files/day-file.ts'

/** Maximum number of rows. A row takes about 300 bytes. */
const DIGESTS_MAX = 1_000_000
/** The block size that the sizes are rounded up to: a file takes whole blocks of the disk. */
const BLOCK_BYTES = 4_096
const LAYOUT = 1
const BUSY_MS = 1_000

const TABLES = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = OFF;
  PRAGMA busy_timeout = ${BUSY_MS};
  CREATE TABLE IF NOT EXISTS digest (
    place TEXT PRIMARY KEY, version TEXT NOT NULL, sha256 TEXT NOT NULL,
    bytes INTEGER NOT NULL, rows INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS kept (
    sha256 TEXT PRIMARY KEY, bytes INTEGER NOT NULL, used INTEGER NOT NULL
  ) WITHOUT ROWID;
  PRAGMA user_version = ${LAYOUT};
`

export class DigestDatabase {
  readonly #database: Database

  /** Creates the database if it is missing or damaged. */
  constructor(path: string) {
    this.#database = opened(path)
    chmodSync(path, 0o600)
  }

  /** Returns the file that was made from this version; undefined if there is none. `place` names a file of a day. */
  find(place: string, version: string): DayFile | undefined {
    const found = this.#database
      .query<DayFile, [string, string]>('SELECT bytes, sha256, rows FROM digest WHERE place = ? AND version = ?')
      .get(place, version)
    return found ?? undefined
  }

  /** Records a file that was made. Replaces the entry of an earlier version. */
  put(place: string, version: string, { bytes, sha256, rows }: DayFile): void {
    const { lastInsertRowid } = this.#database
      .query('INSERT OR REPLACE INTO digest (place, version, sha256, bytes, rows) VALUES (?, ?, ?, ?, ?)')
      .run(place, version, sha256, bytes, rows)
    // Row ids only grow, and a replaced row gets a new id. So the lowest ids are those of the oldest rows.
    this.#database.query('DELETE FROM digest WHERE rowid <= ?').run(Number(lastInsertRowid) - DIGESTS_MAX)
  }

  /** Records that a file is in the folder and was used at `nowMs`. */
  use({ sha256, bytes }: Pick<DayFile, 'sha256' | 'bytes'>, nowMs: number): void {
    this.#database
      .query('INSERT OR REPLACE INTO kept (sha256, bytes, used) VALUES (?, ?, ?)')
      .run(sha256, Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES, nowMs)
  }

  isStored(sha256: string): boolean {
    return this.#database.query('SELECT 1 FROM kept WHERE sha256 = ?').get(sha256) !== null
  }

  forget(sha256: string): void {
    this.#database.query('DELETE FROM kept WHERE sha256 = ?').run(sha256)
  }

  /** Returns the digests of the files to remove, least recently used first, so that the other files together have at
   *  most `bytesMax` bytes. Never returns the most recently used file. */
  beyond(bytesMax: number): string[] {
    return this.#database
      .query<{ sha256: string }, [number]>(
        `SELECT sha256 FROM (
           SELECT sha256, used, sum(bytes) OVER newest AS total, row_number() OVER newest AS place FROM kept
           WINDOW newest AS (ORDER BY used DESC, sha256 ROWS UNBOUNDED PRECEDING)
         ) WHERE total > ? AND place > 1 ORDER BY used`,
      )
      .all(bytesMax)
      .map(({ sha256 }) => sha256)
  }

  close(): void {
    this.#database.close()
  }
}

function opened(path: string): Database {
  try {
    return made(path)
  } catch {
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
    return made(path)
  }
}

function made(path: string): Database {
  const database = new Database(path, { create: true })
  try {
    const [{ user_version: layout } = { user_version: 0 }] = database
      .query<{ user_version: number }, []>('PRAGMA user_version')
      .all()
    if (layout !== 0 && layout !== LAYOUT) throw new Error(`layout ${layout}`)
    database.run(TABLES)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
