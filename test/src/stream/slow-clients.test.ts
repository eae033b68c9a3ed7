// Clients that stop reading the stream of an active market. The server disconnects them before they use much memory.
// When they reconnect at their position, they miss nothing.

import { expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { kalshiSnapshot, NOON, TICKER } from '../../model/lines.ts'
import { SECRET } from '../../support/server.ts'
import { ServedStream } from '../../support/stream/served-stream.ts'

const QUERY = `markets=kalshi:${TICKER}&channels=records`
const COMMITS_MAX = 60
const SNAPSHOTS = 8

/** Returns half a megabyte of snapshots, which all differ. */
function largeLines(commit: number): string[] {
  const levels = (size: number): [string, string][] =>
    Array.from({ length: 3_000 }, (_, i) => [((i + 1) / 10_000).toFixed(4), `${size}.00`])
  return Array.from({ length: SNAPSHOTS }, (_, i) => {
    const number = SNAPSHOTS * commit + i
    return JSON.stringify({ recv_ms: NOON + number, event: kalshiSnapshot(levels(number + 1)) })
  })
}

/** Returns a client that stops reading after the first message. `readAll` reads the rest, up to the end. */
async function silentClient(url: string, kind: 'websocket' | 'events') {
  const { hostname, port } = new URL(url)
  const upgrade =
    kind === 'events'
      ? ['Connection: close']
      : [
          'Upgrade: websocket',
          'Connection: Upgrade',
          'Sec-WebSocket-Version: 13',
          `Sec-WebSocket-Key: ${'A'.repeat(22)}==`,
        ]
  const lines = [
    `GET /stream?${QUERY} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${SECRET}`,
    ...upgrade,
    '',
    '',
  ]
  const socket: Socket = connect(Number(port), hostname)
  let text = ''
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1')
    if (text.includes('"type":"begin"')) begun.resolve()
  })
  socket.on('close', () => ended.resolve())
  socket.write(lines.join('\r\n'))
  await begun.promise
  socket.pause()
  return {
    async readAll(): Promise<string> {
      socket.resume()
      await ended.promise
      return text
    },
    end: () => socket.destroy(),
  }
}

test.each(['websocket', 'events'] as const)(
  'a client that does not read: %s',
  async (kind) => {
    await using served = new ServedStream()
    await served.store.loadLines('first', largeLines(0))
    const client = await silentClient(served.url, kind)
    const quick = await served.events(QUERY)
    await quick.next()
    const slow = async () =>
      /^backbook_stream_slow_subscribers_total (\d+)$/m.exec(await (await served.get('/metrics')).text())![1]
    let commits = 1
    const positions: string[] = []
    while ((await slow()) === '0' && commits < COMMITS_MAX) {
      await served.store.loadLines(`commit ${commits}`, largeLines(commits++))
      for (let i = 0; i < SNAPSHOTS; i++) positions.push(String((await quick.next()).position))
    }
    expect(await slow()).toBe('1')
    const text = await client.readAll()
    const [, position] = /\{"type":"slow","position":"([\w-]+)"/.exec(text)!
    const count = text.split('"type":"snapshot"').length - 1
    expect(count).toBeGreaterThan(0)
    expect(count).toBeLessThan(positions.length)
    // A stream from its position begins with the first message that the client has not received.
    const again = served.webSocket(`${QUERY}&after=${position}`)
    expect(String((await again.next()).position)).toBe(positions[count]!)
  },
  60_000,
)
