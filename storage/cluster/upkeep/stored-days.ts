// Lists stored days with the places of their pieces, and moves pieces to another segment.

import type { PartitionKey } from '../../partition-key.ts'
import { below, dayKey, entryKey, keyOf, namesOf, uncompactedKey } from '../../rows/keys.ts'
import { openMarket, packDay, sealMarket, unpackDay } from '../../rows/market-rows.ts'
import { commitPlanned, type KeyRange, pagesOf, type RowKey, type Rows, revisionOf } from '../../rows/rows.ts'
import type { Write } from '../../rows/shared-rows.ts'
import type { Venue } from '../../venue.ts'
import { changedPieces, openPlacement, type PieceChange, type Placement, sealPlacement } from '../segment/pieces.ts'
import { SegmentCounts, segmentKey, totalsKey } from '../segment/segment-rows.ts'

const ROWS_A_PAGE = 200
/** The shard of compactions, which no other process uses. */
const SHARD = 'compact'

/** The stored row of a day. `value` is the whole row, `placement` the part of it that encodes the placement. */
export type StoredPlacement = { key: PartitionKey; value: Uint8Array; placement: Uint8Array }

/** Returns the range of the uncompacted days before a date. The pieces of these days wait to be moved together. */
export const uncompactedBefore = (venue: Venue, before: string): KeyRange => ({
  from: below(keyOf('h', venue)).from,
  to: keyOf('h', venue, before),
})

/** Iterates over the uncompacted days before a date, ascending by date and market. The pieces of these days wait to be
 *  moved together. */
export async function* uncompactedDays(rows: Rows, venue: Venue, before: string): AsyncGenerator<StoredPlacement> {
  for await (const page of pagesOf(rows, uncompactedBefore(venue, before), ROWS_A_PAGE)) {
    const keys = page.map(({ key }): PartitionKey => {
      const [, date, market] = namesOf(key)
      return { venue, market: market!, date: date! }
    })
    for (const [index, value] of (await rows.get(keys.map(dayKey), true)).entries()) {
      if (value !== undefined) yield storedPlacement(keys[index]!, value)
    }
  }
}

/** Iterates over all days of a venue, ascending by market and date. */
export async function* storedDays(rows: Rows, venue: Venue): AsyncGenerator<StoredPlacement> {
  for await (const page of pagesOf(rows, below(keyOf('d', venue)), ROWS_A_PAGE)) {
    for (const { key, value } of page) {
      const [, market, date] = namesOf(key)
      yield storedPlacement({ venue, market: market!, date: date! }, value)
    }
  }
}

/** Returns whether the row of a day is unchanged. */
export async function isStill(rows: Rows, { key, value }: StoredPlacement): Promise<boolean> {
  const [now] = await rows.get([dayKey(key)], true)
  return now !== undefined && Buffer.compare(now, value) === 0
}

const storedPlacement = (key: PartitionKey, value: Uint8Array): StoredPlacement => ({
  ...{ key, value, placement: unpackDay(key, value).placement },
})

/** Pieces of a day that were copied, unchanged, to another segment. */
export type Move = { day: StoredPlacement; put: PieceChange['put'] }

/** Moves pieces in one commit; heads and revisions stay. Resolves to the number of moves that were refused because
 *  their rows have changed. */
export async function movePieces(
  rows: Rows,
  segment: { key: string; bytes: number; nowMs: number },
  moves: readonly Move[],
): Promise<number> {
  let refused = 0
  await commitPlanned(rows, async () => {
    // Reads the entries before the days: a commit that changes a day later also changes the entry, and is noticed.
    const entries = await readEntries(rows, moves)
    const days = await readMoved(rows, moves)
    refused = moves.length - days.length
    if (days.length === 0) return null
    const segments = new Set(days.flatMap(({ before }) => before.segments))
    const keys = [totalsKey(SHARD), ...[...segments].map(segmentKey)]
    const stored = await rows.get(keys, true)
    const write: Write = { expect: [], put: [], remove: [] }
    const counts = new SegmentCounts(SHARD)
    for (const [key, value] of entries) {
      const entry = openMarket(key, value)
      write.expect.push({ key, revision: revisionOf(value) })
      write.put.push({ key, value: sealMarket(key, { ...entry, moves: entry.moves + 1 }) })
    }
    for (const { rowKey, move, before } of days) {
      const { key, value } = move.day
      const after = changedPieces(before, { put: move.put, removed: [] }, segment.key)
      const placement = sealPlacement(key, { ...after, isCompacted: true })
      counts.change(before.segments, after.segments)
      write.put.push({ key: rowKey, value: packDay({ head: unpackDay(key, value).head, placement }) })
      write.remove.push(uncompactedKey(key))
    }
    counts.finish(write, new Map(keys.map((key, index) => [key, stored[index]])), segment)
    return write
  })
  return refused
}

/** Returns the entries of the markets in `moves`, without those that are not stored. */
async function readEntries(rows: Rows, moves: readonly Move[]): Promise<[RowKey, Uint8Array][]> {
  const keys = [...new Set(moves.map(({ day: { key } }) => entryKey(key.venue, key.market)))]
  const values = await rows.get(keys, true)
  return keys.flatMap((key, index) => {
    const value = values[index]
    return value === undefined ? [] : [[key, value]]
  })
}

type MovedDay = { rowKey: RowKey; move: Move; before: Placement }

/** Returns the days whose rows have not changed since they were read. */
async function readMoved(rows: Rows, moves: readonly Move[]): Promise<MovedDay[]> {
  const keys = moves.map(({ day }) => dayKey(day.key))
  const values = await rows.get(keys, true)
  return moves.flatMap((move, index) => {
    const { key, value, placement } = move.day
    const now = values[index]
    if (now === undefined || Buffer.compare(now, value) !== 0) return []
    return [{ rowKey: keys[index]!, move, before: openPlacement(key, placement) }]
  })
}
