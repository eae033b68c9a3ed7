// Goal: buckets tile every day from midnight on, without a hole or an overlap, at any resolution.

import { describe, expect, test } from 'bun:test'
import { DAY_MS } from '../../storage/units.ts'
import { Random } from '../synthetic/random.ts'
import { BucketGrid } from './bucket-grid.ts'

const MIDNIGHT = Date.parse('2026-08-10')

describe('BucketGrid', () => {
  test.each([1, 7, 60, 3_600, 3_599, 86_400, 50_000])('at %d s tiles the days', (resolution) => {
    const grid = new BucketGrid(resolution)
    const random = new Random(resolution, 'grid')
    for (let i = 0; i < 500; i++) {
      const timeMs = MIDNIGHT + random.below(3 * DAY_MS)
      const number = grid.numberAt(timeMs)
      const [startMs, endMs] = [grid.startMs(number), grid.endMs(number)]
      expect(startMs <= timeMs && timeMs < endMs).toBe(true)
      expect(grid.numberAt(startMs)).toBe(number)
      expect(grid.numberAt(endMs)).toBe(number + 1)
      expect(endMs - startMs).toBeLessThanOrEqual(resolution * 1_000)
      const firstMs = grid.startMs(grid.firstFrom(timeMs))
      expect(firstMs >= timeMs && firstMs - timeMs < resolution * 1_000).toBe(true)
    }
  })

  test('restarts each midnight: the last bucket of a day may be shorter', () => {
    const grid = new BucketGrid(7)
    const last = grid.numberAt(MIDNIGHT - 1)
    expect(grid.endMs(last)).toBe(MIDNIGHT)
    expect(grid.endMs(last) - grid.startMs(last)).toBe((86_400 % 7) * 1_000)
    expect(grid.startMs(last + 1)).toBe(MIDNIGHT)
  })
})
