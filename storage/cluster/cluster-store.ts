// A store on objects and a database: what a cluster's nodes, loaders and recorders share.

import { randomBytes } from 'node:crypto'
import type { BlockStore } from '../block-store.ts'
import type { Catalogue } from '../catalogue.ts'
import type { Timers } from '../retry/timers.ts'
import { withRetry } from '../retry/with-retry.ts'
import { ClusterBlockStore } from './cluster-block-store.ts'
import { ClusterCatalogue } from './cluster-catalogue.ts'
import type { ClusterDatabase, Listener } from './database/cluster-database.ts'
import type { Heard } from './heard.ts'
import type { Objects } from './objects/objects.ts'
import type { Clock } from './objects/tries.ts'
import { NO_CACHE, type PieceCache, PieceReader } from './piece-reader.ts'
import { RowCache } from './row-cache.ts'

const LISTEN_AGAIN_MS = 2_000
/** One object and one transaction, for as many markets as venues have that move within seconds. */
const PARTITIONS_AT_ONCE = 2_500

/** Its timers keep no process from ending. */
const idleClock: Pick<Clock, 'steadyMs' | 'after'> = {
  steadyMs: () => performance.now(),
  after: (delayMs, ring) => {
    const timer = setTimeout(ring, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

export type ClusterParts = {
  objects: Objects
  database: ClusterDatabase
  cache?: PieceCache
  /** Of a thread in which nobody calls `refresh`. */
  isEachCallChecked?: boolean
  /** Of a node: the database tells what changes, so that rows that are known need not be checked. */
  listens?: boolean
  /** Of a node, for all of its threads: the one that listens shares what it hears, the others heed it. */
  heard?: Heard | undefined
  nowMs?: () => number
  /** For what has to happen after a while. */
  clock?: Pick<Clock, 'steadyMs' | 'after'>
  randomBytes?: (count: number) => Uint8Array
}

export type ClusterStore = {
  catalogue: Catalogue
  blocks: BlockStore
  partitionsAtOnce: number
  refresh(): void
  flushed(): Promise<void>
  close(): Promise<void>
}

export function clusterStore({ objects, database, cache = NO_CACHE, ...given }: ClusterParts): ClusterStore {
  const { isEachCallChecked = false, listens = false, heard, nowMs = Date.now, clock = idleClock } = given
  const told = listens ? { shares: heard } : { heeds: heard }
  const rows = new RowCache(database, { isEachCallChecked, ...told, elapsedMs: clock.steadyMs })
  const random = given.randomBytes ?? ((count: number) => new Uint8Array(randomBytes(count)))
  const parts = { objects, database, cache, nowMs, randomBytes: random }
  const listening = listens ? keepListening(database, rows, clock) : undefined
  return {
    catalogue: new ClusterCatalogue(rows, parts),
    blocks: new ClusterBlockStore(rows, new PieceReader(objects, cache)),
    partitionsAtOnce: PARTITIONS_AT_ONCE,
    refresh: () => rows.refresh(),
    // A commit is kept when it resolves.
    flushed: async () => undefined,
    async close() {
      await listening?.stop()
      await Promise.all([objects.close(), database.close(), cache.close()])
    },
  }
}

/** Tries until it listens; until then rows are checked. */
function keepListening(database: ClusterDatabase, listener: Listener, timers: Timers): { stop(): Promise<void> } {
  const over = new AbortController()
  const again = { isPassing: () => true, waitMs: () => LISTEN_AGAIN_MS, timers, signal: over.signal }
  const listening = withRetry(() => database.listen(listener), again).catch(() => undefined)
  return {
    async stop() {
      over.abort()
      const end = await listening
      await end?.()
    },
  }
}
