// Serves an app on a socket. When stopped, accepts no more connections, finishes the running requests and closes.

import http from 'node:http'
import type { Server, WebSocketHandler } from 'bun'
import type { Log } from '../../observe/log/log.ts'
import { lastAnswer } from './draining.ts'
import type { Fetch } from './fetch.ts'
import { Pipelining } from './pipelining.ts'
import { copyPieces, sentBodyOf } from './sent-body.ts'

export type Listening = {
  /** http://HOST:PORT */
  url: string
  port: number
  clientAddress(request: Request): string | null
  /** Returns the number of requests whose answers are being made or sent. */
  pendingRequests(): number
  /** Resolves when no request is running. After `waitMs`, closes the connections of the requests that still run. */
  stop(waitMs: number): Promise<void>
}

/** Limit of all headers of a request, with its URL; the runtime answers 431 above it. The runtime's default is 16 KB.
 */
export const HEADER_BYTES_MAX = 64 * 1024
/** The runtime's limit for a body. limited-body.ts refuses bodies long before this limit, with a readable error. */
const BODY_BYTES_MAX = 16 * 1024 * 1024

const IDLE_SECONDS = 75
/** The longest idle timeout that the runtime allows. */
const IDLE_SECONDS_MAX = 255
/** After a longer body, the longest idle timeout applies. A client's system buffers about this many bytes, so the
 *  server notices late whether the client reads the rest. */
const LARGE_BYTES = 2 ** 18

/** Turns a request that was answered with 101 into a WebSocket. */
export type Upgrades<Data> = {
  handler: WebSocketHandler<Data>
  /** Returns undefined if the request was upgraded: the upgrade is its answer. */
  upgrade(server: Server<Data>, under: Pick<UnderWay, 'given' | 'request'>, response: Response): Response | undefined
}

type ListenOptions<Data> = {
  host: string
  port: number
  idleSeconds?: number
  log?: Pick<Log, 'error'>
  /** If omitted, no request may be answered with 101. */
  webSockets?: Upgrades<Data>
}

export function listen<Data = undefined>(
  fetch: Fetch,
  { host, port, idleSeconds = IDLE_SECONDS, log, webSockets }: ListenOptions<Data>,
): Listening {
  Object.assign(http, { maxHeaderSize: HEADER_BYTES_MAX })
  const pipelining = new Pipelining()
  const server: Server<Data> = Bun.serve<Data>({
    // Returns a ready response without a promise.
    fetch: (given: Request) => {
      const request = given.url.charCodeAt(0) === SLASH ? withHost(given) : given
      copyPieces(request)
      const isLast = pipelining.isTooMuch(() => server.requestIP(given))
      const answer = isLast ? lastAnswer(fetch(request)) : fetch(request)
      if (!(answer instanceof Promise)) return answer
      const under = { given, request, answer, idleSeconds }
      return unhurried(server, under).then((response) =>
        response.status === UPGRADED ? webSockets?.upgrade(server, under, response) : response,
      )
    },
    websocket: webSockets?.handler ?? { message: () => undefined },
    hostname: host,
    port,
    reusePort: false,
    // The timeout counts from the time at which a connection becomes idle or begins to send a request. Sending slowly
    // does not extend it.
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

/** Adds a Host. Without a Host (HTTP/1.0 and some health checks) the runtime passes a path as the URL, which the
 *  framework would misread. The copied request loses its client's address, so management is refused without a Host. */
const withHost = (given: Request) => new Request(`http://localhost${given.url}`, given)
const SLASH = 47
const UPGRADED = 101

/** A request being answered; `given` is the runtime's own request object. */
type UnderWay = { given: Request; request: Request; answer: Promise<Response>; idleSeconds: number }

/** Suspends the idle timeout: an answer that takes long to make and a slow reader of a long stream are not idle. A
 *  request with a body keeps the timeout. */
async function unhurried<Data>(server: Server<Data>, under: UnderWay): Promise<Response> {
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

/** Answers failures outside of the app. The runtime's own error page would show the source code to the client. */
function failed(error: Error, log: ListenOptions<unknown>['log']): Response {
  log?.error({ error }, 'a request failed outside of the app')
  const problem = { type: 'urn:backbook:problem:internal', title: 'The server failed', status: 500, code: 'internal' }
  const headers = { 'content-type': 'application/problem+json', 'x-request-id': crypto.randomUUID() }
  return Response.json({ ...problem, request_id: headers['x-request-id'] }, { status: 500, headers })
}

async function stopServer<Data>(server: Server<Data>, waitMs: number): Promise<void> {
  const finished = server.stop()
  const deadline = Promise.withResolvers<void>()
  const timer = setTimeout(deadline.resolve, waitMs)
  await Promise.race([finished, deadline.promise])
  clearTimeout(timer)
  await server.stop(true)
}
