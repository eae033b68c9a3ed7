// Logs unexpected failures of requests: one line each, with the request id that the client received.

import type { Log } from '../../observe/log/log.ts'
import { requestIdOf } from './request-id.ts'
import { pathOf } from './request-path.ts'

export type LogFailure = (requestId: string, request: Request, error: unknown) => void

/** Returns a logger for failures after the answer's first byte, when the client can receive no error. */
export function lateFailure(log: LogFailure, request: Request): (error: unknown) => void {
  // Taken now: after the answer the id is no longer known.
  const requestId = requestIdOf(request)
  return (error) => log(requestId, request, error)
}

/** Logs the path without the query, which may hold private values. */
export const failureLog =
  (log: Pick<Log, 'error'>): LogFailure =>
  (requestId, request, error) =>
    log.error({ request_id: requestId, method: request.method, path: pathOf(request.url), error }, 'a request failed')
