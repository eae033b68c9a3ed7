// The path of a request, for messages and rules. The Host header is part of a request's URL and may be anything, so the
// URL is not parsed: what stands between the host and the query is taken as it is.

export function pathOf(url: string): string {
  const host = url.indexOf('//')
  const start = url.indexOf('/', host === -1 ? 0 : host + 2)
  if (start === -1) return '/'
  // A # is no more than a character here: no client sends what stands behind it.
  const end = url.slice(start).indexOf('?')
  return end === -1 ? url.slice(start) : url.slice(start, start + end)
}
