// The store of a data folder: one LMDB environment that any number of processes and threads read while one writes.

import { existsSync } from 'node:fs'
import type { BlockStore } from './block-store.ts'
import type { Catalogue } from './catalogue.ts'
import { LmdbBlockStore } from './lmdb/block-store.ts'
import { LmdbCatalogue } from './lmdb/catalogue.ts'
import { openEnvironment, storeFile } from './lmdb/environment.ts'
import { LmdbMaintenance } from './lmdb/maintenance.ts'

export type Store = {
  catalogue: Catalogue
  blocks: BlockStore
  /** Makes what other processes have written since visible to this thread. Cheap; call it at the start of a task. */
  refresh(): void
  /** Resolves once everything written so far is on the disk. */
  flushed(): Promise<void>
  close(): Promise<void>
}

/** A store in a folder, with what only its keeper needs of it. */
export type StoreOnDisk = Store & { maintenance: LmdbMaintenance }

/** Whether a data folder holds a store. */
export const hasStore = (folder: string): boolean => existsSync(storeFile(folder))

/** Opens, and makes where it is missing; `mapBytes` is the address space that it begins with. Throws
 *  DataError('store_unavailable') or DataError('disk_full'). */
export function openStore(folder: string, mapBytes?: number): StoreOnDisk {
  const { databases, close } = openEnvironment(folder, mapBytes)
  const { root } = databases
  return {
    catalogue: new LmdbCatalogue(databases, folder),
    blocks: new LmdbBlockStore(databases),
    maintenance: new LmdbMaintenance(databases, storeFile(folder)),
    refresh: () => root.resetReadTxn(),
    flushed: async () => void (await root.flushed),
    close,
  }
}
