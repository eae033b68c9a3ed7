// A store, whatever it is kept in.

import type { BlockStore } from './block-store.ts'
import type { Catalogue } from './catalogue.ts'
import type { Maintenance } from './maintenance.ts'

export type Store = {
  catalogue: Catalogue
  blocks: BlockStore
  /** How many partitions are best committed together while they grow: few where a commit costs next to nothing, so that
   *  nobody waits long for one, and many where each is a request to another machine. */
  partitionsAtOnce: number
  /** Makes what other processes have written since visible to this thread. Cheap; call it at the start of a task. */
  refresh(): void
  /** Resolves once everything written so far is on the disk. */
  flushed(): Promise<void>
  close(): Promise<void>
}

/** A store with what only its keeper needs of it. */
export type KeptStore = Store & { maintenance: Maintenance }

/** What the threads of a node of a cluster share. Plain data: it is handed to threads. */
export type NodeMemory = {
  /** Who listens writes what it hears, the others look there. */
  heard: SharedArrayBuffer
  /** What all of them ask of the cache and of the bucket. */
  figures: SharedArrayBuffer
}

export type Access = {
  /** Without it nothing is made that is missing. A process has one environment of LMDB: what it opens first decides
   *  whether it may write. */
  mayWrite: boolean
  /** Of a thread in which nobody calls `refresh`: each question sees what others have written. */
  isEachCallChecked?: boolean
  /** Of a node, which answers for long: it hears what others write instead of asking each time. */
  listens?: boolean
  /** Of a node's threads in a cluster, one for all of them. */
  shared?: NodeMemory | undefined
  /** Of one in a folder: called when opening waits for another process that writes; stderr says so otherwise. */
  onWaiting?: (message: string) => void
}
