// Returns the path of a request, for messages and rules. The Host header is part of the URL and may be anything, so the
// URL is not parsed: the path is the text between the host and the query.

export function pathOf(url: string): string {
  const host = url.indexOf('//')
  const start = url.indexOf('/', host === -1 ? 0 : host + 2)
  if (start === -1) return '/'
  // A # is a normal character here: clients do not send fragments.
  const end = url.slice(start).indexOf('?')
  return end === -1 ? url.slice(start) : url.slice(start, start + end)
}
