// GET /monitoring/status: one entry per component of the service, for a public status page. The states are public; if a
// monitoring token is set, the numbers need the token.

import { Elysia } from 'elysia'
import { statusAnswer } from '../answers/server-state.ts'
import { seesDetails } from '../http/access/monitoring-access.ts'
import { componentsOf, overall } from '../observe/stats/components.ts'
import { readService, type ServiceSources } from '../observe/stats/service-reading.ts'
import { operation } from '../openapi/operation.ts'

type Dependencies = { sources: ServiceSources; monitoringToken: string | null }

const about = operation({
  id: 'monitoringStatus',
  summary: 'State of each component of the service',
  description:
    'Always answers 200: read `status`. Every client sees the states. If the server has a monitoring token, only its ' +
    'holder sees the numbers.',
  tag: 'service',
  access: 'monitoring',
  answer: () => ({ description: 'The states', schema: statusAnswer }),
})

export const monitoringRoutes = ({ sources, monitoringToken }: Dependencies) =>
  new Elysia().get(
    '/monitoring/status',
    async ({ request }) => {
      const components = componentsOf(await readService(sources), sources.tasks)
      const isShown = seesDetails(monitoringToken, request)
      return {
        status: overall(components),
        version: sources.version,
        uptime_seconds: sources.uptimeSeconds(),
        components: components.map(({ name, status, figures }) => ({ name, status, ...(isShown ? { figures } : {}) })),
      }
    },
    { detail: about },
  )
