// Tests which windows change when there are new records.

import { expect, test } from 'bun:test'
import { windowsOf } from '../data/level-of-detail.ts'
import { isWindowSince } from './since.ts'

test('a window changes if it is of the book and ends after the instant', () => {
  const [window] = windowsOf(Date.parse('2026-08-10'), Date.parse('2026-08-10') + 1, 1_000)
  const name = `kalshi KX  ${window!.startMs} 1000 more`
  expect(isWindowSince('kalshi KX ', window!.endMs - 1)(name)).toBe(true)
  expect(isWindowSince('kalshi KX ', window!.endMs)(name)).toBe(false)
  expect(isWindowSince('kalshi K', window!.startMs)(name)).toBe(false)
  expect(isWindowSince('kalshi KX no', window!.startMs)(name)).toBe(false)
})
