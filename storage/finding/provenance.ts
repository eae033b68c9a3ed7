// The provenance of archive records: who published each loaded file, and what the file can prove. The user's own
// captures have no provenance.

import { createHash } from 'node:crypto'
import { SOURCE_NAME } from '../format/shape.ts'

/** What a receive time refers to: the message's own frame, the batch that the message was written with, or nothing. */
export type ClockQuality = 'frame' | 'batch' | 'none'
/** What shows the order in which rows of a book were received: a number, the rows' places in the file, or nothing. */
export type OrderAuthority = 'sequence' | 'file' | 'none'

/** A file of an archive that was loaded, or is being loaded. */
export type ArchiveLoad = {
  /** The name of the source, as in the shapes of the file's records. */
  source: string
  format: string
  file: string
  /** The address of the file; null for a file on the disk. */
  url: string | null
  bytes: number
  /** Null if the file was not read as a whole. */
  sha256: string | null
  /** The checksum that the publisher states. */
  publisherSha256: string | null
  /** The markets that were chosen; null for all. Another choice is another load. */
  markets: string[] | null
  /** The licence that the publisher states; null if none. */
  licence: string | null
  attribution: string | null
  clock: ClockQuality
  order: OrderAuthority
  /** Whether the file's books and changes have the venue's hash. */
  hashStored: boolean
  /** Whether the file's messages were rebuilt from columns. */
  isRebuilt: boolean
  repairs: string[]
  rows: number
  records: number
  startedAt: number
  finishedAt: number | null
  /** Where the load continues; null at the beginning, and when it is finished. */
  checkpoint: string | null
}

/** The order of preference of archives, for dates on which several of them have the same book (docs/sources.md). */
export type SourceOrder = {
  /** The preferred archives, in order; archives that are not named follow them. */
  archives: readonly string[]
  /** False until every stored date is in this order. */
  isShown: boolean
}

export const NO_ORDER: SourceOrder = { archives: [], isShown: true }

const TEXT_LENGTH_MAX = 4_096
const CHECKPOINT_LENGTH_MAX = 65_536
const LIST_LENGTH_MAX = 1_000

/** Returns a text that names the file and what was chosen from it. It distinguishes the loads of a source. Throws
 *  RangeError for a load that the store cannot hold. */
export function loadName(load: ArchiveLoad): string {
  const { source, format, file, url, bytes, sha256, licence, attribution, repairs, checkpoint, markets } = load
  const texts = [format, file, url, sha256, load.publisherSha256, licence, attribution, ...repairs, ...(markets ?? [])]
  const isFit = SOURCE_NAME.test(source) && (checkpoint?.length ?? 0) <= CHECKPOINT_LENGTH_MAX
  if (!isFit) throw new RangeError('the source name of the load is invalid, or its checkpoint is too long')
  const long = texts.find((text) => (text?.length ?? 0) > TEXT_LENGTH_MAX)
  if (long) {
    const found = `not ${long.length}: ${JSON.stringify(`${long.slice(0, 40)}…`)}`
    throw new RangeError(`a text about a file may have at most ${TEXT_LENGTH_MAX} characters, ${found}`)
  }
  const count = Math.max(repairs.length, markets?.length ?? 0)
  if (count > LIST_LENGTH_MAX) throw new RangeError(`at most ${LIST_LENGTH_MAX} markets may be chosen, not ${count}`)
  const identity = [sha256 ?? [url ?? file, bytes], markets?.toSorted() ?? null]
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex')
}

/** Sorts loads by the time at which they began. */
export const inOrder = (loads: ArchiveLoad[]): ArchiveLoad[] =>
  loads.sort((a, b) => a.startedAt - b.startedAt || (loadName(a) < loadName(b) ? -1 : 1))

/** Every method may reject with DataError('block_corrupt'), those that write also with DataError('disk_full'). */
export interface Provenance {
  /** Stores loads in one transaction. Each replaces the stored load of the same file with the same choice of
   *  markets. */
  putLoads(loads: ArchiveLoad[]): Promise<void>
  /** Resolves to a number that changes with every load that is stored or removed; 0 if nothing was ever imported. */
  provenanceStamp(): Promise<number>
  /** Returns all loads, in the order in which they began. */
  loads(): Promise<ArchiveLoad[]>
  /** Removes the loads of a source. Resolves to how many there were. */
  removeLoads(source: string): Promise<number>
  /** Returns `NO_ORDER` if none was ever set. */
  sourceOrder(): Promise<SourceOrder>
  putSourceOrder(order: SourceOrder): Promise<void>
}
