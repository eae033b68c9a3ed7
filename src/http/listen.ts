// Puts an app on a socket, and takes it off again: stop accepting, finish what is running, then end.

import type { Server } from 'bun'
import type { Log } from '../observe/log.ts'

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

type Fetch = (request: Request) => Response | Promise<Response>

/** Bodies are refused long before this by http/limited-body.ts, with a readable answer. */
const BODY_BYTES_MAX = 16 * 1024 * 1024

type ListenOptions = { host: string; port: number; log?: Pick<Log, 'error'> }

export function listen(fetch: Fetch, { host, port, log }: ListenOptions): Listening {
  // Slow readers of a long stream are not idle: they must not be cut.
  const server = Bun.serve({
    fetch,
    hostname: host,
    port,
    reusePort: false,
    idleTimeout: 0,
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
