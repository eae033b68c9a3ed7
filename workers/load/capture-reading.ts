// Options and results of reading one capture.

import type { LineReader } from '../capture/capture-lines.ts'
import type { MatchedMessage } from '../capture/matched-message.ts'
import type { MessageForm } from '../capture/message-form.ts'
import type { Reject } from '../capture/reject-file.ts'
import type { MarketName } from '../dates/commit-partitions.ts'
import type { CollectedPartition } from '../partition/collected-partition.ts'
import type { JsonObject } from '../venues/described-message.ts'
import type { GivenNoPrices } from '../venues/no-prices.ts'

export type LoadProgress = (progress: { fileBytes: number; records: number }) => void

export type ReadOptions = {
  /** Data folder, for temporary files and rejects. */
  folder: string
  path: string
  /** Time of loading, Unix ms. */
  loadingMs: number
  /** Number of threads that share the memory. */
  threads: number
  marketsAtOnce: number
  /** Whether all messages of a market come before the first message of the next market. */
  isByMarket?: boolean | undefined
  onProgress: LoadProgress
  /** Returns which markets are not in the store yet. The reader plans the days of these markets. If absent, it plans no
   *  day. */
  areNew?: (markets: MarketName[]) => Promise<boolean[]>
  /** The archive that the capture was made from; undefined for the user's own captures. */
  source?: string | undefined
  /** The markets to read; null or absent for all. */
  markets?: ReadonlySet<string> | null
  /** The scale to assume for Kalshi's NO prices if the capture does not state it: 'yes' or 'no'; or 'snapshots' to find
   *  it from the capture's snapshots. Default: 'no'. */
  noPrices?: GivenNoPrices
  /** Supplies the lines if the source is not a file of lines; then `path` is only a name. If it rejects, reading
   *  rejects. */
  writeLines?: (reader: RowReader) => Promise<void>
}

/** Receives lines, and rejects rows that cannot become a line. */
export interface RowReader extends LineReader {
  reject(row: number, reason: string, source: Uint8Array): void
  /** Returns how a line like this one would be parsed, as `formOfLine` does. Does not read the line. */
  formOf(line: Uint8Array): { form: MessageForm; texts: string[] } | undefined
  /** Reads row `number` from the values of a message, without its text (`MatchedMessage.hasText`). Returns false, and
   *  does nothing, if the text of the row's line is needed. */
  values(form: MessageForm, bytes: Uint8Array, match: MatchedMessage, receivedMs: number, number: number): boolean
}

/** Part of a capture, as plain data that can cross threads. `files` are the open temporary files that blocks may be
 *  in. */
export type CapturePart = { partitions: CollectedPartition[]; files: number[] }

export type CaptureEnd = {
  lines: number
  /** `messages` counts the records of markets, `documents` the metadata documents, and `skipped` everything else that
   *  was read. */
  messages: number
  documents: number
  skipped: Record<string, number>
  /** Notes on how stored messages were read, with the number of messages for each note. */
  notes: Record<string, number>
  rejected: number
  /** The first rejects, by line; `rejectFile` has all of them. */
  rejects: Reject[]
  rejectFile: string | null
  /** Why the file was refused or not read to its end; null if it was read to its end. The records before the fault are
   *  loaded, unless the clock is wrong. */
  error: string | null
  /** Whether an open segment ends within a frame. That frame was never acknowledged; its complete lines are loaded. */
  isCutOff: boolean
  /** Audit lines of the segment, as its recorder wrote them. */
  audits: JsonObject[]
  /** Batches of metadata, for `documentsIn`. */
  metadata: Uint8Array[]
}
