// The target of an export: the file format of another program. Each target is a file here and one line in targets.ts;
// workers/export makes its rows from records.

import type { KnownMarket } from '../../storage/finding/finding.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import type { Venue } from '../../storage/venue.ts'
import type { BeginFile } from '../../workers/export/new-file.ts'

/** A flag of the command that only this target takes; `ExportedDay.options` has its value by name. */
export type TargetOption = { name: string; value: string; about: string; choices: readonly string[]; default: string }

/** Counts with printable names, such as "order book deltas", which are added up and printed. */
export type Counts = Readonly<Record<string, number>>

/** The name of the count of changes to books without a snapshot so far. Only the levels that such changes set are
 *  known. */
export const UNSEEN_BOOK = 'changes of a book that was never seen whole'

/** Plain data stored beside the files of a day, for `writeMarket`. */
export type DayNotes = Readonly<Record<string, number | string>>

export type ExportedDay = PartitionKey & {
  head: PartitionHead
  /** The books to export. */
  books: readonly string[]
  known: KnownMarket | undefined
  options: Readonly<Record<string, string>>
}

export type ExportedMarket = {
  venue: Venue
  market: string
  known: KnownMarket | undefined
  options: Readonly<Record<string, string>>
  /** Notes by date, of all days in the folder, including those of earlier runs. */
  days: ReadonlyMap<string, DayNotes>
}

export type ExportTarget = {
  /** The value of `--to`. */
  name: string
  /** Words about the target that complete "for …". */
  about: string
  /** Increased when the program makes other files from the same records. Files of earlier versions are then written
   *  again. */
  version: number
  options: readonly TargetOption[]
  /** Returns the metadata that the files of a day depend on, as plain data. */
  reads?: (venue: Venue, known: KnownMarket | undefined) => unknown
  /** Writes the files of a market and date. */
  writeDay: (store: Store, day: ExportedDay, begin: BeginFile) => Promise<{ figures: Counts; notes?: DayNotes }>
  /** Writes the files of a market that belong to no date, after those of its dates. */
  writeMarket?: (market: ExportedMarket, begin: BeginFile) => Counts
}
