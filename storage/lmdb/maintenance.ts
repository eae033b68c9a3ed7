// The maintenance of an LMDB store: statistics, and checks of everything that does not belong to one day.

import type { FileStats, Maintenance } from '../maintenance.ts'
import { rowDamage } from '../rows/damage/row-damage.ts'
import type { Rows } from '../rows/rows.ts'
import { countMarkets } from '../rows/shared-rows.ts'
import { checkWhole } from './check-index.ts'
import type { Databases } from './databases.ts'
import { readStoreMeta } from './store-file.ts'
import { readStoreStats } from './store-stats.ts'

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
    const { databases, file } = this.#parts
    databases.root.resetReadTxn()
    // Begins a transaction, which lasts until this thread returns to its event loop.
    databases.meta.get('version')
    return checkWhole(file, readStoreMeta(file)!.pageBytes)
  }

  valueDamage(): Promise<string[]> {
    return rowDamage(this.#parts.rows)
  }
}
