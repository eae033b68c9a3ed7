// Where records of archives are from: of each file that was loaded who published it and what it can say, and of each
// market and hour what its rows say of themselves. Nothing of it is kept of the user's own captures.

import { createHash } from 'node:crypto'
import { SOURCE_NAME } from '../format/shape.ts'
import { DAY_MS, dateStartMs, HOUR_MS } from '../units.ts'
import type { Venue } from '../venue.ts'

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
  /** Rows that the user's own recording has. */
  leftOut: number
  startedAt: number
  finishedAt: number | null
  /** Where it goes on; null at the beginning, and when it is finished. */
  checkpoint: string | null
}

/** What the rows of a market's hour say of themselves. */
export type HourQuality = {
  rows: number
  /** Rows of a known book that say best prices, and those of them that the book agrees with. */
  bestPricesChecked: number
  bestPricesAgreed: number
  /** Snapshots of a known book, and those that it agrees with. */
  snapshotsChecked: number
  snapshotsAgreed: number
  changes: number
  /** Changes that remove a level. */
  removals: number
}

/** `hour` of the day, 0 to 23. */
export type SourceHour = HourQuality & { source: string; hour: number }
/** Ascending by source and hour. */
export type DayQuality = { date: string; hours: SourceHour[] }
/** `hourMs` is its beginning. */
export type ArchiveQuality = HourQuality & { source: string; venue: Venue; market: string; hourMs: number }

export const QUALITY_COUNTS = [
  ...['rows', 'bestPricesChecked', 'bestPricesAgreed', 'snapshotsChecked', 'snapshotsAgreed'],
  ...['changes', 'removals'],
] as (keyof HourQuality)[]

/** Of an hour before its first row. */
export const NO_ROWS: HourQuality = {
  rows: 0,
  bestPricesChecked: 0,
  bestPricesAgreed: 0,
  snapshotsChecked: 0,
  snapshotsAgreed: 0,
  changes: 0,
  removals: 0,
}

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

/** With the counts added, of hours of one day. */
export function addedQuality(kept: readonly SourceHour[], said: readonly ArchiveQuality[]): SourceHour[] {
  const hours = new Map(kept.map((each) => [nameOf(each), { ...each }]))
  for (const quality of said) {
    const { source, hourMs } = quality
    const hour = (hourMs % DAY_MS) / HOUR_MS
    const sum = hours.get(nameOf({ source, hour })) ?? { source, hour, ...NO_ROWS }
    for (const count of QUALITY_COUNTS) sum[count] += quality[count]
    hours.set(nameOf(sum), sum)
  }
  return [...hours.values()].sort((a, b) => (a.source < b.source ? -1 : a.source > b.source ? 1 : a.hour - b.hour))
}

/** As `addedQuality` takes them. */
export function hoursIn({
  venue,
  market,
  date,
  hours,
}: DayQuality & { venue: Venue; market: string }): ArchiveQuality[] {
  return hours.map(({ hour, ...each }) => ({ ...each, venue, market, hourMs: dateStartMs(date) + hour * HOUR_MS }))
}

const nameOf = ({ source, hour }: Pick<SourceHour, 'source' | 'hour'>): string => `${source} ${hour}`

/** Every method may reject with DataError('block_corrupt'), those that write with DataError('disk_full'). */
export interface Provenance {
  /** Keeps each load in the place of what was kept of the same choice of the same file, and adds the quality to what is
   *  kept of its hours: all of it in one transaction, so that a load that goes on from a checkpoint counts no row
   *  twice. */
  putLoads(loads: ArchiveLoad[], quality: ArchiveQuality[]): Promise<void>
  /** Changes with every load and quality that is kept or forgotten; 0 where nothing was ever imported. */
  provenanceStamp(): Promise<number>
  /** In the order in which they were begun. */
  loads(): Promise<ArchiveLoad[]>
  /** Of every date that has some, ascending. A date that is removed loses its quality. */
  quality(venue: Venue, market: string): Promise<DayQuality[]>
  /** Forgets the quality of a source on these dates of a market. */
  removeQuality(source: string, venue: Venue, market: string, dates: string[]): Promise<void>
  /** Forgets the loads of a source, and its quality of all markets. Resolves to how many loads there were. */
  removeLoads(source: string): Promise<number>
}
