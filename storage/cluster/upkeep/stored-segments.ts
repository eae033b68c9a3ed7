// Lists segments by their rows.

import { below } from '../../rows/keys.ts'
import { ALL_ROWS, pagesOf, type Rows } from '../../rows/rows.ts'
import {
  openSegment,
  openTotals,
  openUnnamed,
  type SegmentTotals,
  segmentIn,
  segmentKey,
  unnamedKey,
} from '../segment/segment-rows.ts'

const ROWS_A_PAGE = 10_000

export type ListedSegment = { key: string; bytes: number }

/** Iterates over the segments that partitions name, ascending by key. */
export async function* namedSegments(rows: Rows): AsyncGenerator<ListedSegment> {
  for await (const page of pagesOf(rows, below('o'), ROWS_A_PAGE)) {
    for (const { key, value } of page) {
      yield { key: segmentIn(key), bytes: openSegment(key, value).bytes }
    }
  }
}

/** Iterates over the segments that no partition has named since `beforeMs`, in pages, ascending by key. */
export async function* unnamedSegments(
  rows: Rows,
  beforeMs: number,
  limit = ROWS_A_PAGE,
): AsyncGenerator<ListedSegment[]> {
  for await (const page of pagesOf(rows, below('q'), limit)) {
    const all = page.map(({ key, value }) => ({ key: segmentIn(key), ...openUnnamed(key, value) }))
    const old = all.filter(({ sinceMs }) => sinceMs <= beforeMs)
    if (old.length > 0) yield old.map(({ key, bytes }) => ({ key, bytes }))
  }
}

/** Returns the count and the bytes of the segments that partitions name. */
export async function segmentTotals(rows: Rows): Promise<SegmentTotals> {
  const shards = await rows.range({ ...below('y'), limit: ALL_ROWS })
  const sum = { segments: 0, bytes: 0 }
  for (const { key, value } of shards) {
    const { segments, bytes } = openTotals(key, value)
    sum.segments += segments
    sum.bytes += bytes
  }
  return sum
}

/** Returns the given keys that have no row. */
export async function unknownKeys(rows: Rows, keys: readonly string[]): Promise<string[]> {
  const stored = await rows.get([...keys.map(segmentKey), ...keys.map(unnamedKey)], true)
  return keys.filter((_, at) => stored[at] === undefined && stored[keys.length + at] === undefined)
}

/** Removes the rows of segments that no partition names. */
export async function forgetSegments(rows: Rows, keys: readonly string[]): Promise<void> {
  await rows.commit({ expect: [], put: [], remove: keys.map(unnamedKey) })
}
