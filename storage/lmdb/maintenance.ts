// The maintenance of an LMDB store: statistics, and checks of everything that does not belong to one day.

import type { FileStats, Maintenance } from '../maintenance.ts'
import { checkWhole } from './check-index.ts'
import { valueDamage } from './check-values.ts'
import { readStoreMeta } from './store-file.ts'
import { readStoreStats } from './store-stats.ts'
import type { Databases } from './values/databases.ts'

export class LmdbMaintenance implements Maintenance {
  readonly engines = []
  readonly #databases: Databases
  readonly #file: string

  constructor(databases: Databases, file: string) {
    this.#databases = databases
    this.#file = file
  }

  async figures(): Promise<FileStats> {
    return readStoreStats(this.#databases, this.#file)
  }

  async indexDamage(): Promise<string[]> {
    const { root, meta } = this.#databases
    root.resetReadTxn()
    // Begins a transaction, which lasts until this thread returns to its event loop.
    meta.get('version')
    return checkWhole(this.#file, readStoreMeta(this.#file)!.pageBytes)
  }

  async valueDamage(): Promise<string[]> {
    return valueDamage(this.#databases)
  }
}
