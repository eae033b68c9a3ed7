// A server next to another process that writes. Streams follow the commits of that process, and the current book equals
// the book that the streams send.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { clusterVariables } from '../../../src/config/cluster-config.ts'
import { capture, kalshiDelta, kalshiSnapshot, NOON, TICKER } from '../../model/lines.ts'
import { serveProcess } from '../../support/programs/serve-process.ts'
import { TestStore } from '../../support/store.ts'
import { StreamClient, type StreamMessage } from '../../support/stream/stream-client.ts'

test('a commit of another process is streamed, and market/book returns the new book', async () => {
  const written = new TestStore()
  await written.loadLines('a', [JSON.stringify({ recv_ms: NOON, event: kalshiSnapshot([['0.40', '5.00']]) })])
  const accounts = `sqlite://${join(written.folder, 'accounts.sqlite')}`
  const where = { ...clusterVariables(written.place.cluster), ACCOUNTS_URL: accounts }
  await using server = await serveProcess(written.folder, { LOCAL_ACCESS: 'open', ...where })
  const stream = new WebSocket(`${server.url.replace('http', 'ws')}/stream?markets=kalshi:${TICKER}&channels=book`)
  const client = new StreamClient()
  let reported = Promise.withResolvers<void>()
  stream.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as StreamMessage
    client.apply(message)
    if (message.type !== 'begin') reported.resolve()
  }
  await reported.promise
  const ask = (headers: Record<string, string> = {}) =>
    fetch(`${server.url}/kalshi/market/book?ticker=${TICKER}`, { headers })
  let etag = (await ask()).headers.get('etag')!
  for (let i = 1; i <= 5; i++) {
    reported = Promise.withResolvers()
    await written.loadLines(`delta ${i}`, capture(kalshiDelta(10 * i, `0.4${i}`, `${i}.00`)).split('\n'))
    // In a folder, committed data is readable at once, before the stream reports it. A node of a cluster receives it a
    // moment later.
    if (written.place.cluster !== null) await reported.promise
    const response = await ask({ 'if-none-match': etag })
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
    etag = response.headers.get('etag')!
    const book = (await response.json()) as { as_of: number; bids: [number, number][] }
    expect(book.as_of).toBe(NOON + 10 * i)
    await reported.promise
    expect([...client.books.get(TICKER)!.bid].sort(([one], [other]) => other - one)).toEqual(book.bids)
  }
  stream.close()
  await written.close()
}, 30_000)
