// Lists segments by their rows, and marks keys that no commit may name any more.

import { below } from '../../rows/keys.ts'
import { ALL_ROWS, commitPlanned, pagesOf, type Rows, revisionOf } from '../../rows/rows.ts'
import type { Write } from '../../rows/shared-rows.ts'
import {
  openSegment,
  openTotals,
  openUnnamed,
  type SegmentTotals,
  sealSegment,
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
      const { bytes, count } = openSegment(key, value)
      if (count > 0) yield { key: segmentIn(key), bytes }
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

/** Returns the given keys that have no row, or that are marked. */
export async function unknownKeys(rows: Rows, keys: readonly string[]): Promise<string[]> {
  const stored = await rows.get([...keys.map(segmentKey), ...keys.map(unnamedKey)], true)
  return keys.filter((key, at) => {
    const value = stored[at]
    return value === undefined
      ? stored[keys.length + at] === undefined
      : openSegment(segmentKey(key), value).count === 0
  })
}

/** Marks the given keys that have no row. Resolves to the keys that are marked now. */
export async function markKeys(rows: Rows, keys: readonly string[], nowMs: number): Promise<string[]> {
  let marked: string[] = []
  await commitPlanned(rows, async () => {
    marked = await unknownKeys(rows, keys)
    const stored = await rows.get(marked.map(segmentKey), true)
    const write: Write = { expect: [], put: [], remove: [] }
    for (const key of marked.filter((_, at) => stored[at] === undefined).map(segmentKey)) {
      write.expect.push({ key, revision: revisionOf(undefined) })
      write.put.push({ key, value: sealSegment(key, { bytes: 0, count: 0, markedMs: nowMs }) })
    }
    return write.put.length === 0 ? null : write
  })
  return marked
}

/** Removes the rows of segments that no partition names. */
export async function forgetSegments(rows: Rows, keys: readonly string[]): Promise<void> {
  await rows.commit({ expect: [], put: [], remove: keys.map(unnamedKey) })
}

/** Removes the marks that were set at `beforeMs` or earlier. */
export async function forgetMarks(rows: Rows, beforeMs: number): Promise<void> {
  for await (const page of pagesOf(rows, below('o'), ROWS_A_PAGE)) {
    const old = page.filter(({ key, value }) => {
      const { count, markedMs } = openSegment(key, value)
      return count === 0 && markedMs <= beforeMs
    })
    if (old.length > 0) await rows.commit({ expect: [], put: [], remove: old.map(({ key }) => key) })
  }
}
