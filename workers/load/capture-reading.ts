// What the reading of one capture is told, and what it gives.

import type { LineReader } from '../capture/capture-lines.ts'
import type { MatchedMessage } from '../capture/matched-message.ts'
import type { MessageForm } from '../capture/message-form.ts'
import type { Reject } from '../capture/reject-file.ts'
import type { MarketName } from '../dates/commit-partitions.ts'
import type { CollectedPartition } from '../partition/collected-partition.ts'
import type { JsonObject } from '../venues/described-message.ts'
import type { GivenNoPrices } from '../venues/kalshi/no-prices.ts'

export type LoadProgress = (progress: { fileBytes: number; records: number }) => void

export type ReadOptions = {
  /** Data folder, for temporary files and rejects. */
  folder: string
  path: string
  /** The moment of loading. */
  loadingMs: number
  /** How many threads share the memory. */
  threads: number
  marketsAtOnce: number
  /** Whether all messages of a market come before the first of the next one. */
  isByMarket?: boolean | undefined
  onProgress: LoadProgress
  /** Which markets the store has nothing of: their days are planned here. Without it, none are. */
  areNew?: (markets: MarketName[]) => Promise<boolean[]>
  /** The archive that the capture is made from; without it, it is the user's own. */
  source?: string | undefined
  /** On which scale Kalshi's prices of NO are where the capture does not say it: that of NO, unless given; or what its
   *  snapshots say. */
  noPrices?: GivenNoPrices
  /** Tells the lines of something that is no file of lines: `path` only names it. A fault of it rejects. */
  tellLines?: (reader: RowReader) => Promise<void>
}

/** Takes lines, and rows of which no line can be made: those are rejected. */
export interface RowReader extends LineReader {
  reject(row: number, reason: string, source: Uint8Array): void
  /** As `formOfLine`: how such a line would be taken apart. It is not taken. */
  formOf(line: Uint8Array): { form: MessageForm; texts: string[] } | undefined
  /** Takes row `number` as the values of a message that has no text (`MatchedMessage.hasText`); false, and nothing is
   *  done, where its line is needed. */
  values(form: MessageForm, bytes: Uint8Array, match: MatchedMessage, receivedMs: number, number: number): boolean
}

/** Plain data, so that it can cross threads. `files` are open temporary ones that blocks may lie in. */
export type CapturePart = { partitions: CollectedPartition[]; files: number[] }

export type CaptureEnd = {
  lines: number
  /** Those that are records of a market, documents of metadata, and all else that was read. */
  messages: number
  documents: number
  skipped: Record<string, number>
  /** What is to be reported of messages that are records all the same, and of how many. */
  notes: Record<string, number>
  rejected: number
  /** The first of them by their lines; all are in `rejectFile`. */
  rejects: Reject[]
  rejectFile: string | null
  /** Why the file could not be read to its end, or was refused. What came before is loaded, but for a wrong clock. */
  error: string | null
  /** A segment that was not closed ends within a frame: that frame was never acknowledged, and lines of it that are
   *  whole are loaded. */
  isCutOff: boolean
  /** What the recorder of a segment says of its audits. */
  audits: JsonObject[]
  /** For `documentsIn`. */
  metadata: Uint8Array[]
}
