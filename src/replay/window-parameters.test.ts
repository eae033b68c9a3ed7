// The window of a replay excludes its start and includes its end, and a date means the whole day.

import { expect, test } from 'bun:test'
import { SPEED, windowIn } from './window-parameters.ts'

const NOON = Date.UTC(2026, 7, 10, 12)
const DAY = Date.UTC(2026, 7, 10)

test('moments are taken as they are, a date from before its first record', () => {
  expect(windowIn({ from: String(NOON), to: String(NOON + 5), speed: '2.5' })).toEqual({
    ...{ fromMs: NOON, toMs: NOON + 5, speed: 2.5 },
  })
  expect(windowIn({ from: '2026-08-10', to: '2026-08-10' })).toEqual({
    fromMs: DAY - 1,
    toMs: DAY + 86_399_999,
    speed: 1,
  })
})

test('an end that is not after the start is refused', () => {
  expect(() => windowIn({ from: String(NOON), to: String(NOON) })).toThrow(`must be after from, got "${NOON}"`)
})

test('a speed has at most three decimals', () => {
  const takes = ['0', '1', '10000', '0.125'].map((text) => SPEED.speed.matches?.(text))
  const refuses = ['10001', '0.1234', '-1', '1e3', '', ' 1'].map((text) => SPEED.speed.matches?.(text))
  expect([new Set(takes), new Set(refuses)]).toEqual([new Set([true]), new Set([false])])
})
