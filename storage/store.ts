// A store: the catalogue and the blocks, with methods to refresh, flush and close them.

import type { BlockStore } from './block-store.ts'
import type { Catalogue } from './catalogue.ts'
import type { Maintenance } from './maintenance.ts'

export type Store = {
  catalogue: Catalogue
  blocks: BlockStore
  /** The number of growing partitions to commit together. It is small if a commit is cheap, so that no partition waits
   *  long. It is large if each commit is a request to another machine. */
  partitionsAtOnce: number
  /** Makes the writes of other processes visible to this thread. Cheap; call it at the start of a task. */
  refresh(): void
  /** Resolves once everything written so far is on the disk. */
  flushed(): Promise<void>
  close(): Promise<void>
}

/** A store with its maintenance. */
export type OpenStore = Store & { maintenance: Maintenance }

/** Memory that the threads of a cluster node share. Plain data, so that it can be sent to threads. */
export type NodeMemory = {
  /** The listening thread writes the changes it receives; the other threads read them. */
  notices: SharedArrayBuffer
  /** Counts of all threads' reads from the cache and the bucket. */
  counters: SharedArrayBuffer
}

export type Access = {
  /** Whether the process may write. If not, missing parts of the store are not created. A process has one LMDB
   *  environment: the first call to open it decides whether the process may write. */
  mayWrite: boolean
  /** For a thread that never calls `refresh`: each query sees what others have written. */
  isEachCallChecked?: boolean
  /** For a long-running node: the database notifies it of other writers' changes, so it does not ask at each query. */
  listens?: boolean
  /** Memory that all threads of a cluster node share. */
  shared?: NodeMemory | undefined
}
