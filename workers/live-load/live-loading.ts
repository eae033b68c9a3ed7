// The interface between a recorder and the thread that loads segments while they are recorded.

import type { DataErrorCode } from '../../storage/failures.ts'
import type { StorePlace } from '../../storage/open-store.ts'
import type { BooksOfMarket } from '../read/last-records.ts'
import type { SegmentName } from '../segment/segment-folder.ts'
import type { RetentionReport } from './retention.ts'

export type LiveLoadOptions = {
  dataFolder: string
  /** Null for the store in the data folder. */
  cluster: StorePlace['cluster']
  /** Seconds between two commits, if loading keeps up. */
  commitSeconds: number
  /** Maximum number of bytes of lines to hold in memory. Further lines are read from their segment later. */
  queuedBytesMax: number
  /** Removes a segment when its date is more than this many days ago. Null keeps segments for ever. */
  retentionDays: number | null
}

/** Result of one commit. */
export type CommitReport = {
  /** Time at which the last record of the commit became visible to readers, Unix ms. */
  committedMs: number
  tookMs: number
  messages: number
  /** Records that are new to the store. */
  recordsAdded: number
  /** Number of gap records among the messages. */
  gaps: number
  /** Control lines by kind (`command`, `audit`, …), and frames that are not records. */
  skipped: Record<string, number>
  /** Lines that could not be parsed; they are in the data folder's `rejects`. */
  rejected: number
  audits: number
  /** Segments that cannot be loaded now, and why. They stay where they are, for the next start. Each commit reports
   *  them until the segment is closed. */
  errors: { segment: SegmentName; message: string }[]
  /** Longest time from the receipt of a frame until it became visible, in ms; null if no frame has a receipt time by
   *  this machine's clock. */
  lagMs: number | null
  /** Bytes of lines that still wait: in memory, and in segment files that are to be read. */
  queuedBytes: number
  bytesToLoad: number
  /** Segments that are completely committed and on disk; they are now below segments/loaded. */
  loaded: SegmentName[]
  /** Why this commit failed; null if it succeeded. The next commit stores the rest, and reports these counts
   *  again. */
  failure: { code: DataErrorCode | null; message: string } | null
}

/** Report on the segments that an earlier process left behind, when they are loaded. */
export type LeftoverReport = {
  segments: number
  messages: number
  recordsAdded: number
  /** Segments that end in the middle of a line or a frame. */
  truncated: SegmentName[]
  /** Segments that could not be read to their end; they stay where they are. */
  errors: { segment: SegmentName; message: string }[]
}

export const newLeftoverReport = (): LeftoverReport => ({
  segments: 0,
  messages: 0,
  recordsAdded: 0,
  truncated: [],
  errors: [],
})

export type LiveLoadHooks = {
  onCommit?: (report: CommitReport) => void
  /** Called each time that the store does not open, or does not accept a leftover segment. The thread tries again. */
  onWaiting?: (message: string) => void
  /** Called once, when all leftover segments are loaded. */
  onLeftover?: (report: LeftoverReport) => void
  /** Called for each old segment that retention removes, or keeps for a reason. */
  onRetention?: (report: RetentionReport) => void
  /** Called if the thread ends unexpectedly. Segments are still written, and are loaded at the next start. */
  onFailure?: (error: Error) => void
}

/** Loads the segments of a recorder, in a thread of its own. Only that thread opens the store of the data folder for
 *  writing. */
export interface LiveLoading {
  /** Passes on the lines of a segment's flush, and takes over the bytes. Call it for each flush of a segment, in
   *  order. */
  add(segment: SegmentName, lines: Uint8Array<ArrayBuffer>): void
  /** Marks a segment as complete: its writer was closed or abandoned. When all of it is committed and on disk, it is
   *  moved to segments/loaded. */
  closed(segment: SegmentName): void
  /** Bytes of lines that wait in memory to become records. */
  readonly queuedBytes: number
  /** Bytes of further lines that are to be read from their segments. Loading is behind while this is not 0. */
  readonly bytesToLoad: number
  /** Segments of an earlier process that are still to be loaded. */
  readonly leftoverSegments: number
  /** Returns the time of the last stored record of each book, Unix ms: one map per market, without books that have no
   *  record. Waits until the store answers. Rejects if the thread ends unexpectedly. */
  lastRecords(markets: readonly BooksOfMarket[]): Promise<ReadonlyMap<string, number>[]>
  /** Commits everything, waits for the disk and ends the thread. Rejects if the last commit fails; the thread has then
   *  ended too, and the rest is loaded at the next start. */
  stop(): Promise<void>
}
