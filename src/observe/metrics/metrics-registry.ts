// The figures as metrics: names, what they mean, and where each is read from. prom-client writes them down; counting is
// done by those whose figures they are, since looking a label up costs more than most requests may.

import { Registry } from 'prom-client'
import type { ServiceReading, ServiceSources } from '../stats/service-reading.ts'
import { processMetrics } from './process-metrics.ts'
import type { Metric } from './sample.ts'
import { serviceMetrics } from './service-metrics.ts'
import { trafficMetrics } from './traffic-metrics.ts'

type Registered = Parameters<Registry['registerMetric']>[0]

export class MetricsRegistry {
  readonly #metrics: readonly Metric[]

  constructor(sources: ServiceSources) {
    this.#metrics = [...trafficMetrics(sources), ...serviceMetrics(sources), ...processMetrics(sources)]
  }

  async expose(reading: ServiceReading): Promise<{ text: string; contentType: string }> {
    // A registry of its own for each reading, so that two who ask at once do not see parts of each other's.
    const registry = new Registry()
    for (const { read, ...described } of this.#metrics) {
      const values = read(reading).map(({ name, labels = {}, value }) => ({ metricName: name, labels, value }))
      // Without a sample there is nothing to describe.
      if (values.length === 0) continue
      // A metric is what has a name and a `get`; its class only adds ways to count.
      const metric = { name: described.name, get: async () => ({ ...described, values, aggregator: 'omit' }) }
      registry.registerMetric(metric as unknown as Registered)
    }
    return { text: await registry.metrics(), contentType: registry.contentType }
  }
}
