// What a cluster keeps in its database: the rows that say what is stored and where. PostgreSQL is one, a double in
// memory another. A row is read whole and changed in a transaction; what no row names does not exist.

import type { Catalogue } from '../../catalogue.ts'
import type { PartitionHead } from '../../format/partition-head.ts'
import type { Venue } from '../../venue.ts'
import type { PieceChange } from '../segment/pieces.ts'

/** Of a market that is stored, or was: then it has no dates. */
export type MarketRow = {
  revision: number
  /** Ids and revisions of a partition that is new begin above it. */
  base: number
  recordCount: number
  /** Ascending. */
  dates: string[]
}

/** `head` and `pieces` are sealed; `segments` are the keys of the objects that `pieces` counts in. */
export type DayRow = { date: string; head: Uint8Array; pieces: Uint8Array; segments: string[] }

/** Some dates of a market. */
export type DaysOf = { venue: Venue; market: string; dates: readonly string[] }

/** As of one moment. Dates of which nothing is stored are left out. */
export type MarketDays = { revision: number; days: DayRow[] }

/** `head` is null where the partition is removed, with all of its pieces; `before` where it is new. */
export type DayChange = PieceChange & {
  date: string
  before: PartitionHead | null
  head: { decoded: PartitionHead; sealed: Uint8Array } | null
}

/** `revision` is the market's as it was planned on. */
export type RowChange = { venue: Venue; market: string; revision: number; days: DayChange[] }

/** `key` is null where a commit puts no piece. */
export type Commit = { segment: { key: string; bytes: number } | null; changes: RowChange[] }

export type NamedSegment = { key: string; bytes: number }

export const miscounted = (key: string, rows: number, named: number): string =>
  `The segment ${key} is counted to be named by ${rows} rows, and ${named} name it`

/** Pieces of a partition that lie elsewhere now, and are the same. `before` is its row's index as it was read. */
export type Move = { venue: Venue; market: string; date: string; before: Uint8Array; put: PieceChange['put'] }

/** The object of a segment was removed, or is about to be, or a commit has named it before: put another one. */
export class SegmentSwept extends Error {}

/** Counts are those that the database keeps anyway: asking is cheap however much is stored. */
export type ClusterFigures = { markets: number; partitions: number; segments: number; segmentBytes: number }

/** What waits for upkeep, counted up to 10,000. */
export type UpkeepFigures = {
  /** Market days before today that have changed since they were moved last. */
  daysToCompact: number
  /** Segments that no row has named for a day. */
  segmentsToSweep: number
}

/** Told of by every commit, also of this process, a moment after it. */
export type Listener = {
  /** Rows of these markets have changed. */
  changed(markets: readonly { venue: Venue; market: string }[]): void
  /** From now on changes may pass unheard. */
  lost(): void
  /** From now on every change is told; those before may have passed unheard. */
  heard(): void
}

/** What the cluster's own catalogue answers from its rows; the database answers the rest of the port itself. */
type FromRows = 'market' | 'revision' | 'head' | 'heads' | 'neighbour' | 'stamp' | 'bytesOf' | 'commit'

/** Every method may reject with DataError('store_unavailable'), and waits no longer than the settings say. */
export interface ClusterDatabase extends Omit<Catalogue, FromRows> {
  /** Undefined where nothing was ever stored; in the order of the question, as all that answer many. */
  marketRows(markets: readonly { venue: Venue; market: string }[]): Promise<(MarketRow | undefined)[]>
  /** 0 where nothing was ever stored. */
  revisions(markets: readonly { venue: Venue; market: string }[]): Promise<number[]>
  days(questions: readonly DaysOf[]): Promise<MarketDays[]>
  /** Applies each market whose revision is still what it was planned on, all in one transaction. Resolves to the
   *  indexes of those that it refused. Rejects with SegmentSwept, and has then changed nothing. Where the
   *  connection breaks at the end, it finds out whether the transaction took effect. */
  commitRows(commit: Commit): Promise<number[]>
  /** Moves pieces in one transaction; revisions stay. Resolves to the indexes of those whose rows have changed. */
  move(segment: { key: string; bytes: number }, moves: readonly Move[]): Promise<number[]>
  /** Partitions of a date that have changed since they were moved last, ascending by market. */
  unmoved(
    venue: Venue,
    date: string,
    page: { after: string; limit: number },
  ): Promise<{ market: string; day: DayRow }[]>
  /** Dates before `before` that have such partitions, ascending. */
  unmovedDates(venue: Venue, before: string): Promise<string[]>
  /** Segments that no row has named for so long, or that are marked and not swept, ascending by key. */
  unnamed(graceMs: number, page: { after: string; limit: number }): Promise<NamedSegment[]>
  /** Those of these objects that the database does not know, or that are marked. */
  unknown(keys: readonly string[]): Promise<string[]>
  /** Marks those of these that the database does not know, or that no row has named for so long: no commit and no move
   *  can name them any more. Resolves to those that are marked now, or were before. */
  mark(keys: readonly string[], graceMs: number): Promise<string[]>
  /** Their objects are removed. The marks stay: a commit may be so late that it would name them. */
  swept(keys: readonly string[]): Promise<void>
  /** Forgets marks of objects that were removed so long ago. */
  forgetMarks(keptMs: number): Promise<void>
  /** All segments that rows name, ascending by key. */
  segments(): AsyncIterable<NamedSegment>
  /** Checks the rows against each other, as of one moment: a sentence for each damage. */
  damage(): Promise<string[]>
  /** Resolves once changes are told, to what ends it. */
  listen(listener: Listener): Promise<() => Promise<void>>
  figures(): Promise<ClusterFigures>
  upkeep(): Promise<UpkeepFigures>
  close(): Promise<void>
}
