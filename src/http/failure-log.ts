// Where unexpected failures are told: one JSON line on stderr, with the request id that the client was given.

import { requestIdOf } from './request-id.ts'
import { pathOf } from './request-path.ts'

export type LogFailure = (requestId: string, request: Request, error: unknown) => void

/** For failures after the first byte: nothing but the log can be told of them. */
export function lateFailure(log: LogFailure, request: Request): (error: unknown) => void {
  // Told while the request is known to be answered under this id.
  const requestId = requestIdOf(request)
  return (error) => log(requestId, request, error)
}

/** For failures that belong to no request. */
export function logError(message: string, error: unknown): void {
  console.error(JSON.stringify({ time: new Date().toISOString(), level: 'error', message, error: errorText(error) }))
}

/** The query is left out: it may hold what a client would not want in a log. */
export const logFailure: LogFailure = (requestId, request, error) => {
  const pathname = pathOf(request.url)
  const line = { time: new Date().toISOString(), level: 'error', request_id: requestId, method: request.method }
  console.error(JSON.stringify({ ...line, path: pathname, error: errorText(error) }))
}

const errorText = (error: unknown) => (error instanceof Error ? Bun.inspect(error, { colors: false }) : String(error))
