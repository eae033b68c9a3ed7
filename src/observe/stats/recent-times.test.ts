// Quantiles are exact, and cover only the newest times.

import { expect, test } from 'bun:test'
import { RecentTimes } from './recent-times.ts'

test('a quantile is one of the times', () => {
  const times = new RecentTimes()
  expect([times.size, times.quantile(0.5)]).toEqual([0, null])
  for (const ms of [40, 10, 30, 20]) times.add(ms)
  expect([0.01, 0.25, 0.26, 0.5, 0.99, 1].map((share) => times.quantile(share))).toEqual([10, 10, 20, 20, 40, 40])
})

test('the newest times replace the oldest', () => {
  const times = new RecentTimes()
  for (let ms = 0; ms < 1_024 + 100; ms++) times.add(ms)
  expect([times.size, times.quantile(0.0001), times.quantile(1)]).toEqual([1_024, 100, 1_123])
})
