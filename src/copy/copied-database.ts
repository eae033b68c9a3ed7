// What is known of copies between a data folder and clusters: which states of partitions stood in both. An SQLite file
// in the folder. Without it, what differs is refused: no copy is made that is not known to be safe.

import { Database } from 'bun:sqlite'
import { chmodSync } from 'node:fs'
import type { PartitionKey } from '../../storage/partition-key.ts'
import type { CopiedState, CopiedStates } from '../../workers/copy/copied-states.ts'

export const COPIED_FILE = 'copied.sqlite'
export type Direction = 'push' | 'pull'

const LAYOUT = 1
const BUSY_MS = 10_000
const TABLES = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA busy_timeout = ${BUSY_MS};
  CREATE TABLE IF NOT EXISTS copied (
    cluster TEXT, direction TEXT, venue TEXT, market TEXT, date TEXT, target TEXT, source TEXT, records TEXT,
    PRIMARY KEY (cluster, direction, venue, market, date, target, source)
  ) WITHOUT ROWID;
  PRAGMA user_version = ${LAYOUT};
`
const PARTITION = 'cluster = ? AND direction = ? AND venue = ? AND market = ? AND date = ?'
type Place = [cluster: string, direction: Direction, venue: string, market: string, date: string]

export class CopiedDatabase implements CopiedStates {
  readonly #database: Database
  readonly #cluster: string
  readonly #direction: Direction

  /** `cluster` names one, whatever its address is. */
  constructor(path: string, cluster: string, direction: Direction) {
    this.#database = new Database(path, { create: true })
    this.#database.run(TABLES)
    chmodSync(path, 0o600)
    this.#cluster = cluster
    this.#direction = direction
  }

  isCopied(key: PartitionKey, records: string): boolean {
    const sql = `SELECT 1 FROM copied WHERE ${PARTITION} AND records = ?`
    return this.#database.query(sql).get(...this.#placeOf(key), records) !== null
  }

  isCopyOf(key: PartitionKey, source: string, target: string): boolean {
    const sql = `SELECT 1 FROM copied WHERE ${PARTITION} AND target = ? AND source = ?`
    return this.#database.query(sql).get(...this.#placeOf(key), target, source) !== null
  }

  note(states: readonly CopiedState[]): void {
    this.#database.transaction(() => {
      for (const state of states) for (const direction of this.#directionsOf(state)) this.#put(direction, state)
    })()
  }

  settle(states: readonly CopiedState[]): void {
    this.#database.transaction(() => {
      for (const state of states) {
        for (const direction of this.#directionsOf(state)) {
          this.#database.query(`DELETE FROM copied WHERE ${PARTITION}`).run(...this.#placeOf(state.key, direction))
          this.#put(direction, state)
        }
      }
    })()
  }

  close(): void {
    this.#database.close()
  }

  /** The same bytes are a copy both ways. */
  #directionsOf({ source, target }: CopiedState): Direction[] {
    return source === target ? ['push', 'pull'] : [this.#direction]
  }

  #put(direction: Direction, { key, source, target, records }: CopiedState): void {
    this.#database
      .query('INSERT OR REPLACE INTO copied VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
      .run(...this.#placeOf(key, direction), target, source, records)
  }

  #placeOf({ venue, market, date }: PartitionKey, direction = this.#direction): Place {
    return [this.#cluster, direction, venue, market, date]
  }
}
