// A server of one file that takes byte ranges and records the requested ones.

export type ServedRanges = AsyncDisposable & { url: string; ranges: [start: number, end: number][] }

/** Serves `bytes`. `others` are more files on the server, by name. */
export function serveRanges(bytes: Uint8Array, others: Record<string, string> = {}): ServedRanges {
  const ranges: [number, number][] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const name = new URL(request.url).pathname.slice(1)
      if (others[name] !== undefined) return new Response(others[name])
      if (name !== 'hour.parquet') return new Response(null, { status: 404 })
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('range') ?? '') ?? []
      const [start, end] = [Number(first), Number(last) + 1]
      ranges.push([start, end])
      const headers = { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}`, etag: '"1"' }
      return new Response(bytes.slice(start, end), { status: 206, headers })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/hour.parquet`,
    ranges,
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}
