// What a recorder asks of the thread that loads while it records, and what it is told.

import type { DataErrorCode } from '../../storage/failures.ts'
import type { StorePlace } from '../../storage/open-store.ts'
import type { BooksOfMarket } from '../read/last-records.ts'
import type { SegmentName } from '../segment/segment-folder.ts'
import type { RetentionReport } from './retention.ts'

export type LiveLoadOptions = {
  dataFolder: string
  /** Null for the store in the data folder. */
  cluster: StorePlace['cluster']
  /** Seconds between two commits, where loading keeps up. */
  commitSeconds: number
  /** Bytes of lines that may wait in memory. What comes beyond them is read from its segment later. */
  queuedBytesMax: number
  /** A segment is removed when its date lies more than so many days back. Null keeps segments for ever. */
  retentionDays: number | null
}

/** What one commit brought. */
export type CommitReport = {
  /** Unix ms: when the last of its records became visible to others. */
  committedMs: number
  tookMs: number
  messages: number
  /** Records that the store did not have before. */
  recordsAdded: number
  /** Gap records among the messages. */
  gaps: number
  /** Control lines by what they are (`command`, `audit`, …), and frames that are no records. */
  skipped: Record<string, number>
  /** Lines that could not be understood; they are in the data folder's `rejects`. */
  rejected: number
  audits: number
  /** Segments that cannot be loaded now, and why; they stay where they are, for the next start. Told with each commit
   *  until the segment is closed. */
  errors: { segment: SegmentName; message: string }[]
  /** Longest time between the receipt of a frame and when it became visible; null where there was none with a receipt
   *  by this machine's clock. */
  lagMs: number | null
  /** Lines that still wait, in memory, and in segments that are read from their files. */
  queuedBytes: number
  fileBytesBehind: number
  /** Segments of which everything is committed and on the disk; they lie below segments/loaded now. */
  loaded: SegmentName[]
  /** Why this commit was not ended: what is not stored waits, and the next commit goes on with it, and tells once more
   *  what this one told. */
  failure: { code: DataErrorCode | null; message: string } | null
}

/** What was left behind by a process that ended, once it is loaded. */
export type LeftoverReport = {
  segments: number
  messages: number
  recordsAdded: number
  /** Segments that end in the middle of a line or a frame. */
  truncated: SegmentName[]
  /** Segments that could not be read to their end, and stay where they are. */
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
  /** Called each time that the store does not open, or does not take what another process left behind: it is tried
   *  again. */
  onWaiting?: (message: string) => void
  /** Called once, when all that another process left behind is loaded. */
  onLeftover?: (report: LeftoverReport) => void
  /** Called for each segment that was removed, or was to be. */
  onRetention?: (report: RetentionReport) => void
  /** The thread has ended by itself: segments are written as before, and are loaded at the next start. */
  onFailure?: (error: Error) => void
}

/** The store of a data folder is opened, for writing, by this thread alone. */
export interface LiveLoading {
  /** Hands over what a flush of a segment returned; the bytes are not the caller's any more. Each flush of a segment is
   *  to be given, in order. */
  add(segment: SegmentName, lines: Uint8Array<ArrayBuffer>): void
  /** Nothing follows of a segment: its writer was closed, or abandoned. When all of it is committed and on the disk, it
   *  is moved to segments/loaded. */
  closed(segment: SegmentName): void
  /** Bytes of lines that wait in memory to become records. */
  readonly queuedBytes: number
  /** Bytes of lines beyond them that are read from their segments: loading is behind while there are any. */
  readonly fileBytesBehind: number
  /** Segments of an earlier process that are still to be loaded. */
  readonly leftoverSegments: number
  /** When the last stored record of each book was, Unix ms: an answer a market, without the books that have none. Waits
   *  until the store answers. Rejects where the thread has ended by itself. */
  lastRecords(markets: readonly BooksOfMarket[]): Promise<ReadonlyMap<string, number>[]>
  /** Commits everything, waits for the disk and ends the thread. Rejects where the last commit fails; the thread has
   *  ended then too, and what was not committed is loaded at the next start. */
  stop(): Promise<void>
}
