// The store of a data folder: one LMDB environment that any number of processes and threads read while one writes.

import { existsSync } from 'node:fs'
import type { BlockStore } from './block-store.ts'
import type { Catalogue } from './catalogue.ts'
import { LmdbBlockStore } from './lmdb/block-store.ts'
import { LmdbCatalogue } from './lmdb/catalogue.ts'
import type { PartCursor, PartReport } from './lmdb/check-pages.ts'
import { storeDamage } from './lmdb/check-values.ts'
import { openEnvironment, storeFile } from './lmdb/environment.ts'
import { describeFaults, ROOTS } from './lmdb/page-fault.ts'
import { readStoreFigures, type StoreFigures } from './lmdb/store-figures.ts'
import type { PartitionKey } from './partition-key.ts'
import type { Venue } from './venue.ts'

export type Store = {
  catalogue: Catalogue
  blocks: BlockStore
  /** Makes what other processes have written since visible to this thread, and refuses what another thread has found
   *  damaged. Cheap; call it at the start of a task. */
  refresh(): void
  /** Reads on after LMDB has failed at a damaged page: of the transaction that it happened in, it answers nothing any
   *  more. Cheap, but not for every task. */
  renew(): void
  /** Resolves once everything written so far is on the disk. */
  flushed(): Promise<void>
  /** Sizes and counts, without reading data. */
  figures(): StoreFigures
  /** What is known to be damaged of the index: what lies there is refused, and nothing is written. */
  indexDamage(): string | null
  /** Checks some pages of the file's index, as it is now, from `cursor` on. What is damaged is refused from the next
   *  `refresh` on, in every thread of the process. */
  checkIndex(cursor: PartCursor | null, pages: number): PartReport
  /** Every stored day of a venue, in key order; where the index is damaged, all that its sound pages tell of. */
  days(venue: Venue): Iterable<PartitionKey>
  /** Reads the index of the whole file, and every value that is not of one day; a sentence for each damage. */
  damage(): string[]
  close(): Promise<void>
}

/** What lmdb's declarations leave out. */
type Ended = { abort(): void; isDone?: boolean }

/** Whether a data folder holds a store. */
export const hasStore = (folder: string): boolean => existsSync(storeFile(folder))

/** Opens, and makes where it is missing; `mapBytes` is the address space that it begins with. Throws
 *  DataError('store_unavailable') or DataError('disk_full'). */
export function openStore(folder: string, mapBytes?: number): Store {
  const { databases, check, adopt, faults, close } = openEnvironment(folder, mapBytes)
  const { root } = databases
  const blocks = new LmdbBlockStore(databases, folder)
  const renew = () => {
    const transaction = root.useReadTransaction() as ReturnType<typeof root.useReadTransaction> & Ended
    root.resetReadTxn()
    // What was iterating when it failed holds it for ever: it is not done by itself, and would be used again.
    transaction.abort()
    transaction.isDone = true
  }
  return {
    catalogue: new LmdbCatalogue(databases),
    blocks,
    refresh() {
      if (!adopt()) root.resetReadTxn()
      // LMDB may have met the damage first. Without roots, it is not even asked for a transaction.
      else if (faults().every(({ tree }) => tree !== ROOTS)) renew()
    },
    renew,
    flushed: async () => void (await root.flushed),
    figures: () => ({ ...readStoreFigures(databases, storeFile(folder)), indexFaults: faults().length }),
    indexDamage: () => (faults().length === 0 ? null : describeFaults(storeFile(folder), faults())),
    checkIndex: (cursor, pages) => check.part(cursor, pages),
    days: (venue) =>
      faults().length === 0 ? blocks.partitions(venue) : check.days().filter((day) => day.venue === venue),
    damage() {
      const found = check.whole()
      adopt()
      return storeDamage(databases, found)
    },
    close,
  }
}
