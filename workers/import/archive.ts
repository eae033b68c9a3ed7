// Describes an archive: its publisher, the quality of its times and order, and how a file becomes lines of a capture.

import type { ClockQuality, OrderAuthority } from '../../storage/finding/provenance.ts'
import type { RowReader } from '../load/capture-reading.ts'
import type { ByteFile } from './byte-file.ts'

export type ArchiveFacts = {
  /** Default source name for the records of the archive. The user may give another name. A name may contain lower-case
   *  letters, digits, points and dashes. */
  source: string
  clock: ClockQuality
  order: OrderAuthority
  /** Whether the books and changes of the archive come with the venue's hash. */
  hashStored: boolean
  /** Whether messages are rebuilt from columns. Such messages lack what the archive left out. */
  isRebuilt: boolean
  /** Null if the publisher states none. */
  licence: string | null
  attribution: string | null
}

/** Repairs of known faults in an archive's rows. A repair is applied only if the user names it. */
export const REPAIRS = {
  'clip-beyond-best': 'remove levels beyond the best prices that a row states, which the archive had left',
} as const
export type Repair = keyof typeof REPAIRS

export type ArchiveOptions = {
  /** The markets to import, as the store names them; null for all. */
  markets: ReadonlySet<string> | null
  /** `ArchivePart.next` of the last part that was read: rows before it are skipped. Null for the beginning. */
  after: string | null
  repairs: ReadonlySet<Repair>
  /** Called for each market of `markets` that a row belongs to. It may also be called for other markets. */
  onMarket(market: string): void
  /** Returns the market of a Polymarket token; null for a market that is not chosen, undefined if it is unknown. */
  marketOf(token: string): Promise<string | null | undefined>
}

export type PartSums = {
  rows: number
  /** Rows that produce no message, counted by kind. */
  skipped?: Record<string, number>
  /** Number of level removals that a repair has inserted. */
  repaired?: number
}

/** Consecutive rows of a file. The rows of a part are stored before the next part is read. */
export type ArchivePart = {
  /** Mark of where the next part begins, known only after this part is read; null for the last part. */
  readonly next: string | null
  /** Sends the part's rows as lines, each an envelope around a message of the venue. `onProgress` receives the bytes
   *  read of the file. Throws ArchiveFault. */
  read(lines: RowReader, onProgress: (fileBytes: number) => void): Promise<PartSums>
}

export type ArchiveFormat = ArchiveFacts & {
  name: string
  /** Whether a part sends all rows of one market before the rows of the next market. */
  isByMarket?: boolean
  /** Text in the list of formats. */
  description: string
  /** Yields the parts of a file. Throws ArchiveFault if the file is not in this format. */
  open(file: ByteFile, options: ArchiveOptions): AsyncIterable<ArchivePart>
}
