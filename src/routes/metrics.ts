// GET /metrics: everything that is counted, in the text form that Prometheus reads. For the holder of the monitoring
// token, where the server has one.

import { Elysia } from 'elysia'
import { metricsAnswer, metricsExample } from '../answers/server-state.ts'
import { assertSeesDetails } from '../http/access/monitoring-access.ts'
import type { MetricsRegistry } from '../observe/metrics/metrics-registry.ts'
import { readService, type ServiceSources } from '../observe/stats/service-reading.ts'
import { operation } from '../openapi/operation.ts'

const about = operation({
  id: 'metrics',
  summary: 'Metrics for Prometheus',
  description: 'Needs the monitoring token, where the server has one: as x-monitoring-token or as Bearer token.',
  tag: 'service',
  access: 'monitoring',
  answer: () => ({
    description: "The metrics, in Prometheus' text format",
    type: 'text/plain',
    schema: metricsAnswer,
    example: metricsExample,
  }),
  failures: ['monitoring_token_missing', 'monitoring_token_wrong'],
})

type Dependencies = { sources: ServiceSources; monitoringToken: string | null }

export function metricsRoutes({ sources, monitoringToken }: Dependencies) {
  let registry: Promise<MetricsRegistry> | undefined
  return new Elysia().get(
    '/metrics',
    async ({ request }) => {
      assertSeesDetails(monitoringToken, request)
      // Loaded where it is used: it takes as long as a third of the start.
      registry ??= import('../observe/metrics/metrics-registry.ts').then(
        ({ MetricsRegistry }) => new MetricsRegistry(sources),
      )
      const { text, contentType } = await (await registry).expose(await readService(sources))
      return new Response(text, { headers: { 'content-type': contentType, 'cache-control': 'no-store' } })
    },
    { detail: about },
  )
}
