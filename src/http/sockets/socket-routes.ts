// Routes for open connections. Like all other routes, they check key, plan and parameters. Then they open the
// connection. A refused request gets problem+json before the handshake.

import { Elysia, t } from 'elysia'
import type { ActiveKey } from '../../accounts/keys/key-directory.ts'
import { operation } from '../../openapi/operation.ts'
import { patternText } from '../parameters/parameter.ts'
import { type LogFailure, lateFailure } from '../server/failure-log.ts'
import { followBody } from '../server/sent-body.ts'
import { EVENT_HEADERS, eventStream } from './event-stream.ts'
import type { OpenConnections, Place } from './open-connections.ts'
import type { Accepted, Opening, SocketEndpoint } from './socket.ts'
import {
  agree,
  assertHandshake,
  offeredProtocols,
  upgradeRequired,
  WebSocketConnection,
  wantsWebSocket,
} from './web-socket.ts'

/** The API key as a query parameter, for clients that cannot set headers. */
export const KEY_PARAMETER = 'key'

const NORMAL = 1000

type Dependencies = {
  endpoints: readonly SocketEndpoint[]
  connections: OpenConnections
  /** Returns the key that a request was admitted with; null if it needed none. */
  keyOf: (request: Request) => ActiveKey | null
  clientAddress: (request: Request) => string | null
  log: LogFailure
}

const key = patternText(/^.{1,200}$/, 'an API key', {
  description: 'The API key, for programs that cannot send it as a header. It is in no log',
})

export function socketRoutes(dependencies: Dependencies): Elysia {
  const routes = new Elysia()
  for (const endpoint of dependencies.endpoints) {
    const { path, required, optional, hasEvents, about } = endpoint
    const others = Object.entries({ ...optional, [KEY_PARAMETER]: key }).map(([name, each]) => [name, t.Optional(each)])
    routes.get(path, ({ request, query }) => connect(endpoint, dependencies, request, query as Opening['query']), {
      query: t.Object({ ...required, ...Object.fromEntries(others) }, { additionalProperties: false }),
      detail: operation({
        ...about,
        access: 'key',
        failures: ['upgrade_required', 'connections_exceeded', 'overloaded', ...(about.failures ?? [])],
        connection: { hasEvents },
      }),
    })
  }
  return routes as unknown as Elysia
}

async function connect(
  endpoint: SocketEndpoint,
  { connections, keyOf, clientAddress, log }: Dependencies,
  request: Request,
  query: Opening['query'],
): Promise<Response> {
  const kind = wantsWebSocket(request) ? 'websocket' : 'events'
  if (kind === 'websocket') assertHandshake(request)
  else if (!endpoint.hasEvents) {
    throw upgradeRequired('This path takes WebSocket connections: send the header "Upgrade: websocket"')
  }
  const opening: Opening = {
    kind,
    query,
    key: keyOf(request),
    address: clientAddress(request),
    target: targetOf(request.url),
    protocols: offeredProtocols(request),
    lastEventId: request.headers.get('last-event-id'),
  }
  const place = connections.enter(opening.key)
  try {
    const accepted = await endpoint.accept(opening)
    if (request.method === 'HEAD') return headOf(accepted, place)
    const about = { place, sent: followBody(request), onFailure: lateFailure(log, request) }
    if (kind === 'events') return eventStream(accepted.session, about)
    return agree(request, new WebSocketConnection(accepted.session, about), accepted)
  } catch (error) {
    place.leave()
    throw error
  }
}

/** Answers a HEAD like a GET, without the connection. */
function headOf({ session }: Accepted, place: Place): Response {
  session.close(NORMAL)
  place.leave()
  return new Response(null, { headers: EVENT_HEADERS })
}

/** Path and query without secrets. */
function targetOf(url: string): string {
  const { pathname, searchParams } = new URL(url)
  for (const name of [KEY_PARAMETER, 'ticket']) searchParams.delete(name)
  return `${pathname}?${searchParams}`
}
