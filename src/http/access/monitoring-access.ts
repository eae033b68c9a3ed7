// Decides who sees the details of monitoring: clients that send the monitoring token, or all clients if no token is
// configured.

import { RequestFailure } from '../server/request-failure.ts'
import { isSameSecret } from './management-access.ts'

const HEADER = 'x-monitoring-token'
/** The form in which Prometheus sends its credentials. */
const BEARER = /^Bearer +(\S+) *$/i

export function seesDetails(token: string | null, { headers }: Request): boolean {
  const given = givenToken(headers)
  return token === null || (given !== null && isSameSecret(given, token))
}

/** Throws 401 without a token, 403 with a wrong one. */
export function assertSeesDetails(token: string | null, request: Request): void {
  if (seesDetails(token, request)) return
  if (givenToken(request.headers) === null) {
    const message = `The monitoring token is required: send it in the header ${HEADER}, or as "Authorization: Bearer"`
    const headers = { 'www-authenticate': 'Bearer realm="backbook monitoring"' }
    throw new RequestFailure('monitoring_token_missing', message, { headers })
  }
  throw new RequestFailure('monitoring_token_wrong', "The token that was sent is not this server's monitoring token")
}

const givenToken = (headers: Headers): string | null =>
  headers.get(HEADER) ?? BEARER.exec(headers.get('authorization') ?? '')?.[1] ?? null
