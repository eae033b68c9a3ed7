// A metric and its samples, and functions that make the usual ones.

import type { Histogram } from '../stats/histogram.ts'
import type { ServiceReading } from '../stats/service-reading.ts'

export type Labels = Record<string, string | number>
/** `name` differs from the metric's for the parts of a histogram. */
export type Sample = { name?: string; labels?: Labels; value: number }
export type Metric = {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  read: (reading: ServiceReading) => Sample[]
}

type Read = Metric['read'] | ((reading: ServiceReading) => number | null | undefined)

/** A number that is unknown makes no sample. */
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

/** Each bucket includes those below it. */
function histogramSamples(name: string, labels: Labels, { bounds, counts, sum }: Histogram): Sample[] {
  let count = 0
  const buckets = [...bounds, '+Inf'].map((le, index) => {
    count += counts[index]!
    return { name: `${name}_bucket`, labels: { ...labels, le }, value: count }
  })
  return [...buckets, { name: `${name}_sum`, labels, value: sum }, { name: `${name}_count`, labels, value: count }]
}
