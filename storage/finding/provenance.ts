// Where records of archives are from: who published each file that was loaded, and what the file can say. Nothing of it
// is stored of the user's own captures.

import { createHash } from 'node:crypto'
import { SOURCE_NAME } from '../format/shape.ts'

/** Of a time of receipt: that of its frame, of the batch that it was written with, or none. */
export type ClockQuality = 'frame' | 'batch' | 'none'
/** What says in which order rows of a book were heard: a number, their place in the file, or nothing. */
export type OrderAuthority = 'sequence' | 'file' | 'none'

/** A file of an archive that was loaded, or is being loaded. */
export type ArchiveLoad = {
  /** As in the shapes of its records. */
  source: string
  format: string
  file: string
  /** Null where it was a file on the disk. */
  url: string | null
  bytes: number
  /** Null where it was not read as a whole. */
  sha256: string | null
  /** What the publisher says that it is. */
  publisherSha256: string | null
  /** Only these markets; null for all. Another choice is another load. */
  markets: string[] | null
  /** Null where none is stated. */
  licence: string | null
  attribution: string | null
  clock: ClockQuality
  order: OrderAuthority
  /** Whether its books and changes have the venue's hash. */
  hashKept: boolean
  /** Whether its messages are put together from columns. */
  isRebuilt: boolean
  repairs: string[]
  rows: number
  records: number
  startedAt: number
  finishedAt: number | null
  /** Where it goes on; null at the beginning, and when it is finished. */
  checkpoint: string | null
}

/** The order in which dates show archives where several know a book (docs/sources.md). */
export type SourceOrder = {
  /** The first ones; archives that are not named follow them. */
  archives: readonly string[]
  /** False until every stored date has this order. */
  isShown: boolean
}

export const NO_ORDER: SourceOrder = { archives: [], isShown: true }

const TEXT_LENGTH_MAX = 4_096
const CHECKPOINT_LENGTH_MAX = 65_536
const LIST_LENGTH_MAX = 1_000

/** What tells two loads of a source apart: the file, and what was chosen of it. Throws RangeError for one that has no
 *  place in a store. */
export function loadName(load: ArchiveLoad): string {
  const { source, format, file, url, bytes, sha256, licence, attribution, repairs, checkpoint, markets } = load
  const texts = [format, file, url, sha256, load.publisherSha256, licence, attribution, ...repairs, ...(markets ?? [])]
  const isFit = SOURCE_NAME.test(source) && (checkpoint?.length ?? 0) <= CHECKPOINT_LENGTH_MAX
  if (!isFit) throw new RangeError('the source of the load is none, or its checkpoint is too long')
  const long = texts.find((text) => (text?.length ?? 0) > TEXT_LENGTH_MAX)
  if (long) {
    const found = `not ${long.length}: ${JSON.stringify(`${long.slice(0, 40)}…`)}`
    throw new RangeError(`at most ${TEXT_LENGTH_MAX} characters are kept of a text about a file, ${found}`)
  }
  const count = Math.max(repairs.length, markets?.length ?? 0)
  if (count > LIST_LENGTH_MAX) throw new RangeError(`at most ${LIST_LENGTH_MAX} markets may be chosen, not ${count}`)
  const identity = [sha256 ?? [url ?? file, bytes], markets?.toSorted() ?? null]
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex')
}

/** In the order in which they were begun. */
export const inOrder = (loads: ArchiveLoad[]): ArchiveLoad[] =>
  loads.sort((a, b) => a.startedAt - b.startedAt || (loadName(a) < loadName(b) ? -1 : 1))

/** Every method may reject with DataError('block_corrupt'), those that write with DataError('disk_full'). */
export interface Provenance {
  /** Stores each load in the place of what is stored of the same choice of the same file: all in one transaction. */
  putLoads(loads: ArchiveLoad[]): Promise<void>
  /** Changes with every load that is stored or removed; 0 where nothing was ever imported. */
  provenanceStamp(): Promise<number>
  /** In the order in which they were begun. */
  loads(): Promise<ArchiveLoad[]>
  /** Removes the loads of a source. Resolves to how many there were. */
  removeLoads(source: string): Promise<number>
  /** `NO_ORDER` where none was ever set. */
  sourceOrder(): Promise<SourceOrder>
  putSourceOrder(order: SourceOrder): Promise<void>
}
