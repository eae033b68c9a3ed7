// What the keeper of a store asks of it, whatever it is kept in: figures, and checks of what is not of one day.

type Counts = {
  markets: number
  /** Days of markets, each with its blocks. */
  partitions: number
}

/** Of a store in a file of LMDB. */
export type FileFigures = Counts & {
  kind: 'file'
  /** The file on the disk, bytes. */
  fileBytes: number
  /** Of it, pages that hold data or index; what is left is free and is used again before the file grows. */
  usedBytes: number
  freeBytes: number
  /** What of the address space is mapped; it grows with the file. */
  mapBytes: number
  /** Slots of readers (threads and processes) that were taken so far, and how many there are. */
  readers: number
  readersMax: number
  blocks: number
}

/** Of a store in objects and a database. */
export type ClusterFigures = Counts & {
  kind: 'cluster'
  /** Objects that hold data, and their bytes. */
  segments: number
  segmentBytes: number
  /** Market days before today that a compaction would move, and objects that a sweep would remove after a day; counted
   *  up to 10,000. */
  daysToCompact: number
  segmentsToSweep: number
  /** Whether this node hears at once what others commit; else it asks. Null of one that does not listen. */
  isHeard: boolean | null
  /** Null where nobody counts. */
  node: NodeCounts | null
}

/** What the threads of a node asked since it started. Of its cache: pieces that it had, that it had not, and that its
 *  file could not keep or give back. Of the bucket: ranges, their bytes, and reads that failed after all tries. */
export type NodeCounts = Record<'hits' | 'misses' | 'failures' | 'reads' | 'readBytes' | 'failedReads', number>

export type StoreFigures = FileFigures | ClusterFigures

/** What a store lies in beyond this machine. `ask` asks for something small, and rejects where it does not answer. */
export type Engine = { name: 'objects' | 'catalogue'; ask: () => Promise<unknown> }

export interface Maintenance {
  /** None of a store in a folder. */
  readonly engines: readonly Engine[]
  /** Sizes and counts, without reading data. */
  figures(): Promise<StoreFigures>
  /** Reads the index of a whole file: a sentence for each damage. Where there is any, read nothing else. */
  indexDamage(): Promise<string[]>
  /** Reads every value that is not of one day: a sentence for each damage. */
  valueDamage(): Promise<string[]>
}
