// Finds the tick of a market, which may depend on the price.

import { expect, test } from 'bun:test'
import { NO } from '../state/view.ts'
import { centDecimals, smallestTick, tickAt, ticksOf, yesTicksOf } from './ticks.ts'

const RANGES = [
  { start: 0, end: 0.1, step: 0.001 },
  { start: 0.1, end: 0.9, step: 0.01 },
  { start: 0.9, end: 1, step: 0.002 },
]
const book = (asset: string | null) => ({ venue: 'kalshi', market: 'KX', asset }) as const

test('price ranges take precedence over the single tick; without both the tick is unknown', () => {
  expect(yesTicksOf({ tick_size: 0.05, price_ranges: RANGES })).toEqual(RANGES)
  expect(yesTicksOf({ tick_size: 0.05, price_ranges: [] })).toEqual([{ start: 0, end: 1, step: 0.05 }])
  expect([yesTicksOf({ tick_size: null, price_ranges: null }), yesTicksOf(null)]).toEqual([[], []])
})

test('the No side of a market has the mirrored ranges of Yes', () => {
  const info = { tick_size: null, price_ranges: RANGES }
  expect(ticksOf(book(null), info)).toEqual(RANGES)
  expect(ticksOf(book(NO), info)).toEqual([
    { start: 0, end: 0.1, step: 0.002 },
    { start: 0.1, end: 0.9, step: 0.01 },
    { start: 0.9, end: 1, step: 0.001 },
  ])
})

test('at a boundary the tick is that of the range that begins there; at 1 it is that of the last range', () => {
  expect([0, 0.05, 0.1, 0.3 - 0.2, 0.5, 0.9, 1].map((price) => tickAt(RANGES, price))).toEqual([
    ...[0.001, 0.001, 0.01, 0.01, 0.01, 0.002, 0.002],
  ])
  expect(tickAt([], 0.5)).toBeNull()
})

test('the smallest tick of the ranges in view', () => {
  expect(smallestTick(RANGES, { low: 0, high: 1 })).toBe(0.001)
  expect(smallestTick(RANGES, { low: 0.1, high: 0.9 })).toBe(0.01)
  expect(smallestTick(RANGES, { low: 0.5, high: 0.95 })).toBe(0.002)
  expect(smallestTick([], { low: 0, high: 1 })).toBeNull()
})

test('prices have as many decimals of a cent as the tick needs', () => {
  expect([0.05, 0.01, 0.005, 0.001, 0.0005, null].map(centDecimals)).toEqual([0, 0, 1, 1, 2, 1])
})
