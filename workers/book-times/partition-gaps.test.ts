// Tests which stored gaps another recorder covers, and from which block on the marks of a partition change.

import { expect, test } from 'bun:test'
import type { BookTimes, GapEntry, PartitionHead } from '../../storage/format/partition-head.ts'
import { kalshiDelta, kalshiGap, received } from '../../test/model/lines.ts'
import { collectLines } from '../../test/support/collected.ts'
import { PartitionGaps } from './partition-gaps.ts'

const gap = (atMs: number, book: string | null, isCovered?: true): GapEntry => ({
  ...{ book, reason: 'lag', fromMs: atMs, toMs: atMs, atMs },
  ...(isCovered && { isCovered }),
})
const by = (recorder: string, book: string): BookTimes => ({
  ...{ recorder, book, snapshotsMs: [1], goesOnMs: null, gapsMs: [], lastChangeMs: 100 },
})
const blocks = [10, 20, 30].map((lastMs) => ({ lastMs }))
const headOf = (gaps: GapEntry[], ...ids: string[]) =>
  ({ gaps, blocks, books: ids.map((id) => ({ id })) }) as PartitionHead

test.each<[string, GapEntry[], number]>([
  ['no gap', [], 3],
  ['a gap that is marked already', [gap(15, 'A', true)], 3],
  ['a gap that is covered now', [gap(15, 'A')], 1],
  ['a gap that no longer is', [gap(25, 'B', true)], 2],
  ['the first of several', [gap(5, 'B'), gap(10, 'A'), gap(25, 'A')], 0],
])('%s: the first block to mark again', (_, gaps, expected) => {
  const heard = [by('r', 'A')]
  expect(new PartitionGaps(headOf(gaps, 'A', 'B'), { heard, bookIds: [] }, () => []).firstMarked).toBe(expected)
})

test('a gap of the market concerns the books of before, of the partition and of the capture', () => {
  const gapsOf = (...ids: string[]) => {
    const heard = ids.map((id) => by('r', id))
    return new PartitionGaps(headOf([], 'A'), { heard, bookIds: ['B'] }, () => ['C']).isCovered(gap(15, null))
  }
  expect(gapsOf('A', 'B', 'C')).toBe(true)
  for (const without of [
    ['B', 'C'],
    ['A', 'C'],
    ['A', 'B'],
  ])
    expect(gapsOf(...without)).toBe(false)
})

test('only a capture with gaps, among several recorders, may have covered gaps', () => {
  const lines = (...records: object[]) => records.map((record) => JSON.stringify(record))
  const [plain] = collectLines(lines(kalshiDelta(0, '0.5', '1')))
  const [withGap] = collectLines(lines(kalshiDelta(0, '0.5', '1'), received(1_000, kalshiGap(1_000))))
  const areIn = (of: typeof plain, heard: BookTimes[], before?: Partial<PartitionHead>) =>
    new PartitionGaps(before as PartitionHead, { heard, bookIds: [] }, () => []).areIn({ heard, blocks: of!.blocks })
  const two = [by('r', 'A'), by('s', 'A')]
  expect(areIn(withGap, two)).toBe(true)
  expect(areIn(plain, two)).toBe(false)
  expect(areIn(withGap, [by('r', 'A')])).toBe(false)
  expect(areIn(withGap, [by('r', 'A')], { heard: [by('s', 'A')] })).toBe(true)
})
