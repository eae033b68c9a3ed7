// Locates the store of a command: a cluster, or the data folder.

import { type Access, type OpenStore, openStoreAt, type StorePlace } from '../../storage/open-store.ts'
import type { Config } from '../config/config.ts'
import { CommandError, EXIT } from './terminal/program.ts'

export const placeOf = ({ data: folder, cluster }: Config): StorePlace => ({ folder, cluster })

/** The advice of `backup` and `restore` for a cluster's store. */
export const CLUSTER_BACKUP = 'back that up with pg_dump and a copy of the bucket (docs/cluster.md)'

/** Opens the store of a place, runs a function with the store, and closes it. Rejects with DataError. */
export async function withStoreAt<T>(
  place: StorePlace,
  access: Access,
  run: (store: OpenStore) => Promise<T>,
): Promise<T> {
  const store = await openStoreAt(place, access)
  try {
    return await run(store)
  } finally {
    await store.close()
  }
}

/** Returns the data folder for a command that works on files. Throws CommandError for a cluster; `instead` is the
 *  advice for its operator. */
export function folderOf({ data, cluster }: Config, command: string, instead: string): string {
  if (cluster === null) return data
  throw new CommandError(
    `${command} works on a store in a data folder, but STORE_URL names the store of a cluster: ${instead}`,
    EXIT.usage,
  )
}
