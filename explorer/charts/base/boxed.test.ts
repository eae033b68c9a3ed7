// A box selects the same time and prices from whichever corner it is drawn.

import { expect, test } from 'bun:test'
import { boxed } from './boxed.ts'

const T0 = Date.parse('2026-08-10T12:00:00Z')
const PLOT = {
  ...{ left: 0, top: 0, width: 1_000, height: 400 },
  fromMs: T0,
  toMs: T0 + 100_000,
  low: 0.2,
  high: 0.6,
  ratio: 1,
}

test('spans the time and prices between its corners, in any order', () => {
  const shown = { span: { fromMs: T0 + 20_000, toMs: T0 + 50_000 }, prices: { low: 0.3, high: 0.5 } }
  const [left, right, top, bottom] = [200, 500, 100, 300]
  expect(boxed(PLOT, { x: left, y: top }, { x: right, y: bottom })).toEqual(shown)
  expect(boxed(PLOT, { x: right, y: top }, { x: left, y: bottom })).toEqual(shown)
  expect(boxed(PLOT, { x: right, y: bottom }, { x: left, y: top })).toEqual(shown)
})

test('a box that is too small is widened to the smallest range', () => {
  const { span, prices } = boxed(PLOT, { x: 500, y: 200 }, { x: 504, y: 201 })
  expect(span).toEqual({ fromMs: T0 + 49_700, toMs: T0 + 50_700 })
  expect(prices.high - prices.low).toBeCloseTo(0.004, 6)
  expect((prices.high + prices.low) / 2).toBeCloseTo(0.3995, 3)
})

test('a box over a fold spans the time under it', () => {
  const folds = [{ fromMs: T0 + 40_000, toMs: T0 + 140_000, lengthMs: 20_000 }]
  const { span } = boxed({ ...PLOT, toMs: T0 + 180_000, folds }, { x: 200, y: 0 }, { x: 800, y: 400 })
  expect(span).toEqual({ fromMs: T0 + 20_000, toMs: T0 + 160_000 })
})
