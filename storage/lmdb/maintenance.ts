// The maintenance of an LMDB store: statistics, and checks of everything that does not belong to one day.

import { statSync } from 'node:fs'
import type { Database } from 'lmdb'
import type { FileStats, Maintenance } from '../maintenance.ts'
import { rowDamage } from '../rows/damage/row-damage.ts'
import type { Rows } from '../rows/rows.ts'
import { countMarkets } from '../rows/shared-rows.ts'
import { usedBytes } from './copy.ts'
import type { Databases } from './databases.ts'

/** A key before all others. */
const FIRST_KEY = '\0'

/** The statistics that lmdb's declarations leave untyped. */
type Stats = Record<'pageSize' | 'entryCount' | 'mapSize' | 'lastPageNumber' | 'numReaders' | 'maxReaders', number>
const statsOf = (database: { getStats(): object }) => database.getStats() as Stats

type Parts = { databases: Databases; rows: Rows; file: string }

export class LmdbMaintenance implements Maintenance {
  readonly engines = []
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async stats(): Promise<FileStats> {
    const { databases, rows, file } = this.#parts
    const markets = await countMarkets(rows)
    // LMDB maintains these counts itself: reading them takes microseconds, however large the store is.
    const { pageSize, lastPageNumber, mapSize, numReaders, maxReaders } = statsOf(databases.root)
    const used = usedBytes({ databases })
    return {
      kind: 'file',
      fileBytes: statSync(file).size,
      usedBytes: used,
      freeBytes: Math.max(0, (lastPageNumber + 1) * pageSize - used),
      mapBytes: mapSize,
      readers: numReaders,
      readersMax: maxReaders,
      markets,
      partitions: statsOf(databases.heads).entryCount,
      blocks: statsOf(databases.blocks).entryCount,
    }
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

/** Walks all keys of a database, as of one moment. Returns a description of the damage; undefined if there is none.
 *  LMDB may crash on damage, which ends the process. */
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
    const { entryCount } = statsOf(database)
    return entries === entryCount ? undefined : `it has ${entries} entries, and should have ${entryCount}`
  } catch (error) {
    return (error as Error).message
  }
}
