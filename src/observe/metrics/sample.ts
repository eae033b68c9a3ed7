// Metrics and their samples, and functions that build gauges, counters and histograms.

import type { Histogram } from '../stats/histogram.ts'
import type { ServiceReading } from '../stats/service-reading.ts'

export type Labels = Record<string, string | number>
/** `name` is set if it differs from the metric's: for the parts of a histogram. */
export type Sample = { name?: string; labels?: Labels; value: number }
export type Metric = {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  read: (reading: ServiceReading) => Sample[]
}

type Read = Metric['read'] | ((reading: ServiceReading) => number | null | undefined)

/** Converts a read function to one that returns samples. An unknown number (null or undefined) gives no sample. */
const samplesOf =
  (read: Read): Metric['read'] =>
  (reading) => {
    const value = read(reading)
    if (Array.isArray(value)) return value
    return value === null || value === undefined ? [] : [{ value }]
  }

export const gauge = (name: string, help: string, read: Read): Metric => {
  return { name, help, type: 'gauge', read: samplesOf(read) }
}

export const counter = (name: string, help: string, read: Read): Metric => {
  return { name, help, type: 'counter', read: samplesOf(read) }
}

export function histogram(name: string, help: string, all: () => Iterable<[Labels, Histogram]>): Metric {
  return { name, help, type: 'histogram', read: () => [...all()].flatMap((each) => histogramSamples(name, ...each)) }
}

/** Returns the samples of a histogram. Each bucket includes the counts of all lower ones. */
function histogramSamples(name: string, labels: Labels, { bounds, counts, sum }: Histogram): Sample[] {
  let count = 0
  const buckets = [...bounds, '+Inf'].map((le, index) => {
    count += counts[index]!
    return { name: `${name}_bucket`, labels: { ...labels, le }, value: count }
  })
  return [...buckets, { name: `${name}_sum`, labels, value: sum }, { name: `${name}_count`, labels, value: count }]
}
