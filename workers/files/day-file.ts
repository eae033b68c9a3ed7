// The files of a day of a market, and what a thread is asked for to make one.

import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'

export const DAY_FILES = ['records.ndjson.zst', 'candles-1s.parquet', 'trades.parquet'] as const
export type DayFileName = (typeof DAY_FILES)[number]

/** A file that is the same bytes as long as the version of its day is: it holds no clock, no path, and nothing of
 *  other days. */
export type DayFile = { bytes: number; sha256: string; rows: number }

export type DayFileRequest = PartitionKey & {
  name: DayFileName
  /** Of the day, as far as the caller knows: tells how much memory the making takes. */
  recordCount: number
  /** Where the file is put, under its digest. */
  folder: string
}

/** `dayVersion` is the version of the day that the file was made from. */
export type MadeDayFile = DayFile & { dayVersion: string }

/** Changes with everything that is stored of the day, within one store. */
export const dayVersionOf = ({ revision, nextId, recordCount }: PartitionHead): string =>
  `${revision}.${nextId}.${recordCount}`

/** The name of a file in the folder. */
export const keptName = (sha256: string): string => `${sha256}.file`
