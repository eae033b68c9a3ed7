// Finds the cell of a depth map under the pointer.

import { expect, test } from 'bun:test'
import type { DepthWindow } from '../../data/depth-window.ts'
import { cellAt } from './cell.ts'

const WINDOW: DepthWindow = {
  ...{ startMs: 1_000, endMs: 1_400, resolutionMs: 100, columns: 4, priceStep: 0.01 },
  prices: Float64Array.of(0.4, 0.41, 0.5),
  sizes: Float32Array.of(5, 5, 5, 0, 1, 2, 2, 2, -3, -3, -3, -3),
  known: [
    [0, 1],
    [3, 3],
  ],
}
const at = (ms: number, dollars: number) => cellAt(WINDOW, ms, dollars, { tickAt: () => 0.01, tick: null })

test('a cell has its size, its times, its prices, and the start of its run', () => {
  expect(at(1_250, 0.4001)).toMatchObject({ size: 5, fromMs: 1_200, toMs: 1_300, sinceMs: 1_000, low: 0.4 })
  expect(at(1_350, 0.4101)).toMatchObject({ size: 2, fromMs: 1_300, sinceMs: 1_100, low: 0.41 })
  expect(at(1_000, 0.4101)).toMatchObject({ size: 1, sinceMs: 1_000 })
  expect(at(1_000, 0.5001)?.size).toBe(-3)
})

test('between the rows nothing rests, and a column may be unknown', () => {
  const empty = at(1_000, 0.4501)
  expect([empty?.size, empty?.low.toFixed(2), empty?.high.toFixed(2)]).toEqual([0, '0.45', '0.46'])
  expect(at(1_000, 0.1001)?.size).toBe(0)
  expect([1_000, 1_199, 1_200, 1_300].map((ms) => at(ms, 0.4001)?.isKnown)).toEqual([true, true, false, true])
})

test('returns no cell outside the window', () => {
  expect([at(999, 0.4), at(1_400, 0.4)]).toEqual([undefined, undefined])
  expect(at(1_399, 0.4)).toBeDefined()
})
