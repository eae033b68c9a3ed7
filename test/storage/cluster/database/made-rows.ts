// Changes of rows for tests of a cluster's database: heads that hold next to nothing, and pieces that lie nowhere.

import type {
  ClusterDatabase,
  Commit,
  DayChange,
  DayRow,
  Move,
  RowChange,
} from '../../../../storage/cluster/database/cluster-database.ts'
import { openPieces, type PieceChange, type PlacedPiece } from '../../../../storage/cluster/segment/pieces.ts'
import type { PartitionHead } from '../../../../storage/format/partition-head.ts'
import { HEAD } from '../../../support/made-markets.ts'

export const VENUE = 'kalshi'

/** What PostgreSQL and its double have to answer alike of rows. */
export type Rows = Pick<
  ClusterDatabase,
  | ('marketRows' | 'revisions' | 'days' | 'commitRows' | 'move' | 'unmoved' | 'unmovedDates' | 'unnamed' | 'unknown')
  | ('mark' | 'swept' | 'forgetMarks' | 'segments' | 'damage' | 'figures' | 'upkeep')
  | ('markets' | 'marketsStamp' | 'partitions' | 'close')
>

export const segmentOf = (key: string) => ({ key: `segments/2026-07-20/${key}`, bytes: 1_000 + key.length })

/** Blocks by their ids, with 10 bytes each. */
export const pieces = (...ids: number[]): PieceChange['put'] =>
  ids.map((id) => ({
    ...{ kind: 'block', id, book: 0, start: id * 10, length: 10 },
    checksum: id.toString(16).padStart(16, '0'),
  }))
export const blocks = (...ids: number[]) => ids.map((id) => ({ kind: 'block', id, book: 0 }) as const)

export const headOf = (recordCount: number, revision = 1): PartitionHead => ({
  ...{ ...HEAD, revision, recordCount, nextId: revision + 1 },
})

/** What is sealed is nothing to a database: any bytes do. */
const sealed = ({ recordCount, revision }: PartitionHead) =>
  Uint8Array.from([recordCount & 255, revision & 255, 0, 255])

type Day = { before?: PartitionHead | null; head: PartitionHead | null; put?: number[]; removed?: number[] }

export const day = (date: string, { before = null, head, put = [], removed = [] }: Day): DayChange => ({
  ...{ date, before, put: pieces(...put), removed: blocks(...removed) },
  head: head === null ? null : { decoded: head, sealed: sealed(head) },
})

export const change = (market: string, revision: number, ...days: DayChange[]): RowChange => ({
  ...{ venue: VENUE, market, revision, days },
})

export const commit = (key: string | null, ...changes: RowChange[]): Commit => ({
  ...{ segment: key === null ? null : segmentOf(key), changes },
})

export const move = (market: string, { date, pieces: before }: DayRow, put: number[]): Move => ({
  ...{ venue: VENUE, market, date, before, put: pieces(...put) },
})

/** Where the pieces of a day lie: each block's id, and the key of its segment. */
export function placesOf(market: string, { date, pieces: bytes, segments }: DayRow): [number, string][] {
  const placed: PlacedPiece[] = openPieces({ venue: VENUE, market, date }, bytes)
  return placed.map(({ id, segment }) => [id, segments[segment]!.slice('segments/2026-07-20/'.length)])
}

export const rowOf = async (rows: Rows, market: string) => (await rows.marketRows([{ venue: VENUE, market }]))[0]
export const daysOf = async (rows: Rows, market: string, dates: readonly string[]) =>
  (await rows.days([{ venue: VENUE, market, dates }]))[0]!

export const keysOf = (...names: string[]): string[] => names.map((name) => segmentOf(name).key)

/** What nothing names, without what a database names for itself. */
export async function unnamedOf(rows: Rows, graceMs: number): Promise<string[]> {
  const found = await rows.unnamed(graceMs, { after: '', limit: 1_000 })
  return found.map(({ key }) => key).filter((key) => key.startsWith('segments/'))
}

/** Everything that rows tell of some markets. */
export async function toldBy(rows: Rows, markets: readonly string[], dates: readonly string[]) {
  const told = await Promise.all(
    markets.map(async (market) => {
      const { revision, days } = await daysOf(rows, market, dates)
      const shown = days.map((each) => ({
        ...{ date: each.date, head: [...each.head], pieces: [...each.pieces], segments: each.segments },
      }))
      return { row: await rowOf(rows, market), revision, days: shown }
    }),
  )
  const unmoved = await Promise.all(dates.map((date) => rows.unmoved(VENUE, date, { after: '', limit: 100 })))
  return {
    told,
    revisions: await rows.revisions(markets.map((market) => ({ venue: VENUE, market }))),
    unmoved: unmoved.map((each) => each.map(({ market }) => market)),
    unmovedDates: await rows.unmovedDates(VENUE, '9999-12-31'),
    segments: await Array.fromAsync(rows.segments()),
    partitions: await Array.fromAsync(rows.partitions(VENUE)),
    markets: await rows.markets(VENUE, { prefix: '', offset: 0, limit: 100 }),
    figures: await rows.figures(),
    damage: await rows.damage(),
  }
}
