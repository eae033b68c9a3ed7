// CORS (https://fetch.spec.whatwg.org): lets web pages of the configured origins read answers. By default no origin
// is configured. Pages can never read management endpoints.

import { VENUES } from '../../../storage/venue.ts'

/** Null allows no other origin. */
export type Origins = ReadonlySet<string> | '*' | null

/** Request headers that a page may send. */
const REQUEST_HEADERS =
  'authorization, content-type, if-none-match, if-range, last-event-id, range, x-monitoring-token, x-request-id'
/** Response headers that a page may read, besides those that browsers always let pages read. */
const ANSWER_HEADERS =
  'accept-ranges, content-range, etag, ratelimit, ratelimit-policy, retry-after, ' +
  'x-data-count, x-error-count, x-errors, x-has-more, x-next-cursor, x-request-id, x-total-count'
const PREFLIGHT_SECONDS = '7200'

const TICKETS = /^(?:\/api\/v1)?\/download-tickets\/?$/

const READABLE = [
  new RegExp(
    `^(?:/api/v1)?(?:/(?:${VENUES.join('|')}))?/(?:markets?|lookup|calendar|search|series|events|files|replay|stream)(?:/|$)`,
  ),
  TICKETS,
  /^(?:\/api\/v1)?\/(?:health|monitoring\/(?:status|history))\/?$/,
  /^\/docs(?:\/|$)/,
]

/** Adds the CORS headers to an answer, including a preflight. */
export function allowOrigin(
  allowed: Origins,
  pathname: string,
  { headers: requestHeaders, method }: Request,
  headers: Headers,
) {
  if (allowed === null || !READABLE.some((paths) => paths.test(pathname))) return
  if (allowed !== '*') headers.append('vary', 'origin')
  const origin = requestHeaders.get('origin')
  if (origin === null || (allowed !== '*' && !allowed.has(origin))) return
  headers.set('access-control-allow-origin', allowed === '*' ? '*' : origin)
  if (method !== 'OPTIONS' || !requestHeaders.has('access-control-request-method')) {
    headers.set('access-control-expose-headers', ANSWER_HEADERS)
    return
  }
  headers.set('access-control-allow-methods', TICKETS.test(pathname) ? 'POST' : 'GET, HEAD')
  headers.set('access-control-allow-headers', REQUEST_HEADERS)
  headers.set('access-control-max-age', PREFLIGHT_SECONDS)
}
