// Tests samples of gauges, counters and histograms.

import { expect, test } from 'bun:test'
import { Histogram } from '../stats/histogram.ts'
import type { ServiceReading } from '../stats/service-reading.ts'
import { counter, gauge, histogram } from './sample.ts'

const READING = {} as ServiceReading

test('a number becomes a sample, an unknown value none, and samples stay as they are', () => {
  const samples = [{ labels: { a: 1 }, value: 5 }]
  const read = (value: number | null | undefined | typeof samples) =>
    gauge('g', 'help', () => value as number).read(READING)
  expect([read(0), read(null), read(undefined), read(samples), read([])]).toEqual([[{ value: 0 }], [], [], samples, []])
  expect(gauge('g', 'help', () => 1)).toMatchObject({ name: 'g', help: 'help', type: 'gauge' })
  expect(counter('c', 'help', () => 1)).toMatchObject({ name: 'c', type: 'counter' })
})

test('each bucket of a histogram counts all values up to its bound', () => {
  const times = new Histogram([0.1, 1])
  for (const seconds of [0.05, 0.1, 0.5, 7]) times.observe(seconds)
  const metric = histogram('h', 'help', () => [[{ kind: 'a' }, times]])
  const bucket = (le: number | string, value: number) => ({ name: 'h_bucket', labels: { kind: 'a', le }, value })
  expect([metric.type, metric.read(READING)]).toEqual([
    'histogram',
    [
      ...[bucket(0.1, 2), bucket(1, 3), bucket('+Inf', 4)],
      { name: 'h_sum', labels: { kind: 'a' }, value: 7.65 },
      { name: 'h_count', labels: { kind: 'a' }, value: 4 },
    ],
  ])
})
