// Converts times and values of a plot to pixels, and back.

import { expect, test } from 'bun:test'
import { msAt, msPerPixel, type Plot, valueAt, xOf, yOf } from './plot.ts'

const PLOT: Plot = {
  fromMs: 1_000,
  toMs: 2_000,
  left: 10,
  top: 20,
  width: 100,
  height: 50,
  low: 0.2,
  high: 0.7,
  ratio: 1,
}

test('the ends of a plot are its times and values', () => {
  expect([xOf(PLOT, 1_000), xOf(PLOT, 1_500), xOf(PLOT, 2_000), xOf(PLOT, 2_500)]).toEqual([10, 60, 110, 160])
  expect([yOf(PLOT, 0.7), yOf(PLOT, 0.2)]).toEqual([20, 70])
  expect([msAt(PLOT, 0), msAt(PLOT, 25), msAt(PLOT, 100)]).toEqual([1_000, 1_250, 2_000])
  expect([valueAt(PLOT, 0), valueAt(PLOT, 50)]).toEqual([0.7, 0.2])
  expect(msPerPixel(PLOT)).toBe(10)
})

test('a conversion to pixels and back gives the same time and value', () => {
  for (const ms of [1_000, 1_234, 1_999]) expect(msAt(PLOT, xOf(PLOT, ms) - PLOT.left)).toBeCloseTo(ms, 6)
  for (const value of [0.2, 0.345, 0.7]) expect(valueAt(PLOT, yOf(PLOT, value) - PLOT.top)).toBeCloseTo(value, 12)
})

test('a fold has its own length on the plot, however long it lasts', () => {
  const folds = [{ fromMs: 1_500, toMs: 10_500, lengthMs: 250 }]
  const folded = { ...PLOT, toMs: 11_000, folds }
  // The axis has 500 ms, the fold as 250 ms, and 500 ms again.
  expect(msPerPixel(folded)).toBe(12.5)
  expect([xOf(folded, 1_000), xOf(folded, 1_500), xOf(folded, 10_500), xOf(folded, 11_000)]).toEqual([10, 50, 70, 110])
  for (const ms of [1_250, 10_750]) expect(msAt(folded, xOf(folded, ms) - folded.left)).toBeCloseTo(ms, 6)
})
