// A store on objects and a database, which the nodes, loaders and recorders of a cluster share.

import { randomBytes } from 'node:crypto'
import type { Timers } from '../retry/timers.ts'
import { withRetry } from '../retry/with-retry.ts'
import { RowCatalogue } from '../rows/catalogue/row-catalogue.ts'
import type { Store } from '../store.ts'
import { CachedRows } from './cached-rows.ts'
import type { ChangeNotices } from './change-notices.ts'
import type { ClusterRows, Listener } from './cluster-rows.ts'
import type { NodeCounters } from './node-counters.ts'
import type { Objects } from './objects/objects.ts'
import type { Clock } from './objects/tries.ts'
import { PartsInObjects } from './parts-in-objects.ts'
import { NO_CACHE, type PieceCache, PieceReader } from './piece-reader.ts'

const LISTEN_AGAIN_MS = 2_000
/** The number of partitions to commit together: as many as change within a few seconds. Each commit costs an object and
 *  a transaction. */
const PARTITIONS_AT_ONCE = 2_500
/** Two writers seldom have the same shard; if they do, they wait for each other's commits. */
const SHARDS = 16

/** Timers that do not keep the process from ending. */
const idleClock: Pick<Clock, 'steadyMs' | 'after'> = {
  steadyMs: () => performance.now(),
  after: (delayMs, action) => {
    const timer = setTimeout(action, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

export type ClusterParts = {
  objects: Objects
  rows: ClusterRows
  cache?: PieceCache
  /** For a thread in which nothing calls `refresh`: each query checks the cached rows that it uses. */
  isEachCallChecked?: boolean
  /** For a node: the database reports changes, so that cached rows need not be checked. */
  listens?: boolean
  /** Shared by all threads of a node: the listening thread writes changes to it, the other threads read them. */
  notices?: ChangeNotices | undefined
  /** Counts the reads of pieces from objects. */
  counters?: NodeCounters
  nowMs?: () => number
  /** Timers for delayed work. */
  clock?: Pick<Clock, 'steadyMs' | 'after'>
  randomBytes?: (count: number) => Uint8Array
}

export function clusterStore({ objects, rows: stored, cache = NO_CACHE, ...rest }: ClusterParts): Store {
  const { isEachCallChecked = false, listens = false, notices, nowMs = Date.now, clock = idleClock } = rest
  const role = listens ? { shares: notices } : { follows: notices }
  const rows = new CachedRows(stored, { isEachCallChecked, ...role, elapsedMs: clock.steadyMs })
  const random = rest.randomBytes ?? ((count: number) => new Uint8Array(randomBytes(count)))
  const reader = new PieceReader(objects, cache, rest.counters)
  const shard = String(random(1)[0]! % SHARDS)
  const blocks = new PartsInObjects({ rows, objects, cache, reader, nowMs, randomBytes: random, shard })
  const listening = listens ? listenAgain(stored, rows, clock) : undefined
  return {
    catalogue: new RowCatalogue(rows, blocks, shard),
    blocks,
    partitionsAtOnce: PARTITIONS_AT_ONCE,
    refresh: () => rows.refresh(),
    // A commit is durable when it resolves, so there is nothing to wait for.
    flushed: async () => undefined,
    async close() {
      await listening?.stop()
      await Promise.all([objects.close(), stored.close(), cache.close()])
    },
  }
}

/** Starts to listen to the database, and retries until this succeeds. Until then cached rows are checked. */
function listenAgain(rows: ClusterRows, listener: Listener, timers: Timers): { stop(): Promise<void> } {
  const over = new AbortController()
  const again = { isPassing: () => true, waitMs: () => LISTEN_AGAIN_MS, timers, signal: over.signal }
  const listening = withRetry(() => rows.listen(listener), again).catch(() => undefined)
  return {
    async stop() {
      over.abort()
      const end = await listening
      await end?.()
    },
  }
}
