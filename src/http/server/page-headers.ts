// Headers of pages: the documentation and the explorer. The pages may load nothing from other sites. No site may
// frame them, but a setting can allow sites to frame the chart of a market.

import { VENUES } from '../../../storage/venue.ts'
import type { Origins } from './cors.ts'
import { pathOf } from './request-path.ts'

const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The strictest policy that the page works under: no text of a capture can become markup or a script. */
const EXPLORER_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const HEADERS = {
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}
/** The documentation is public, and changes only with the program. */
const DOCS_FRESHNESS = 'public, max-age=3600'

export function addPageHeaders(url: string, { status, headers }: Response, frameAncestors: Origins): void {
  const pathname = pathOf(url)
  const policy = policyOf(pathname)
  if (policy === undefined) return
  if (status === 200 && !headers.has('cache-control')) headers.set('cache-control', DOCS_FRESHNESS)
  if (!headers.get('content-type')?.startsWith('text/html')) return
  const made = { ...HEADERS, 'content-security-policy': policy }
  const own = frameAncestors !== null && isChart(url, pathname) ? framed(made, frameAncestors) : made
  for (const [name, value] of Object.entries(own)) if (!headers.has(name)) headers.set(name, value)
}

/** Returns the policy of a page; undefined for a path that is not a page. */
function policyOf(pathname: string): string | undefined {
  if (/^\/docs(?:\/|$)/.test(pathname)) return DOCS_POLICY
  return /^\/(?:explore|status)(?:\/|$)/.test(pathname) ? EXPLORER_POLICY : undefined
}

const CHART_PATH = new RegExp(`^/explore/(?:${VENUES.join('|')})/[^/]+/?$`)

/** True if the page shows only the chart of a market: a click there changes nothing on the server. */
const isChart = (url: string, pathname: string): boolean =>
  CHART_PATH.test(pathname) && new URL(url).searchParams.has('embed')

type Made = typeof HEADERS & { 'content-security-policy': string }

/** Returns the headers of a page that the origins in `ancestors` may frame. Drops `x-frame-options`, which cannot name
 *  origins. */
function framed(
  { 'x-frame-options': _, ...headers }: Made,
  ancestors: '*' | ReadonlySet<string>,
): Record<string, string> {
  const policy = headers['content-security-policy']
  const allowed = ancestors === '*' ? '*' : [...ancestors].join(' ')
  return {
    ...headers,
    'content-security-policy': policy.replace("frame-ancestors 'none'", `frame-ancestors ${allowed}`),
  }
}
