// Tests rollups of written blocks: which are small enough to store, and when several become one.

import { expect, test } from 'bun:test'
import type { RollupEntry } from '../../storage/format/partition-head.ts'
import { BucketBuilder } from '../summary/bucket-builder.ts'
import { BucketColumns } from '../summary/bucket-columns.ts'
import { BucketGrid } from '../summary/bucket-grid.ts'
import { decodeRollup } from '../summary/rollup-codec.ts'
import type { WrittenBlock } from './partition-writer.ts'
import { joinRollups, partsOf, ROLLUPS_MAX, rollupOf, rollupsToJoin } from './rollups.ts'

const START = Date.parse('2026-08-10T12:00:00Z')
const ALWAYS = { fromMs: 0, toMs: Number.POSITIVE_INFINITY }

function rowsOf(...seconds: number[]): BucketColumns {
  const builder = new BucketBuilder(new BucketGrid(1), ALWAYS, new BucketColumns(4))
  for (const second of seconds)
    builder.quoteAt(START + 1_000 * second, { bid: second, bidSize: 1, ask: -1, askSize: 0 })
  return builder.finish()
}
const written = (index: number, bytes: number, rows: (BucketColumns | undefined)[] | null) =>
  ({
    entry: { firstRecord: 100 * index, recordCount: 100, bytes },
    rollup: rows && { rows, openMs: [START + index] },
  }) as WrittenBlock
const entry = (firstRecord: number, recordCount: number) => ({ firstRecord, recordCount }) as RollupEntry

test('seconds and minutes of each book, over the blocks up to the last one with rows', () => {
  const blocks = [
    written(0, 50_000, [rowsOf(0, 1, 61)]),
    written(1, 50_000, [rowsOf(61, 62), rowsOf(5)]),
    written(2, 10, null),
  ]
  const { entry, parts } = rollupOf(blocks, 7)!
  expect(entry).toEqual({
    id: 7,
    firstRecord: 0,
    recordCount: 200,
    minutes: [2, 1],
    seconds: [4, 1],
    openMs: [START + 1],
  })
  expect(parts.map(({ kind, id, book }) => [kind, id, book])).toEqual([
    ['minutes', 7, 0],
    ['minutes', 7, 1],
    ['seconds', 7, 0],
    ['seconds', 7, 1],
  ])
  const rows = decodeRollup(parts[2]!.content)
  expect([[...rows.quoteCounts.subarray(0, 4)], rows.bids[2]]).toEqual([[1, 1, 2, 1], 61])
  expect(partsOf({ ...entry, minutes: [2, 0] })).toHaveLength(3)
})

test('rollups of seconds are left out if they are too large, and so are all rollups', () => {
  const many = written(0, 3_000, [rowsOf(...Array.from({ length: 200 }, (_, i) => i * 7))])
  const large = rollupOf([{ ...many, entry: { ...many.entry, bytes: 1_000_000 } }], 1)!
  const [minuteBytes] = large.parts.map(({ content }) => content.length)
  const bytesOf = (bytes: number) => rollupOf([{ ...many, entry: { ...many.entry, bytes } }], 1)
  expect(large.entry.seconds).toEqual([200])
  expect(bytesOf(10 * minuteBytes! + 10)!.entry.seconds).toBeNull()
  expect(bytesOf(10 * minuteBytes! - 10)).toBeUndefined()
  expect(rollupOf([written(0, 9, null)], 1)).toBeUndefined()
})

test('joined rollups have the rows of all', () => {
  const [one, other] = [[written(0, 50_000, [rowsOf(0, 59)])], [written(1, 50_000, [rowsOf(59, 61), rowsOf(3)])]].map(
    (blocks, i) => rollupOf(blocks, i)!,
  )
  const bytes = ({ kind, id, book }: { kind: string; id: number; book: number }) =>
    [...one!.parts, ...other!.parts].find((part) => part.kind === kind && part.id === id && part.book === book)!.content
  const joined = joinRollups([one!.entry, other!.entry], { id: 9, blockBytes: 100_000 }, bytes)!
  expect(joined.entry).toEqual({
    id: 9,
    firstRecord: 0,
    recordCount: 200,
    minutes: [2, 1],
    seconds: [3, 1],
    openMs: [START + 1],
  })
  const without = joinRollups([{ ...one!.entry, seconds: null }, other!.entry], { id: 9, blockBytes: 100_000 }, bytes)!
  expect(without.entry.seconds).toBeNull()
})

test('eight consecutive ones that will not change are joined', () => {
  const all = Array.from({ length: ROLLUPS_MAX + 1 }, (_, i) => entry(100 * i, 100))
  expect(rollupsToJoin(all, 10_000)).toBe(ROLLUPS_MAX + 1)
  expect(rollupsToJoin(all, 100 * ROLLUPS_MAX)).toBe(ROLLUPS_MAX)
  expect(rollupsToJoin(all, 100 * ROLLUPS_MAX - 1)).toBe(0)
  expect(rollupsToJoin(all.toSpliced(3, 1), 10_000)).toBe(0)
  expect(rollupsToJoin([], 10_000)).toBe(0)
})
