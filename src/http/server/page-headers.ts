// Headers of the documentation, which browsers show as pages. The pages are complete: they may load nothing from
// elsewhere, and nobody may frame them.

const POLICY = [
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

const HEADERS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}
/** It is public, and changes only with the program. */
const DOCS_FRESHNESS = 'public, max-age=3600'

export function addPageHeaders(pathname: string, { status, headers }: Response): void {
  if (!/^\/docs(?:\/|$)/.test(pathname)) return
  if (status === 200 && !headers.has('cache-control')) headers.set('cache-control', DOCS_FRESHNESS)
  if (!headers.get('content-type')?.startsWith('text/html')) return
  for (const [name, value] of Object.entries(HEADERS)) if (!headers.has(name)) headers.set(name, value)
}
