// The rows of segments: the bytes of each segment, and the number of partitions that have pieces in it. Further rows
// are for segments in which no partition has pieces any more, and for totals.

import { keyOf, namesOf } from '../../rows/keys.ts'
import { type RowKey, revisionOf } from '../../rows/rows.ts'
import { openText, sealText } from '../../rows/sealed-rows.ts'
import type { Write } from '../../rows/shared-rows.ts'

/** `count` is the number of partitions that name the segment. */
export type SegmentRow = { bytes: number; count: number }
/** A segment that no partition has named since `sinceMs`. */
export type UnnamedRow = { bytes: number; sinceMs: number }
/** The totals of one shard, which may be negative. */
export type SegmentTotals = { segments: number; bytes: number }

export const segmentKey = (segment: string): RowKey => keyOf('o', segment)
export const unnamedKey = (segment: string): RowKey => keyOf('q', segment)
export const totalsKey = (shard: string): RowKey => keyOf('y', shard)
export const segmentIn = (key: RowKey): string => namesOf(key)[0]!

const seal = (key: RowKey, ...numbers: number[]): Uint8Array => sealText(key, numbers.join(' '))
const open = (key: RowKey, value: Uint8Array): number[] =>
  openText(key, value, ([name]) => `entry of the segment ${name}`)
    .split(' ')
    .map(Number)

export const sealSegment = (key: RowKey, { bytes, count }: SegmentRow): Uint8Array => seal(key, bytes, count)

/** Throws DataError('block_corrupt'), like every function here that opens a value. */
export function openSegment(key: RowKey, value: Uint8Array): SegmentRow {
  const [bytes, count] = open(key, value) as [number, number]
  return { bytes, count }
}

export function openUnnamed(key: RowKey, value: Uint8Array): UnnamedRow {
  const [bytes, sinceMs] = open(key, value) as [number, number]
  return { bytes, sinceMs }
}

/** Returns zeros if nothing is stored. */
export function openTotals(key: RowKey, value: Uint8Array | undefined): SegmentTotals {
  const [segments, bytes] = value === undefined ? [0, 0] : (open(key, value) as [number, number])
  return { segments, bytes }
}

/** The segment of a commit; `key` is null if the commit stores no pieces. */
export type NewSegment = { key: string | null; bytes: number; nowMs: number }

/** Counts how many partitions name each segment, within one planned commit. */
export class SegmentCounts {
  readonly #totals: RowKey
  readonly #changes = new Map<string, number>()

  /** `shard` is that of this process. */
  constructor(shard: string) {
    this.#totals = totalsKey(shard)
  }

  /** Records that a partition named the segments `before`, and now names the segments `after`. */
  change(before: readonly string[], after: readonly string[]): void {
    for (const segment of after) if (!before.includes(segment)) this.#add(segment, 1)
    for (const segment of before) if (!after.includes(segment)) this.#add(segment, -1)
  }

  /** Adds the changed rows to a commit. `stored` has the rows of the changed segments and of the totals. */
  finish(write: Write, stored: ReadonlyMap<RowKey, Uint8Array | undefined>, added: NewSegment): void {
    const before = stored.get(this.#totals)
    const totals = openTotals(this.#totals, before)
    const { segments } = totals
    for (const [segment, change] of this.#changes) {
      if (change === 0) continue
      const key = segmentKey(segment)
      const value = segment === added.key ? undefined : stored.get(key)
      // The row is missing if the day was read before a compaction moved its pieces out of the segment. The commit is
      // then refused, and planned again.
      if (value === undefined && segment !== added.key) continue
      const row = value === undefined ? { bytes: added.bytes, count: 0 } : openSegment(key, value)
      const count = row.count + change
      write.expect.push({ key, revision: revisionOf(value) })
      if (count > 0) {
        write.put.push({ key, value: sealSegment(key, { ...row, count }) })
        if (value === undefined) this.#count(totals, 1, row.bytes)
        continue
      }
      const unnamed = unnamedKey(segment)
      write.remove.push(key)
      write.put.push({ key: unnamed, value: seal(unnamed, row.bytes, added.nowMs) })
      this.#count(totals, -1, row.bytes)
    }
    if (totals.segments === segments && totals.bytes === openTotals(this.#totals, before).bytes) return
    write.expect.push({ key: this.#totals, revision: revisionOf(before) })
    write.put.push({ key: this.#totals, value: seal(this.#totals, totals.segments, totals.bytes) })
  }

  #count(totals: SegmentTotals, count: number, bytes: number): void {
    totals.segments += count
    totals.bytes += count * bytes
  }

  #add(segment: string, count: number): void {
    this.#changes.set(segment, (this.#changes.get(segment) ?? 0) + count)
  }
}
