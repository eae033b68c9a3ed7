// The store of a data folder: one LMDB environment that any number of processes and threads read while one writes.

import { existsSync } from 'node:fs'
import type { BlockStore } from './block-store.ts'
import type { Catalogue } from './catalogue.ts'
import { LmdbBlockStore } from './lmdb/block-store.ts'
import { LmdbCatalogue } from './lmdb/catalogue.ts'
import { type Environment, type Opening, openEnvironment, openToRead, storeFile } from './lmdb/environment.ts'
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

/** Opens, and makes where it is missing. Throws DataError('store_unavailable') or DataError('disk_full'); to read only,
 *  also NotReadable. */
export const openStore = (folder: string, opening?: Opening): StoreOnDisk =>
  storeOf(folder, openEnvironment(folder, opening))

/** Opens to read only, which waits for no writer; makes where it is missing. */
export const openStoreToRead = async (folder: string): Promise<StoreOnDisk> => storeOf(folder, await openToRead(folder))

const storeOf = (folder: string, { databases, close }: Environment): StoreOnDisk => ({
  catalogue: new LmdbCatalogue(databases, folder),
  blocks: new LmdbBlockStore(databases),
  maintenance: new LmdbMaintenance(databases, storeFile(folder)),
  refresh: () => databases.root.resetReadTxn(),
  flushed: async () => void (await databases.root.flushed),
  close,
})
