// GET /monitoring/status: one entry for each part of the service, for a public status page. Where a monitoring token is
// set, only its holder sees figures; everybody sees the states.

import { Elysia } from 'elysia'
import type { Catalogue } from '../../storage/catalogue.ts'
import { VENUES } from '../../storage/venue.ts'
import type { PoolFigures, Workers } from '../../workers/requests.ts'
import { isSameSecret } from '../http/management-access.ts'

/** `idle`: working, with nothing to show yet. */
type State = 'ok' | 'degraded' | 'down' | 'idle'
type Component = { name: string; status: State; figures: Record<string, number | null> }

type Dependencies = {
  catalogue: Pick<Catalogue, 'lastRecordMs'>
  workers: Pick<Workers, 'figures'>
  accounts: { check(): Promise<void> }
  monitoringToken: string | null
  version: string
  uptimeSeconds: () => number
  nowMs: () => number
}

export const monitoringRoutes = (dependencies: Dependencies) =>
  new Elysia().get(
    '/monitoring/status',
    async ({ request }) => {
      const { monitoringToken, version, uptimeSeconds } = dependencies
      const components = await readComponents(dependencies)
      const given = request.headers.get('x-monitoring-token')
      const seesFigures = monitoringToken === null || (given !== null && isSameSecret(given, monitoringToken))
      return {
        status: overall(components),
        version,
        uptime_seconds: uptimeSeconds(),
        components: components.map(({ name, status, figures }) => ({
          name,
          status,
          ...(seesFigures ? { figures } : {}),
        })),
      }
    },
    { detail: { summary: 'State of each part of the service', tags: ['service'] } },
  )

async function readComponents({ catalogue, workers, accounts, nowMs }: Dependencies): Promise<Component[]> {
  const ingestion = VENUES.map((venue) => ingestionOf(`ingestion_${venue}`, () => catalogue.lastRecordMs(venue), nowMs))
  const isReadable = ingestion.every(({ status }) => status !== 'down')
  const accountsAnswer = await accounts.check().then(
    () => true,
    () => false,
  )
  return [
    { name: 'storage', status: isReadable ? 'ok' : 'down', figures: {} },
    workersState(workers.figures()),
    { name: 'accounts', status: accountsAnswer ? 'ok' : 'down', figures: {} },
    ...ingestion,
  ]
}

function workersState({ threads, running, queued, completed }: PoolFigures): Component {
  const status = threads === 0 ? 'down' : queued > 0 && running >= threads ? 'degraded' : 'ok'
  return { name: 'workers', status, figures: { threads, running, queued, completed } }
}

function ingestionOf(name: string, lastRecordMs: () => number | null, nowMs: () => number): Component {
  try {
    const lastMs = lastRecordMs()
    if (lastMs === null) return { name, status: 'idle', figures: { last_record_timestamp: null, age_seconds: null } }
    const ageSeconds = Math.max(0, Math.floor((nowMs() - lastMs) / 1000))
    return { name, status: 'ok', figures: { last_record_timestamp: lastMs, age_seconds: ageSeconds } }
  } catch {
    return { name, status: 'down', figures: {} }
  }
}

/** Down without the store, since nothing can be answered then; degraded by anything else that is not well. */
function overall(components: readonly Component[]): State {
  if (components.some(({ name, status }) => name === 'storage' && status === 'down')) return 'down'
  return components.some(({ status }) => status === 'down' || status === 'degraded') ? 'degraded' : 'ok'
}
