// Which web pages may read answers: those of the configured origins, and by default none (the CORS protocol of
// https://fetch.spec.whatwg.org). Management is never among what they may read, whatever is configured.

/** Null: no page of another origin. */
export type CorsOrigins = ReadonlySet<string> | '*' | null

/** What a page may send along. */
const REQUEST_HEADERS = 'authorization, if-none-match, x-monitoring-token, x-request-id'
/** What a page may read beyond what every page may. */
const ANSWER_HEADERS = 'etag, ratelimit, ratelimit-policy, retry-after, x-request-id'
const PREFLIGHT_SECONDS = '7200'

const READABLE = [
  /^(?:\/api\/v1)?(?:\/polymarket|\/kalshi)?\/(?:market|lookup)\//,
  /^(?:\/api\/v1)?\/(?:health|monitoring\/status)\/?$/,
  /^\/docs(?:\/|$)/,
]

/** Puts the headers of the protocol on an answer, preflights among them. */
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
  headers.set('access-control-allow-methods', 'GET, HEAD')
  headers.set('access-control-allow-headers', REQUEST_HEADERS)
  headers.set('access-control-max-age', PREFLIGHT_SECONDS)
}
