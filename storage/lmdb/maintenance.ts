// The maintenance of an LMDB store: statistics, and checks of everything that does not belong to one day.

import type { Database } from 'lmdb'
import type { FileStats, Maintenance } from '../maintenance.ts'
import { rowDamage } from '../rows/damage/row-damage.ts'
import type { Rows } from '../rows/rows.ts'
import { countMarkets } from '../rows/shared-rows.ts'
import type { Databases } from './databases.ts'
import { readStoreStats } from './store-stats.ts'

/** A key before all others. */
const FIRST_KEY = '\0'

type Parts = { databases: Databases; rows: Rows; file: string }

export class LmdbMaintenance implements Maintenance {
  readonly engines = []
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async figures(): Promise<FileStats> {
    const { databases, rows, file } = this.#parts
    return readStoreStats(databases, file, await countMarkets(rows))
  }

  async indexDamage(): Promise<string[]> {
    const { root, ...named } = this.#parts.databases
    root.resetReadTxn()
    for (const [name, database] of Object.entries(named)) {
      const damage = damageOf(database)
      // An error of LMDB ends the transaction, so no other database can be read.
      if (damage !== undefined) return [`the index of its ${name} is damaged: ${damage}`]
    }
    return []
  }

  valueDamage(): Promise<string[]> {
    return rowDamage(this.#parts.rows)
  }
}

/** Walks the keys of a database with LMDB, all at one moment. Damage that LMDB does not survive ends the process. */
function damageOf(database: Database<Uint8Array, string>): string | undefined {
  let entries = 0
  let last = ''
  try {
    for (const key of database.getKeys({ start: FIRST_KEY })) {
      entries++
      if (!(key > last)) return `entry ${entries} is not above the one before it`
      const [found] = database.getKeys({ start: key, limit: 1 })
      if (found !== key) return `a search does not find entry ${entries}`
      last = key
    }
    const { entryCount } = database.getStats() as { entryCount: number }
    return entries === entryCount ? undefined : `it has ${entries} entries, and should have ${entryCount}`
  } catch (error) {
    return (error as Error).message
  }
}
