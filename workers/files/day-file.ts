// The files of a market's day, and the request to a thread that makes one.

import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'

export const DAY_FILES = ['records.ndjson.zst', 'candles-1s.parquet', 'trades.parquet'] as const
export type DayFileName = (typeof DAY_FILES)[number]

/** A file of a day. It has the same bytes as long as the version of its day is the same: it contains no clock, no path
 *  and nothing of other days. */
export type DayFile = { bytes: number; sha256: string; rows: number }

export type DayFileRequest = PartitionKey & {
  name: DayFileName
  /** Number of records of the day, as far as the caller knows. The memory reserved for making the file depends on
   *  it. */
  recordCount: number
  /** Folder to write the file to. The file is named by its digest. */
  folder: string
}

/** `dayVersion` is the version of the day that the file was made from. */
export type MadeDayFile = DayFile & { dayVersion: string }

/** Returns a text that changes whenever the stored day changes. Valid only within one store. */
export const dayVersionOf = ({ revision, nextId, recordCount }: PartitionHead): string =>
  `${revision}.${nextId}.${recordCount}`

/** Returns the name of a file in the folder. */
export const storedName = (sha256: string): string => `${sha256}.file`
