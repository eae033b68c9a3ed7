// What a cluster stores in its database: the rows that say what is stored and where. Implemented by PostgreSQL, and in
// memory for tests. A row is read whole and changed in a transaction. A piece that no row names does not exist.

import type { Catalogue } from '../../catalogue.ts'
import type { PartitionHead } from '../../format/partition-head.ts'
import type { Venue } from '../../venue.ts'
import type { PieceChange } from '../segment/pieces.ts'

/** A market that is stored, or was: then it has no dates. */
export type MarketRow = {
  revision: number
  /** Ids and revisions of a new partition start above it. */
  base: number
  recordCount: number
  /** Ascending. */
  dates: string[]
}

/** One stored day. `head` and `pieces` are sealed. `segments` are the keys of the objects that `pieces` refers to by
 *  index. */
export type DayRow = { date: string; head: Uint8Array; pieces: Uint8Array; segments: string[] }

/** A query for some dates of a market. */
export type DaysOf = { venue: Venue; market: string; dates: readonly string[] }

/** The stored days of a query, as of one moment. Dates without stored records are left out. */
export type MarketDays = { revision: number; days: DayRow[] }

/** The change of a day. `head` is null if the partition is removed with all of its pieces; `before` is null if it is
 *  new. */
export type DayChange = PieceChange & {
  date: string
  before: PartitionHead | null
  head: { decoded: PartitionHead; sealed: Uint8Array } | null
}

/** The change of a market. `revision` is the market's revision that the change was planned on. */
export type RowChange = { venue: Venue; market: string; revision: number; days: DayChange[] }

/** A commit. `segment` is null if it stores no new piece. */
export type Commit = { segment: { key: string; bytes: number } | null; changes: RowChange[] }

export type NamedSegment = { key: string; bytes: number }

export const miscounted = (key: string, rows: number, named: number): string =>
  `The segment ${key} has a count of ${rows} rows that name it, but ${named} rows do`

/** Pieces of a partition that were copied, unchanged, to another place. `before` is the index of its row as it was
 *  read. */
export type Move = { venue: Venue; market: string; date: string; before: Uint8Array; put: PieceChange['put'] }

/** Thrown if the object of a segment was removed or is about to be, or if another commit has named it before: write a
 *  new object. */
export class SegmentSwept extends Error {}

/** Counts that the database maintains anyway, so that reading them is cheap however much is stored. */
export type ClusterStats = { markets: number; partitions: number; segments: number; segmentBytes: number }

/** The work that waits for upkeep, counted up to 10,000. */
export type UpkeepCounts = {
  /** Market days before today that have changed since they were last moved. */
  daysToCompact: number
  /** Segments that no row has named for a day. */
  segmentsToSweep: number
}

/** Notified of every commit, including those of this process, a moment after it. */
export type Listener = {
  /** Rows of these markets have changed. */
  changed(markets: readonly { venue: Venue; market: string }[]): void
  /** From now on changes may be missed. */
  lost(): void
  /** From now on every change is reported; earlier ones may have been missed. */
  watching(): void
}

/** The methods that the cluster's catalogue answers from its rows; the database implements the rest of the port
 *  itself. */
type FromRows = 'market' | 'revision' | 'head' | 'heads' | 'neighbour' | 'stamp' | 'bytesOf' | 'commit'

/** Every method may reject with DataError('store_unavailable'), and waits no longer than the settings allow. */
export interface ClusterDatabase extends Omit<Catalogue, FromRows> {
  /** Returns the rows in the order of the request, as do all methods that return many. Undefined if nothing was ever
   *  stored. */
  marketRows(markets: readonly { venue: Venue; market: string }[]): Promise<(MarketRow | undefined)[]>
  /** Returns 0 for a market of which nothing was ever stored. */
  revisions(markets: readonly { venue: Venue; market: string }[]): Promise<number[]>
  days(questions: readonly DaysOf[]): Promise<MarketDays[]>
  /** Applies, in one transaction, each market whose revision is still the one it was planned on. Resolves to the
   *  indexes of those that it refused. Rejects with SegmentSwept, and has then changed nothing. If the connection
   *  breaks at the end, it finds out whether the transaction took effect. */
  commitRows(commit: Commit): Promise<number[]>
  /** Moves pieces in one transaction; revisions stay. Resolves to the indexes of the moves that were refused because
   *  their rows have changed. */
  move(segment: { key: string; bytes: number }, moves: readonly Move[]): Promise<number[]>
  /** Returns the partitions of a date that have changed since they were last moved, ascending by market. */
  unmoved(
    venue: Venue,
    date: string,
    page: { after: string; limit: number },
  ): Promise<{ market: string; day: DayRow }[]>
  /** Returns the dates before `before` that have such partitions, ascending. */
  unmovedDates(venue: Venue, before: string): Promise<string[]>
  /** Returns the segments that no row has named for `graceMs`, or that are marked and not yet swept, ascending by
   *  key. */
  unnamed(graceMs: number, page: { after: string; limit: number }): Promise<NamedSegment[]>
  /** Returns those of these keys that the database does not know, or that are marked. */
  unknown(keys: readonly string[]): Promise<string[]>
  /** Marks those of these keys that the database does not know, or that no row has named for `graceMs`: no commit and
   *  no move can name them any more. Resolves to the keys that are marked now, including those marked before. */
  mark(keys: readonly string[], graceMs: number): Promise<string[]>
  /** Records that the objects of these keys were removed. The marks stay, because a very late commit could still name
   *  them. */
  swept(keys: readonly string[]): Promise<void>
  /** Removes the marks of objects that were removed at least `retainedMs` ago. */
  forgetMarks(retainedMs: number): Promise<void>
  /** Returns all segments that rows name, ascending by key. */
  segments(): AsyncIterable<NamedSegment>
  /** Checks the rows against each other, as of one moment, and returns a sentence for each damage. */
  damage(): Promise<string[]>
  /** Starts to report changes. Resolves, once changes are reported, to a function that ends it. */
  listen(listener: Listener): Promise<() => Promise<void>>
  figures(): Promise<ClusterStats>
  upkeep(): Promise<UpkeepCounts>
  close(): Promise<void>
}
