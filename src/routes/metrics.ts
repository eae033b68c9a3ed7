// GET /metrics: all metrics, in Prometheus' text format. Needs the monitoring token, if the server has one.

import { Elysia } from 'elysia'
import { metricsAnswer } from '../answers/server-state.ts'
import { assertSeesDetails } from '../http/access/monitoring-access.ts'
import { METRICS_TYPE, metricsOf, metricsText } from '../observe/metrics/metrics-text.ts'
import { readService, type ServiceSources } from '../observe/stats/service-reading.ts'
import { operation } from '../openapi/operation.ts'

const about = operation({
  id: 'metrics',
  summary: 'Metrics for Prometheus',
  description: 'If the server has a monitoring token, send it as x-monitoring-token or as Bearer token.',
  tag: 'service',
  access: 'monitoring',
  answer: () => ({
    description: "The metrics, in Prometheus' text format",
    type: 'text/plain',
    schema: metricsAnswer,
  }),
  failures: ['monitoring_token_missing', 'monitoring_token_wrong'],
})

type Dependencies = { sources: ServiceSources; monitoringToken: string | null }

export function metricsRoutes({ sources, monitoringToken }: Dependencies) {
  const metrics = metricsOf(sources)
  return new Elysia().get(
    '/metrics',
    async ({ request }) => {
      assertSeesDetails(monitoringToken, request)
      const text = metricsText(metrics, await readService(sources))
      return new Response(text, { headers: { 'content-type': METRICS_TYPE, 'cache-control': 'no-store' } })
    },
    { detail: about },
  )
}
