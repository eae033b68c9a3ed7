// Builds the rollups of the blocks that a writer wrote: rows per second and per minute for each book. A rollup ends at
// a block that is large enough; smaller blocks before that block are part of it.

import type { PartId } from '../../storage/block-store.ts'
import type { RollupEntry } from '../../storage/format/partition-head.ts'
import type { BucketColumns } from '../summary/bucket-columns.ts'
import { decodeRollup, encodeRollup } from '../summary/rollup-codec.ts'
import { joinRows } from '../summary/rollup-sink.ts'
import type { WrittenBlock } from './partition-writer.ts'

/** The largest size of rollups, as a share of their blocks' size. */
const SHARE_MAX = 0.1
/** The number of rollups that are joined into one. */
export const ROLLUPS_MAX = 8

export type RollupPart = PartId & { content: Uint8Array }
export type Rollup = { entry: RollupEntry; parts: RollupPart[] }

/** Returns a rollup. Returns undefined if no block is large enough, or if the rows of the rollup would take too much
 *  room, because a replay is cheap in these cases. */
export function rollupOf(blocks: WrittenBlock[], id: number): Rollup | undefined {
  const last = blocks.findLastIndex(({ rollup }) => rollup !== null)
  if (last < 0) return undefined
  const covered = blocks.slice(0, last + 1)
  const first = covered[0]!.entry
  const end = covered[last]!.entry
  const bookCount = Math.max(...covered.map(({ rollup }) => rollup?.rows.length ?? 0))
  const seconds = Array.from({ length: bookCount }, (_, book) =>
    joinRows(
      covered.map(({ rollup }) => rollup?.rows[book]),
      1,
      1,
    ),
  )
  const blockBytes = covered.reduce((sum, { entry }) => sum + entry.bytes, 0)
  const recordCount = end.firstRecord + end.recordCount - first.firstRecord
  const { openMs } = covered[last]!.rollup!
  const minutes = minutesOf(seconds)
  return rollupFrom({ id, firstRecord: first.firstRecord, recordCount, openMs, blockBytes, seconds, minutes })
}

/** Joins several consecutive rollups into one. Returns undefined in the same cases as `rollupOf`. */
export function joinRollups(
  entries: RollupEntry[],
  { id, blockBytes }: { id: number; blockBytes: number },
  bytes: (part: PartId) => Uint8Array,
): Rollup | undefined {
  const rowsOf = (kind: 'seconds' | 'minutes', book: number) =>
    entries.map((entry) => {
      const count = entry[kind]?.[book] ?? 0
      return count === 0 ? undefined : decodeRollup(bytes({ kind, id: entry.id, book }))
    })
  const bookCount = Math.max(...entries.map(({ minutes }) => minutes.length))
  const books = Array.from({ length: bookCount }, (_, book) => book)
  const hasSeconds = entries.every(({ seconds }) => seconds !== null)
  const seconds = hasSeconds ? books.map((book) => joinRows(rowsOf('seconds', book), 1, 1)) : null
  const minutes = books.map((book) => joinRows(rowsOf('minutes', book), 60, 60))
  const { firstRecord } = entries[0]!
  const recordCount = entries.reduce((sum, entry) => sum + entry.recordCount, 0)
  const { openMs } = entries.at(-1)!
  return rollupFrom({ id, firstRecord, recordCount, openMs, blockBytes, seconds, minutes })
}

/** Returns how many of the first rollups to join: 0 while there are few. Only rollups that end by the record `end`
 *  count, since the blocks after that record may still be joined. */
export function rollupsToJoin(entries: RollupEntry[], end: number): number {
  let count = 0
  let next = entries[0]?.firstRecord
  for (const { firstRecord, recordCount } of entries) {
    if (firstRecord !== next || firstRecord + recordCount > end) break
    next = firstRecord + recordCount
    count++
  }
  return count >= ROLLUPS_MAX ? count : 0
}

export function partsOf({ id, minutes, seconds }: RollupEntry): PartId[] {
  const of = (kind: 'minutes' | 'seconds', counts: number[]) =>
    counts.flatMap((count, book): PartId[] => (count === 0 ? [] : [{ kind, id, book }]))
  return [...of('minutes', minutes), ...of('seconds', seconds ?? [])]
}

const minutesOf = (seconds: BucketColumns[]): BucketColumns[] => seconds.map((rows) => joinRows([rows], 60, 1))

type Rows = {
  id: number
  firstRecord: number
  recordCount: number
  openMs: number[]
  blockBytes: number
  seconds: BucketColumns[] | null
  minutes: BucketColumns[]
}

function rollupFrom({ id, firstRecord, recordCount, openMs, blockBytes, ...rows }: Rows): Rollup | undefined {
  const minuteParts = encoded('minutes', id, rows.minutes)
  const room = blockBytes * SHARE_MAX - sizeOf(minuteParts)
  if (room < 0) return undefined
  const secondParts = rows.seconds === null ? [] : encoded('seconds', id, rows.seconds)
  const hasSeconds = rows.seconds !== null && sizeOf(secondParts) <= room
  const counts = (of: BucketColumns[]) => of.map(({ count }) => count)
  return {
    entry: {
      id,
      firstRecord,
      recordCount,
      minutes: counts(rows.minutes),
      seconds: hasSeconds ? counts(rows.seconds!) : null,
      openMs,
    },
    parts: hasSeconds ? [...minuteParts, ...secondParts] : minuteParts,
  }
}

const encoded = (kind: 'minutes' | 'seconds', id: number, books: BucketColumns[]): RollupPart[] =>
  books.flatMap((rows, book) => (rows.count === 0 ? [] : [{ kind, id, book, content: encodeRollup(rows) }]))

const sizeOf = (parts: RollupPart[]): number => parts.reduce((sum, { content }) => sum + content.length, 0)
