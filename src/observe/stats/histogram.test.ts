// Compares buckets and quantiles with sorted values and plain counts.

import { expect, test } from 'bun:test'
import { Histogram } from './histogram.ts'
import { RecentTimes } from './recent-times.ts'

test('a value is in the first bucket whose bound it does not exceed', () => {
  const histogram = new Histogram([1, 2, 5])
  for (const value of [0, 1, 1.5, 2, 5, 5.1, 1e9]) histogram.observe(value)
  expect([...histogram.counts]).toEqual([2, 2, 1, 2])
  expect(histogram.sum).toBe(0 + 1 + 1.5 + 2 + 5 + 5.1 + 1e9)
})

test('quantiles are exact over the newest, and only those', () => {
  const times = new RecentTimes()
  expect([times.size, times.quantile(0.5)]).toEqual([0, null])
  times.add(7)
  expect([times.quantile(0.5), times.quantile(0.99)]).toEqual([7, 7])
  for (let each = 0; each < 500; each++) times.add(1e6)
  for (let each = 1; each <= 1_024; each++) times.add((each * 601) % 1_024)
  expect([times.size, times.quantile(0.5), times.quantile(0.99), times.quantile(1)]).toEqual([1_024, 511, 1_013, 1_023])
})
