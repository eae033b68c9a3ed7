// Rows of several runs come out by time; rows of equal times in the order of the runs.

import { expect, test } from 'bun:test'
import { Random } from '../../synthetic/random.ts'
import type { Slice } from './columns.ts'
import { merge, RowCursor } from './merged-rows.ts'

type Times = { times: Float64Array; run: number }
const slice = (run: number, firstRow: number, times: number[], start = 0): Slice<Times> => ({
  columns: { times: Float64Array.from([...Array<number>(start).fill(-1), ...times]), run },
  ...{ firstRow, start, end: start + times.length },
})
const cursor = (...slices: Slice<Times>[]) => new RowCursor(slices.values(), ({ times }) => times)

test.each([1, 2, 3])('random runs of several slices, seed %d', (seed) => {
  const random = new Random(seed, 'merge')
  const runs = Array.from({ length: 4 }, () =>
    Array.from({ length: 1 + random.below(20) }, () => random.below(9)).sort((a, b) => a - b),
  )
  const cursors = runs.map((times, run) => {
    const cut = 1 + random.below(times.length)
    const rest = times.slice(cut)
    return cursor(slice(run, 0, times.slice(0, cut), 2), ...(rest.length > 0 ? [slice(run, cut, rest)] : []))
  })
  const found: number[][] = []
  merge(cursors, ({ columns, firstRow, start }, row) =>
    found.push([columns.times[row]!, columns.run, firstRow + row - start]),
  )
  const expected = runs.flatMap((times, run) => times.map((time, row) => [time, run, row]))
  expect(found).toEqual(expected.sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!))
})

test('a slice whose rows have an order of their own', () => {
  const rows: number[] = []
  const turned = new RowCursor(
    [slice(0, 0, [5, 1, 3], 1)].values(),
    ({ times }) => times,
    () => Uint32Array.of(1, 2, 0),
  )
  merge([turned], ({ columns }, row) => rows.push(columns.times[row]!))
  expect(rows).toEqual([1, 3, 5])
})
