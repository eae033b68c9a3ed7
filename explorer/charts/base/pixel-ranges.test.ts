// Finds the lowest and the highest value of each pixel. No peak is left out, and a pixel without a value has none.

import { expect, test } from 'bun:test'
import { pixelRanges } from './pixel-ranges.ts'

const PLOT = { left: 0, top: 0, width: 10, height: 100, fromMs: 0, toMs: 1_000, low: 0, high: 1, ratio: 1 }

test('a pixel shared by several buckets has their lowest and highest values', () => {
  const ranges = {
    times: [0, 40, 80, 120, 900],
    low: [0.4, 0.3, Number.NaN, 0.45, 0.5],
    high: [0.5, 0.4, Number.NaN, 0.9, 0.5],
    resolutionMs: 40,
  }
  expect(pixelRanges(PLOT, ranges, 1)).toEqual([0, 0.3, 0.5, 1, 0.45, 0.9, 9, 0.5, 0.5])
})

test('pixels of a dense screen are taken together', () => {
  const ranges = { times: [0, 100, 200], low: [0.4, 0.1, 0.3], high: [0.4, 0.2, 0.3], resolutionMs: 100 }
  expect(pixelRanges({ ...PLOT, width: 20 }, ranges, 4)).toEqual([0, 0.1, 0.4, 4, 0.3, 0.3])
})

test('a bucket that ends before the view or begins after it is left out', () => {
  const ranges = { times: [-300, 0, 1_200], low: [0.1, 0.2, 0.3], high: [0.1, 0.2, 0.3], resolutionMs: 100 }
  expect(pixelRanges(PLOT, ranges, 1)).toEqual([0, 0.2, 0.2])
})
