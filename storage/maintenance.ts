// The maintenance interface of every store: statistics, and checks of the values that do not belong to one day.

type Counts = {
  markets: number
  /** Market days, each with its blocks. */
  partitions: number
}

/** Statistics of an LMDB store. */
export type FileStats = Counts & {
  kind: 'file'
  /** Size of the file on the disk, bytes. */
  fileBytes: number
  /** Bytes of the pages that hold data or index. The rest is free and is reused before the file grows. */
  usedBytes: number
  freeBytes: number
  /** Bytes of address space that are mapped; grows with the file. */
  mapBytes: number
  /** The number of reader slots (threads and processes) that were taken so far, and of all slots. */
  readers: number
  readersMax: number
  blocks: number
}

/** Statistics of a cluster store. */
export type ClusterStats = Counts & {
  kind: 'cluster'
  /** Number of segments (objects that hold data), and their bytes. */
  segments: number
  segmentBytes: number
  /** Market days before today that a compaction would move, and objects that a sweep would remove after a day. Both
   *  counts stop at 10,000. */
  daysToCompact: number
  segmentsToSweep: number
  /** Whether the database notifies this node of other nodes' commits; if not, the node checks the revision at each
   *  query. Null for a process that does not listen. */
  isNotified: boolean | null
  /** Null if the process has no counters. */
  node: NodeCounts | null
}

/** Counts of what the threads of a node requested since the node started. `hits`, `misses` and `failures` belong to the
 *  cache: pieces found, pieces missing, and pieces that the cache's file could not store or return. `reads`,
 *  `readBytes` and `failedReads` belong to the bucket: ranges read, their bytes, and reads that failed after all
 *  attempts. */
export type NodeCounts = Record<'hits' | 'misses' | 'failures' | 'reads' | 'readBytes' | 'failedReads', number>

export type StoreStats = FileStats | ClusterStats

/** A service beyond this machine that the store depends on. `ask` sends a small request and rejects if the service does
 *  not answer. */
export type Engine = { name: 'objects' | 'catalogue'; ask: () => Promise<unknown> }

export interface Maintenance {
  /** The services that the store depends on; empty for a store in a folder. */
  readonly engines: readonly Engine[]
  /** Returns sizes and counts without reading data. */
  stats(): Promise<StoreStats>
  /** Walks the index of the whole file and returns a sentence for each damage. If there is damage, the caller must read
   *  nothing else. Some damage ends the process. */
  indexDamage(): Promise<string[]>
  /** Reads every value that does not belong to one day and returns a sentence for each damage. */
  valueDamage(): Promise<string[]>
}
