// Which web pages may read answers: those of the configured origins, by default none (the CORS protocol of
// https://fetch.spec.whatwg.org). They never read management, whatever is configured.

/** Null for no other origin. */
export type CorsOrigins = ReadonlySet<string> | '*' | null

/** Headers that a page may send. */
const REQUEST_HEADERS =
  'authorization, content-type, if-none-match, if-range, last-event-id, range, x-monitoring-token, x-request-id'
/** Headers that a page may read, beyond the usual ones. */
const ANSWER_HEADERS =
  'accept-ranges, content-range, etag, ratelimit, ratelimit-policy, retry-after, ' +
  'x-data-count, x-error-count, x-errors, x-has-more, x-next-cursor, x-request-id, x-total-count'
const PREFLIGHT_SECONDS = '7200'

const TICKETS = /^(?:\/api\/v1)?\/download-tickets\/?$/

const READABLE = [
  /^(?:\/api\/v1)?(?:\/polymarket|\/kalshi)?\/(?:markets?|lookup|calendar|search|files|replay|stream)(?:\/|$)/,
  TICKETS,
  /^(?:\/api\/v1)?\/(?:health|monitoring\/(?:status|history))\/?$/,
  /^\/docs(?:\/|$)/,
]

/** Adds the headers of the protocol to an answer, also to a preflight. */
export function allowOrigin(
  allowed: CorsOrigins,
  pathname: string,
  { headers: asked, method }: Request,
  headers: Headers,
) {
  if (allowed === null || !READABLE.some((paths) => paths.test(pathname))) return
  if (allowed !== '*') headers.append('vary', 'origin')
  const origin = asked.get('origin')
  if (origin === null || (allowed !== '*' && !allowed.has(origin))) return
  headers.set('access-control-allow-origin', allowed === '*' ? '*' : origin)
  if (method !== 'OPTIONS' || !asked.has('access-control-request-method')) {
    headers.set('access-control-expose-headers', ANSWER_HEADERS)
    return
  }
  headers.set('access-control-allow-methods', TICKETS.test(pathname) ? 'POST' : 'GET, HEAD')
  headers.set('access-control-allow-headers', REQUEST_HEADERS)
  headers.set('access-control-max-age', PREFLIGHT_SECONDS)
}
