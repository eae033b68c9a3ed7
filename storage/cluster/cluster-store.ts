// A store on objects and a database: what a cluster's nodes, loaders and recorders share.

import { randomBytes } from 'node:crypto'
import type { BlockStore } from '../block-store.ts'
import type { Catalogue } from '../catalogue.ts'
import { ClusterBlockStore } from './cluster-block-store.ts'
import { ClusterCatalogue } from './cluster-catalogue.ts'
import type { ClusterDatabase } from './database/cluster-database.ts'
import type { Objects } from './objects/objects.ts'
import { NO_CACHE, type PieceCache, PieceReader } from './piece-reader.ts'
import { RowCache } from './row-cache.ts'

export type ClusterParts = {
  objects: Objects
  database: ClusterDatabase
  cache?: PieceCache
  /** Of a thread in which nobody calls `refresh`. */
  isEachCallChecked?: boolean
  nowMs?: () => number
  randomBytes?: (count: number) => Uint8Array
}

export type ClusterStore = {
  catalogue: Catalogue
  blocks: BlockStore
  refresh(): void
  flushed(): Promise<void>
  close(): Promise<void>
}

export function clusterStore({ objects, database, cache = NO_CACHE, ...given }: ClusterParts): ClusterStore {
  const { isEachCallChecked = false, nowMs = Date.now } = given
  const rows = new RowCache(database, isEachCallChecked)
  const random = given.randomBytes ?? ((count: number) => new Uint8Array(randomBytes(count)))
  const parts = { objects, database, cache, nowMs, randomBytes: random }
  return {
    catalogue: new ClusterCatalogue(rows, parts),
    blocks: new ClusterBlockStore(rows, new PieceReader(objects, cache)),
    refresh: () => rows.refresh(),
    // A commit is kept when it resolves.
    flushed: async () => undefined,
    async close() {
      await Promise.all([objects.close(), database.close(), cache.close()])
    },
  }
}
