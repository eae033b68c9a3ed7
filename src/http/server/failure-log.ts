// Where unexpected failures of requests are told: one line of the log, with the request id that the client was given.

import type { Log } from '../../observe/log/log.ts'
import { requestIdOf } from './request-id.ts'
import { pathOf } from './request-path.ts'

export type LogFailure = (requestId: string, request: Request, error: unknown) => void

/** For failures after the first byte: nothing but the log can be told of them. */
export function lateFailure(log: LogFailure, request: Request): (error: unknown) => void {
  // Told while the request is known to be answered under this id.
  const requestId = requestIdOf(request)
  return (error) => log(requestId, request, error)
}

/** The query is left out: it may hold what a client would not want in a log. */
export const failureLog =
  (log: Pick<Log, 'error'>): LogFailure =>
  (requestId, request, error) =>
    log.error({ request_id: requestId, method: request.method, path: pathOf(request.url), error }, 'a request failed')
