// Tests levels of detail: windows cover the view and are aligned, and few are needed.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  COLUMNS,
  candleFor,
  neighboursOf,
  priceStepFor,
  RESOLUTIONS_MS,
  resolutionFor,
  windowsOf,
} from './level-of-detail.ts'

const span = fc.record({
  fromMs: fc.integer({ min: 1.6e12, max: 1.8e12 }),
  spanMs: fc.integer({ min: 1_000, max: 86_400_000 }),
  widthPx: fc.integer({ min: 200, max: 3_840 }),
})

test('windows cover what is shown without a hole, aligned, and at most seven of them', () => {
  fc.assert(
    fc.property(span, ({ fromMs, spanMs, widthPx }) => {
      const resolutionMs = resolutionFor(spanMs, widthPx)
      const windows = windowsOf(fromMs, fromMs + spanMs, resolutionMs)
      expect(windows[0]!.startMs).toBeLessThanOrEqual(fromMs)
      expect(windows.at(-1)!.endMs).toBeGreaterThanOrEqual(fromMs + spanMs)
      for (const [i, window] of windows.entries()) {
        expect(window.endMs - window.startMs).toBe(COLUMNS * resolutionMs)
        expect(window.startMs % (COLUMNS * resolutionMs)).toBe(0)
        if (i > 0) expect(window.startMs).toBe(windows[i - 1]!.endMs)
      }
      expect(windows.length).toBeLessThanOrEqual(7)
    }),
  )
})

test('a day on an ordinary screen is one window of minutes', () => {
  expect(resolutionFor(86_400_000, 1_200)).toBe(60_000)
  expect(windowsOf(1_784_505_600_000, 1_784_592_000_000, 60_000)).toHaveLength(1)
})

test('the neighbours of the shown windows are the next ones, on the side that the view moves to', () => {
  for (const resolutionMs of RESOLUTIONS_MS) {
    const shown = windowsOf(1_784_548_800_000, 1_784_548_800_001, resolutionMs)
    const [before, after] = neighboursOf(shown, 0)
    expect(before!.endMs).toBe(shown[0]!.startMs)
    expect(after!.startMs).toBe(shown[0]!.endMs)
    expect(neighboursOf(shown, -1)).toEqual([before!])
    expect(neighboursOf(shown, 1)).toEqual([after!])
    expect(windowsOf(after!.startMs, after!.endMs, resolutionMs)).toEqual([after!])
  }
})

test('a row is a pixel high or more, and a whole number of ticks', () => {
  const steps = fc.record({
    span: fc.double({ min: 0.004, max: 1, noNaN: true }),
    heightPx: fc.integer({ min: 100, max: 1_000 }),
    tick: fc.constantFrom(0.0001, 0.001, 0.005, 0.01),
  })
  fc.assert(
    fc.property(steps, ({ span, heightPx, tick }) => {
      const step = priceStepFor(span, heightPx, tick)
      expect(span / step).toBeLessThanOrEqual(heightPx)
      expect(Math.abs(step / tick - Math.round(step / tick))).toBeLessThan(1e-6)
      expect(step).toBeGreaterThanOrEqual(0.0005)
    }),
  )
  expect(priceStepFor(0.2, 420, 0.01)).toBe(0.01)
  expect(priceStepFor(0.2, 420, 0.001)).toBe(0.001)
  expect(priceStepFor(1, 420, 0.001)).toBe(0.005)
  expect(priceStepFor(1, 420, null)).toBe(0.005)
})

test('candles are wide enough to distinguish', () => {
  expect(candleFor(86_400_000, 1_200)).toBe(900_000)
  expect(candleFor(900_000, 1_200)).toBe(15_000)
  expect(candleFor(60_000, 1_200)).toBe(1_000)
})
