// Prints the metrics in Prometheus's text format: https://prometheus.io/docs/instrumenting/exposition_formats/

import type { ServiceReading, ServiceSources } from '../stats/service-reading.ts'
import { recorderMetrics } from './recorder-metrics.ts'
import type { Metric, Sample } from './sample.ts'
import { serviceMetrics } from './service-metrics.ts'
import { streamMetrics } from './stream-metrics.ts'
import { trafficMetrics } from './traffic-metrics.ts'

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export const metricsOf = (sources: ServiceSources): Metric[] => [
  ...trafficMetrics(sources),
  ...serviceMetrics(sources),
  ...streamMetrics(sources),
  ...recorderMetrics(),
]

/** Returns the text of all metrics that have a sample. */
export function metricsText(metrics: readonly Metric[], reading: ServiceReading): string {
  const texts = metrics.flatMap(({ name, help, type, read }) => {
    const samples = read(reading)
    if (samples.length === 0) return []
    const lines = samples.map((sample) => sampleLine(name, sample))
    return [[`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join('\n')]
  })
  return `${texts.join('\n\n')}\n`
}

function sampleLine(metric: string, { name = metric, labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(String(text))}"`)
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`
}

const escaped = (text: string) => text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')
