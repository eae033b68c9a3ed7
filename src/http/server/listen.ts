// Puts an app on a socket, and takes it off again: stop accepting, finish what is running, then end.

import type { Server } from 'bun'
import type { Log } from '../../observe/log/log.ts'
import type { Fetch } from './fetch.ts'
import { sentBodyOf } from './sent-body.ts'

export type Listening = {
  /** As it is printed: http://HOST:PORT. */
  url: string
  port: number
  clientAddress(request: Request): string | null
  /** Requests whose answers are being made or sent. */
  pendingRequests(): number
  /** Resolves when nothing runs any more, or when `waitMs` are over: then what still runs is cut. */
  stop(waitMs: number): Promise<void>
}

/** Bodies are refused long before this by limited-body.ts, with a readable answer. */
const BODY_BYTES_MAX = 16 * 1024 * 1024

const IDLE_SECONDS = 75
/** The most that the runtime takes. */
const IDLE_SECONDS_MAX = 255
/** A client's system takes so much in one go: whether the rest is being read is seen late. */
const LARGE_BYTES = 2 ** 18

type ListenOptions = { host: string; port: number; idleSeconds?: number; log?: Pick<Log, 'error'> }

export function listen(fetch: Fetch, { host, port, idleSeconds = IDLE_SECONDS, log }: ListenOptions): Listening {
  const server: Server<undefined> = Bun.serve({
    // What is answered at once is: the rest is waited for.
    fetch: (given) => {
      const request = given.url.charCodeAt(0) === SLASH ? withHost(given) : given
      const answer = fetch(request)
      return answer instanceof Promise ? unhurried(server, { given, request, answer, idleSeconds }) : answer
    },
    hostname: host,
    port,
    reusePort: false,
    // Counts from when a connection is silent, or begins to send a request: trickling does not prolong it.
    idleTimeout: idleSeconds,
    maxRequestBodySize: BODY_BYTES_MAX,
    development: false,
    error: (error) => failed(error, log),
  })
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`,
    port: server.port ?? port,
    clientAddress: (request) => server.requestIP(request)?.address ?? null,
    pendingRequests: () => server.pendingRequests,
    stop: (waitMs) => stopServer(server, waitMs),
  }
}

/** Without a Host (HTTP/1.0 need not have one, and health checks do not) the runtime gives a path for an address, in
 *  which the framework would look for another path than ours. Where such a request comes from is not known any more:
 *  nobody manages without a Host. */
const withHost = (given: Request) => new Request(`http://localhost${given.url}`, given)
const SLASH = 47

/** `given` is the request as the runtime knows it. */
type UnderWay = { given: Request; request: Request; answer: Promise<Response>; idleSeconds: number }

/** Neither what takes long to make nor slow readers of a long stream are idle: they must not be cut. A body that is
 *  still to come is: it has the time of a request. */
async function unhurried(server: Server<undefined>, under: UnderWay): Promise<Response> {
  const { given, request, answer, idleSeconds } = under
  if (request.method !== 'GET' && request.method !== 'HEAD') return answer
  server.timeout(given, 0)
  const response = await answer
  const body = sentBodyOf(request)
  if (body === undefined) server.timeout(given, idleSeconds)
  else {
    body.whenDone(({ bytes, end }) => {
      if (end === 'left') return
      server.timeout(given, bytes > LARGE_BYTES ? IDLE_SECONDS_MAX : idleSeconds)
    })
  }
  return response
}

/** For what no route could answer. The runtime's own page would show a client the source. */
function failed(error: Error, log: ListenOptions['log']): Response {
  log?.error({ error }, 'a request failed outside of the app')
  const problem = { type: 'urn:backbook:problem:internal', title: 'The server failed', status: 500, code: 'internal' }
  const headers = { 'content-type': 'application/problem+json', 'x-request-id': crypto.randomUUID() }
  return Response.json({ ...problem, request_id: headers['x-request-id'] }, { status: 500, headers })
}

async function stopServer(server: Server<undefined>, waitMs: number): Promise<void> {
  const finished = server.stop()
  const deadline = Promise.withResolvers<void>()
  const timer = setTimeout(deadline.resolve, waitMs)
  await Promise.race([finished, deadline.promise])
  clearTimeout(timer)
  await server.stop(true)
}
