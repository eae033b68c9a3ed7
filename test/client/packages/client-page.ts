// A page of another origin that loads the TypeScript package as a browser does: an import map names the installed
// files, without a bundler.

import { join } from 'node:path'
import type { Client as ClientOfPackage } from '../../../clients/typescript/src/client.ts'

const IMPORTS = {
  'backbook-client': '/backbook-client/index.js',
  '@uwdata/flechette': '/@uwdata/flechette/dist/flechette.mjs',
}
const PAGE = `<!doctype html>
<link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>
<script type="module">
  import { Client } from 'backbook-client'
  Object.assign(globalThis, { Client })
</script>`

/** Serves the page and the files of a `node_modules` folder. */
export function serveClientPage(modules: string): AsyncDisposable & { url: string } {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch({ url }) {
      const { pathname } = new URL(url)
      if (pathname === '/') return new Response(PAGE, { headers: { 'content-type': 'text/html' } })
      const file = Bun.file(join(modules, pathname))
      return (await file.exists()) ? new Response(file) : new Response('', { status: 404 })
    },
  })
  return { url: server.url.origin, [Symbol.asyncDispose]: () => server.stop(true) }
}

export type PageInput = { url: string; key: string; ticker: string; date: string; growing: string }
type InPage = { Client: typeof ClientOfPackage; grow: () => Promise<void> }

/** Runs in a page that has only the package. `growing` is a market that grows with each call of `grow`. */
export async function askInPage({ url, key, ticker, date, growing }: PageInput) {
  const { Client, grow } = globalThis as unknown as InPage
  const client = new Client({ url, key })
  const { code } = await client.get('/kalshi/market/book', { ticker: 'KXNONE' }).catch((error) => error)
  const startMs = Date.parse(date)
  const bounds = { start_timestamp: startMs, end_timestamp: startMs + 86_399_999, limit: 700 }
  let count = 0
  for await (const _ of client.rows('/kalshi/market/data/range', { ticker, ...bounds })) count++

  const hours = { ticker, date, resolution: 3600 }
  const { data } = await client.get('/kalshi/market/orderbook-summary', hours)
  const table = await client.arrow('/kalshi/market/orderbook-summary', hours)
  const quotes = table.toArray().map(({ timestamp, best_bid }) => [Number(timestamp), best_bid])
  const isTableAsJson = JSON.stringify(quotes) === JSON.stringify(data.map((row) => [row.timestamp, row.best_bid]))

  const link = await client.ticket(`/kalshi/market/trades?ticker=${ticker}&date=${date}&format=csv`)
  const [header] = (await (await fetch(link)).text()).split('\n')

  const follow = async (over: 'events' | 'socket', messages: number, after?: string) => {
    const behind = after === undefined ? {} : { after }
    const question = { markets: [`kalshi:${growing}`], channels: ['quotes' as const], over, failuresMax: 0, ...behind }
    const stream = client.stream(question)
    const received: string[] = []
    for await (const message of stream) {
      received.push(message.type === 'quote' ? `quote ${message.best_bid}` : message.type)
      if (received.length === messages) break
    }
    return { received, position: stream.position }
  }
  const streams: Record<string, string[]> = {}
  for (const over of ['events', 'socket'] as const) {
    const first = await follow(over, 2)
    await grow()
    const next = await follow(over, 1, first.position)
    streams[over] = [...first.received, ...next.received]
  }
  return { code, count, hours: [table.numRows, isTableAsJson], header, streams }
}
