// Opens a store. In a data folder it is one LMDB environment that many processes and threads read while one writes. In
// a cluster it is objects and a database that many nodes share.

import { existsSync } from 'node:fs'
import type { ClusterSettings } from './cluster/settings/cluster-settings.ts'
import { type Environment, type Opening, openEnvironment, openToRead, storeFile } from './lmdb/environment.ts'
import { LmdbRows } from './lmdb/lmdb-rows.ts'
import { LmdbMaintenance } from './lmdb/maintenance.ts'
import { PartsInRows } from './rows/catalogue/parts-in-rows.ts'
import { RowCatalogue } from './rows/catalogue/row-catalogue.ts'
import type { Access, OpenStore, Store } from './store.ts'

export type { Access, OpenStore, Store }

/** `partitionsAtOnce` of a store in a folder. */
const PARTITIONS_AT_ONCE = 250
/** One process writes at a time, so all have one shard. */
const SHARD = '0'

/** A store in a folder. */
export type StoreOnDisk = Store & { maintenance: LmdbMaintenance }

/** The place of a store: the cluster, or the folder if `cluster` is null. Plain data, so that it can be sent to
 *  threads. */
export type StorePlace = { folder: string; cluster: ClusterSettings | null }

/** Returns the place of a store in a folder. */
export const inFolder = (folder: string): StorePlace => ({ folder, cluster: null })

/** Opens the store of a place. Rejects with DataError('store_unavailable') or DataError('disk_full'). */
export async function openStoreAt({ folder, cluster }: StorePlace, access: Access): Promise<OpenStore> {
  if (cluster === null) return access.mayWrite ? openStore(folder) : openStoreToRead(folder)
  // Loads the S3 and PostgreSQL clients only for a cluster store.
  const { openCluster } = await import('./open-cluster.ts')
  return openCluster(cluster, access)
}

/** Returns whether a data folder holds a store. */
export const hasStore = (folder: string): boolean => existsSync(storeFile(folder))

/** Opens a store in a folder and creates it if it is missing. Throws DataError('store_unavailable') or
 *  DataError('disk_full'); if `readOnly`, creates nothing, and throws NotReadable. */
export const openStore = (folder: string, opening?: Opening): StoreOnDisk =>
  storeOf(folder, openEnvironment(folder, opening))

/** Opens a store for reading only, which waits for no writer; creates it if it is missing. */
export const openStoreToRead = async (folder: string): Promise<StoreOnDisk> => storeOf(folder, await openToRead(folder))

function storeOf(folder: string, { databases, close }: Environment): StoreOnDisk {
  const rows = new LmdbRows(databases, folder)
  const blocks = new PartsInRows(rows)
  const catalogue = new RowCatalogue(rows, blocks, SHARD)
  return {
    catalogue,
    blocks,
    partitionsAtOnce: PARTITIONS_AT_ONCE,
    maintenance: new LmdbMaintenance({ databases, rows, file: storeFile(folder) }),
    refresh: () => rows.refresh(),
    flushed: async () => void (await databases.root.flushed),
    close,
  }
}
