// Levels of detail: windows cover what is shown, are aligned, and few are needed.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  COLUMNS,
  coarserOf,
  priceStepFor,
  RESOLUTIONS_MS,
  resolutionFor,
  windowsOf,
} from '../../../explorer/data/level-of-detail.ts'

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

test('the coarser window holds the finer one, and there is none beyond a day', () => {
  for (const resolutionMs of RESOLUTIONS_MS) {
    const [window] = windowsOf(1_784_548_800_000, 1_784_548_800_001, resolutionMs)
    const coarser = coarserOf(window!)
    if (resolutionMs >= 60_000) expect(coarser).toBeUndefined()
    else {
      expect(coarser!.startMs).toBeLessThanOrEqual(window!.startMs)
      expect(coarser!.endMs).toBeGreaterThanOrEqual(window!.endMs)
    }
  }
})

test('a row is a pixel high or more', () => {
  expect(priceStepFor(1, 420)).toBe(0.0025)
  expect(priceStepFor(0.1, 420)).toBe(0.001)
  expect(priceStepFor(1, 50)).toBe(0.05)
})
