// The store of a data folder: one LMDB environment that any number of processes and threads read while one writes.

import { existsSync } from 'node:fs'
import type { BlockStore } from './block-store.ts'
import type { Catalogue } from './catalogue.ts'
import { LmdbBlockStore } from './lmdb/block-store.ts'
import { LmdbCatalogue } from './lmdb/catalogue.ts'
import { checkWhole } from './lmdb/check-index.ts'
import { valueDamage } from './lmdb/check-values.ts'
import type { Databases } from './lmdb/databases.ts'
import { openEnvironment, storeFile } from './lmdb/environment.ts'
import { readStoreFigures, type StoreFigures } from './lmdb/store-figures.ts'
import { readStoreMeta } from './lmdb/store-file.ts'

export type Store = {
  catalogue: Catalogue
  blocks: BlockStore
  /** Makes what other processes have written since visible to this thread. Cheap; call it at the start of a task. */
  refresh(): void
  /** Resolves once everything written so far is on the disk. */
  flushed(): Promise<void>
  /** Sizes and counts, without reading data. */
  figures(): StoreFigures
  /** Reads the index of the whole file: a sentence for each damage. Where there is any, read nothing else. */
  indexDamage(): string[]
  /** Reads every value that is not of one day: a sentence for each damage. */
  valueDamage(): string[]
  close(): Promise<void>
}

/** Whether a data folder holds a store. */
export const hasStore = (folder: string): boolean => existsSync(storeFile(folder))

/** Opens, and makes where it is missing; `mapBytes` is the address space that it begins with. Throws
 *  DataError('store_unavailable') or DataError('disk_full'). */
export function openStore(folder: string, mapBytes?: number): Store {
  const { databases, close } = openEnvironment(folder, mapBytes)
  const { root } = databases
  return {
    catalogue: new LmdbCatalogue(databases),
    blocks: new LmdbBlockStore(databases, folder),
    refresh: () => root.resetReadTxn(),
    flushed: async () => void (await root.flushed),
    figures: () => readStoreFigures(databases, storeFile(folder)),
    indexDamage: () => checkedIndex(databases, storeFile(folder)),
    valueDamage: () => valueDamage(databases),
    close,
  }
}

function checkedIndex({ root, meta }: Databases, file: string): string[] {
  root.resetReadTxn()
  // Begins a transaction, which lasts until this thread comes back to its event loop.
  meta.get('version')
  return checkWhole(file, readStoreMeta(file)!.pageBytes)
}
