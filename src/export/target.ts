// What an export is written for: another program's own form of files. Each is a file here that says so, and one line in
// targets.ts; how its rows are made from records is in workers/export.

import type { KnownMarket } from '../../storage/finding/finding.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import type { Venue } from '../../storage/venue.ts'
import type { BeginFile } from '../../workers/export/new-file.ts'

/** A flag of the command that only this target takes; its name stands for its value in `ExportedDay.options`. */
export type TargetOption = { name: string; value: string; about: string; choices: readonly string[]; default: string }

/** Counts in words of their own, such as "order book deltas", which are added up and printed. */
export type Figures = Readonly<Record<string, number>>

/** The figure of records that change a book of which no snapshot was seen: its levels are those seen since. */
export const UNSEEN_BOOK = 'changes of a book that was never seen whole'

/** What is kept beside the files of a day, for `writeMarket`. Plain data. */
export type DayNotes = Readonly<Record<string, number | string>>

export type ExportedDay = PartitionKey & {
  head: PartitionHead
  /** Which of its books are wanted. */
  books: readonly string[]
  known: KnownMarket | undefined
  options: Readonly<Record<string, string>>
}

export type ExportedMarket = {
  venue: Venue
  market: string
  known: KnownMarket | undefined
  options: Readonly<Record<string, string>>
  /** By date, of all that lie in the folder: also those of earlier runs. */
  days: ReadonlyMap<string, DayNotes>
}

export type ExportTarget = {
  /** Of `--to`. */
  name: string
  /** Completes "for …". */
  about: string
  /** Grows when the same records make other files: those of earlier versions are written anew. */
  version: number
  options: readonly TargetOption[]
  /** What of the metadata the files of a day follow from, as plain data. */
  reads?: (venue: Venue, known: KnownMarket | undefined) => unknown
  /** Writes the files of a date of a market. */
  writeDay: (store: Store, day: ExportedDay, begin: BeginFile) => Promise<{ figures: Figures; notes?: DayNotes }>
  /** Writes the files of a market that are of no date, behind those of its dates. */
  writeMarket?: (market: ExportedMarket, begin: BeginFile) => Figures
}

/** One sentence for who asked. */
export class ExportError extends Error {
  override readonly name = 'ExportError'
  /** `usage`: what was asked for cannot be. */
  readonly kind: 'usage' | 'not stored' | 'failed'

  constructor(kind: ExportError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}
