// Tests the marks of the time axis.

import { expect, test } from 'bun:test'
import { tickStepMs, ticksMs, tickText } from './time-ticks.ts'

const HOUR = 3_600_000
const at = (time: string) => Date.parse(`2026-08-10T${time}Z`)

test('the step is the smallest whose marks are far enough apart', () => {
  // On 1,200 px, 24 hours have 50 px each.
  expect([50, 51, 100, 101, 150, 1].map((apart) => tickStepMs(24 * HOUR, 1_200, apart) / HOUR)).toEqual([
    ...[1, 2, 2, 3, 3, 1 / 30],
  ])
  expect(tickStepMs(1, 100, 90)).toBe(1)
  expect(tickStepMs(1e15, 100, 90)).toBe(28 * 24 * HOUR)
})

test('marks are multiples of the step, both ends included', () => {
  const span = { fromMs: at('10:00:00'), toMs: at('12:00:00') }
  expect(ticksMs(span, HOUR)).toEqual(['10:00:00', '11:00:00', '12:00:00'].map(at))
  expect(ticksMs({ fromMs: at('10:00:01'), toMs: at('11:59:59') }, HOUR)).toEqual([at('11:00:00')])
})

test('a fold has a mark at its end, and none within it or near its end', () => {
  const ticksOf = (lengthMs: number) => {
    const folds = [{ fromMs: at('10:10:00'), toMs: at('12:58:00'), lengthMs }]
    return ticksMs({ fromMs: at('10:00:00'), toMs: at('15:00:00'), folds }, HOUR)
  }
  expect(ticksOf(60_000)).toEqual(['12:58:00', '14:00:00', '15:00:00'].map(at))
  expect(ticksOf(6 * HOUR)).toEqual(['10:00:00', '12:58:00', '14:00:00', '15:00:00'].map(at))
})

test('a mark shows the time as precisely as the step, and the date at midnight', () => {
  const text = (ms: number, stepMs: number) => tickText(ms, stepMs, 'UTC')
  expect(text(at('12:30:00'), HOUR)).toBe('12:30')
  expect(text(at('00:00:00'), HOUR)).toBe('2026-08-10')
  expect(text(at('00:00:00'), 1_000)).toBe('00:00:00')
  expect(text(at('12:30:05.250'), 1_000)).toBe('12:30:05')
  expect(text(at('12:30:05.250'), 50)).toBe('12:30:05.250')
})
