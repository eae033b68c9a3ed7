// What the keeper of a store asks of LMDB itself: figures, and checks of everything that is not of one day.

import { checkWhole } from './check-index.ts'
import { valueDamage } from './check-values.ts'
import { readStoreFigures, type StoreFigures } from './store-figures.ts'
import { readStoreMeta } from './store-file.ts'
import type { Databases } from './values/databases.ts'

export class LmdbMaintenance {
  readonly #databases: Databases
  readonly #file: string

  constructor(databases: Databases, file: string) {
    this.#databases = databases
    this.#file = file
  }

  /** Sizes and counts, without reading data. */
  figures(): StoreFigures {
    return readStoreFigures(this.#databases, this.#file)
  }

  /** Reads the index of the whole file: a sentence for each damage. Where there is any, read nothing else. */
  indexDamage(): string[] {
    const { root, meta } = this.#databases
    root.resetReadTxn()
    // Begins a transaction, which lasts until this thread comes back to its event loop.
    meta.get('version')
    return checkWhole(this.#file, readStoreMeta(this.#file)!.pageBytes)
  }

  /** Reads every value that is not of one day: a sentence for each damage. */
  valueDamage(): string[] {
    return valueDamage(this.#databases)
  }
}
