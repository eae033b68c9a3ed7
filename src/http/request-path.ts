// The path of a request, for messages and rules. The Host header is part of a request's URL and may be anything, so the
// URL is not parsed: what stands between the host and the query is taken as it is.

export function pathOf(url: string): string {
  const host = url.indexOf('//')
  const start = url.indexOf('/', host === -1 ? 0 : host + 2)
  if (start === -1) return '/'
  const end = url.slice(start).search(/[?#]/)
  return end === -1 ? url.slice(start) : url.slice(start, start + end)
}
