// What an archive is: who published it, what its files say of time and order, and how one becomes lines of a capture.

import type { ClockQuality, OrderAuthority } from '../../storage/finding/provenance.ts'
import type { RowReader } from '../load/capture-reading.ts'
import type { ByteFile } from './byte-file.ts'

export type ArchiveFacts = {
  /** Of its records, where its user gives no other: lower case letters, digits, points and dashes. */
  source: string
  clock: ClockQuality
  order: OrderAuthority
  /** Whether its books and changes come with the venue's hash. */
  hashKept: boolean
  /** Whether messages are put together from columns: what the archive left out of them is not there. */
  isRebuilt: boolean
  /** Null where its publisher states none. */
  licence: string | null
  attribution: string | null
}

/** Changes to an archive's rows that mend a known fault. None is made unless its user names it. */
export const REPAIRS = {
  'clip-beyond-best': 'remove levels beyond the best prices that a row says, which the archive did not remove',
} as const
export type Repair = keyof typeof REPAIRS

export type ArchiveOptions = {
  /** Only these markets, as the store names them; null for all. */
  markets: ReadonlySet<string> | null
  /** What `ArchivePart.next` was: what stands before is left out. Null for the beginning. */
  after: string | null
  repairs: ReadonlySet<Repair>
  /** Called for each market of `markets` that a row is of; others may come, too. */
  onMarket(market: string): void
  /** The market of a token of Polymarket; null for one that is not chosen, undefined where nothing tells it. */
  marketOf(token: string): Promise<string | null | undefined>
}

export type PartSums = {
  rows: number
  /** Rows that no message is made of, by what they are. */
  skipped?: Record<string, number>
  /** Removals of levels that a repair added. */
  repaired?: number
}

/** Rows that follow each other in a file. What a part says is stored before the next one is read. */
export type ArchivePart = {
  /** Where the next part begins, once this one is read; null for the last one. */
  readonly next: string | null
  /** Tells of its rows as lines, each an envelope around a message of the venue; `onProgress` is told how much of the
   *  file is read. Throws ArchiveFault. */
  read(lines: RowReader, onProgress: (fileBytes: number) => void): Promise<PartSums>
}

export type ArchiveFormat = ArchiveFacts & {
  name: string
  /** Whether a part tells all of a market before it tells of the next one. */
  isByMarket?: boolean
  /** For the list of formats. */
  description: string
  /** Throws ArchiveFault where the file is not of this format. */
  open(file: ByteFile, options: ArchiveOptions): AsyncIterable<ArchivePart>
}
