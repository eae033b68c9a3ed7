// Tests an axis of time with folds. Each instant has one place, in the order of time. A view that is moved and moved
// back is the same.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { tickStepMs, ticksMs } from '../charts/base/time-ticks.ts'
import { DAY_MS } from './shown.ts'
import {
  foldAt,
  foldsOf,
  foldText,
  instantIn,
  lengthOf,
  panned,
  partsOf,
  shareOf,
  unfolded,
  zoomed,
} from './time-axis.ts'

const START_MS = Date.parse('2026-08-01T00:00:00Z')
const at = (text: string) => Date.parse(`2026-08-${text}Z`)
const datesOf = (days: readonly number[]) =>
  days.map((day) => ({
    date: new Date(START_MS + day * DAY_MS).toJSON().slice(0, 10),
    ...{ first_timestamp: 0, last_timestamp: 0 },
  }))
const stored = fc.uniqueArray(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 30 }).map((days) => {
  days.sort((a, b) => a - b)
  return foldsOf(datesOf(days))
})
const instant = fc.integer({ min: START_MS - 5 * DAY_MS, max: START_MS + 705 * DAY_MS })
const span = fc
  .tuple(instant, instant)
  .filter(([a, b]) => Math.abs(a - b) >= 1_000)
  .map(([a, b]) => ({ fromMs: Math.min(a, b), toMs: Math.max(a, b) }))
const axis = fc.tuple(span, stored).map(([shown, folds]) => ({ ...shown, folds }))

/** The first two dates, the ninth, and the twentieth. */
const FOLDS = foldsOf(datesOf([0, 1, 8, 19]))
const ALL = { fromMs: START_MS, toMs: START_MS + 20 * DAY_MS, folds: FOLDS }

test('folds are the dates between stored dates, and their width is a share of the stored dates', () => {
  expect(FOLDS).toEqual([
    { fromMs: at('03T00:00:00'), toMs: at('09T00:00:00'), lengthMs: 0.08 * DAY_MS },
    { fromMs: at('10T00:00:00'), toMs: at('20T00:00:00'), lengthMs: 0.08 * DAY_MS },
  ])
  expect(FOLDS.map(foldText)).toEqual(['nothing stored for 6 days', 'nothing stored for 10 days'])
  expect(lengthOf(ALL)).toBeCloseTo(4.16 * DAY_MS, 3)
  // One missing date among many takes a quarter of its length.
  const [first] = foldsOf(datesOf([...Array(60).keys()].filter((day) => day !== 30)))
  expect(first).toMatchObject({ lengthMs: DAY_MS / 4 })
  expect(foldText(first!)).toBe('nothing stored for 1 day')
  expect([foldsOf([]), foldsOf(datesOf([3])), foldsOf(datesOf([3, 4, 5]))]).toEqual([[], [], []])
})

test('an instant leads to its place and back', () => {
  fc.assert(
    fc.property(axis, instant, (shown, ms) => {
      const fold = foldAt(shown, ms)
      // A millisecond within a fold takes only a small part of a millisecond on the axis.
      const pace = fold === undefined ? 1 : (fold.toMs - fold.fromMs) / fold.lengthMs
      expect(Math.abs(instantIn(shown, shareOf(shown, ms)) - ms)).toBeLessThanOrEqual(1 + pace / 500)
    }),
  )
})

test('later instants are further to the right', () => {
  fc.assert(
    fc.property(axis, instant, instant, (shown, a, b) => {
      fc.pre(Math.abs(a - b) > 1_000)
      expect(shareOf(shown, a) < shareOf(shown, b)).toBe(a < b)
      expect([shareOf(shown, shown.fromMs), shareOf(shown, shown.toMs)]).toEqual([0, 1])
    }),
  )
})

test('a stretch without folds has its real length', () => {
  fc.assert(
    fc.property(span, instant, (shown, ms) => {
      expect(lengthOf(shown)).toBe(shown.toMs - shown.fromMs)
      expect(shareOf(shown, ms)).toBe((ms - shown.fromMs) / (shown.toMs - shown.fromMs))
    }),
  )
})

test('a view that is moved and moved back, or zoomed in and out again, is the same', () => {
  fc.assert(
    fc.property(axis, fc.double({ min: -2, max: 2, noNaN: true }), (shown, share) => {
      const { folds } = shown
      const near = (ms: number, other: number) => {
        const fold = foldAt(shown, other)
        const pace = fold === undefined ? 1 : (fold.toMs - fold.fromMs) / fold.lengthMs
        // The ends of the moved view are whole ms. Each is up to half a ms off on the axis, so the length is up to 1 ms
        // off, and twice that at a share of 2.
        expect(Math.abs(ms - other)).toBeLessThanOrEqual(2.5 * pace + 1)
      }
      const moved = { ...panned(shown, share), folds }
      const back = panned({ ...moved }, -share)
      near(back.fromMs, shown.fromMs)
      near(back.toMs, shown.toMs)
      expect(Math.abs(lengthOf(moved) - lengthOf(shown))).toBeLessThanOrEqual(2)
    }),
  )
  const middle = instantIn(ALL, 0.5)
  const half = { ...zoomed(ALL, 0.5, middle), folds: FOLDS }
  expect(lengthOf(half)).toBeCloseTo(lengthOf(ALL) / 2, -1)
  expect(shareOf(half, middle)).toBeCloseTo(0.5, 6)
  const { fromMs, toMs } = zoomed(half, 2, middle)
  expect([Math.abs(fromMs - ALL.fromMs), Math.abs(toMs - ALL.toMs)].every((off) => off <= 2)).toBe(true)
})

test('marks are at the ends of folds, never inside one, and never close together', () => {
  fc.assert(
    fc.property(axis, fc.integer({ min: 200, max: 2_000 }), (shown, widthPx) => {
      const stepMs = tickStepMs(lengthOf(shown), widthPx, 96)
      const ticks = ticksMs(shown, stepMs)
      expect(ticks.every((ms) => foldAt(shown, ms) === undefined)).toBe(true)
      const places = ticks.map((ms) => shareOf(shown, ms) * lengthOf(shown))
      expect(places.slice(1).every((place, i) => place - places[i]! >= 0.89 * stepMs)).toBe(true)
    }),
  )
  expect(ticksMs(ALL, DAY_MS)).toEqual(['01', '02', '09', '20', '21'].map((day) => at(`${day}T00:00:00`)))
})

test('requests no window inside a fold, but windows that reach beyond it', () => {
  const window = (from: string, to: string) => ({ startMs: at(`${from}T00:00:00`), endMs: at(`${to}T00:00:00`) })
  const windows = [window('02', '03'), window('03', '04'), window('08', '09'), window('02', '17'), window('05', '11')]
  expect(unfolded(windows, ALL)).toEqual([windows[0]!, windows[3]!, windows[4]!])
  expect(unfolded(windows, { fromMs: 0, toMs: 1 })).toEqual(windows)
  expect(partsOf(ALL).map(({ fromMs, toMs }) => (toMs - fromMs) / DAY_MS)).toEqual([2, 1, 1])
  expect(partsOf({ ...ALL, fromMs: at('04T00:00:00'), toMs: at('05T00:00:00') })).toEqual([])
})
