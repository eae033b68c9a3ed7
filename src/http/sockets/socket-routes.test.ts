// Tests connections on a real socket: who may open one, what is refused before the handshake, and how they end.

import { afterEach, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { AUTHORIZED, fakeAccounts, NO_TOKENS, SECRET, testApp } from '../../../test/support/server.ts'
import type { AppDependencies } from '../../app.ts'
import type { Exchange } from '../../observe/exchange.ts'
import { wholeNumber } from '../parameters/parameter.ts'
import { listen } from '../server/listen.ts'
import type { Opening, Socket, SocketEndpoint } from './socket.ts'
import { webSockets } from './web-socket.ts'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

type Seen = { openings: Opening[]; sockets: Socket[]; closed: number[]; drains: number }

/** Returns an endpoint that echoes what it receives; `fail` throws, `bye` closes. */
function echo(changes: Partial<SocketEndpoint> = {}): { endpoint: SocketEndpoint; seen: Seen } {
  const seen: Seen = { openings: [], sockets: [], closed: [], drains: 0 }
  const endpoint: SocketEndpoint = {
    path: '/echo',
    venue: 'kalshi',
    required: {},
    optional: { speed: wholeNumber({ min: 0, max: 9 }) },
    hasEvents: true,
    about: { id: 'echo', summary: 'Echo', tag: 'service' },
    accept(opening) {
      seen.openings.push(opening)
      let socket: Socket
      const session = {
        open(opened: Socket) {
          socket = opened
          seen.sockets.push(socket)
          socket.send('hello', '7')
        },
        message(data: string | Uint8Array) {
          if (data === 'fail') throw new Error('a bug')
          if (data === 'bye') socket.close(1000, 'done')
          else socket.send(`got ${data}`)
        },
        drain: () => void seen.drains++,
        close: (code: number) => void seen.closed.push(code),
      }
      return opening.protocols.includes('echo-2') ? { session, protocol: 'echo-2' } : { session }
    },
    ...changes,
  }
  return { endpoint, seen }
}

function serve(endpoint: SocketEndpoint, changes: Partial<AppDependencies> = {}) {
  const app = testApp({ sockets: [endpoint], ...changes })
  const server = listen(app.fetch, { host: '127.0.0.1', port: 0, webSockets })
  stops.push(() => server.stop(0))
  return { ...app, ...server, socketUrl: server.url.replace('http', 'ws') }
}

type Client = { ws: WebSocket; next(): Promise<string>; ended: Promise<{ code: number; reason: string }> }

function open(url: string, options: { headers?: Record<string, string>; protocols?: string[] } = {}): Client {
  const ws = new WebSocket(url, options as never)
  const arrived: string[] = []
  const waiting: ((text: string) => void)[] = []
  const ended = Promise.withResolvers<{ code: number; reason: string }>()
  ws.onmessage = ({ data }) => {
    const taker = waiting.shift()
    if (taker === undefined) arrived.push(String(data))
    else taker(String(data))
  }
  ws.onclose = ({ code, reason }) => ended.resolve({ code, reason })
  stops.push(async () => ws.close())
  const next = () => {
    const text = arrived.shift()
    return text !== undefined ? Promise.resolve(text) : new Promise<string>((resolve) => void waiting.push(resolve))
  }
  return { ws, next, ended: ended.promise }
}

const HANDSHAKE = {
  upgrade: 'websocket',
  connection: 'upgrade',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

test('a connection is opened, spoken over and closed by the endpoint', async () => {
  const { endpoint, seen } = echo()
  const { socketUrl } = serve(endpoint)
  const client = open(`${socketUrl}/api/v1/echo?speed=3`, { headers: AUTHORIZED, protocols: ['other', 'echo-2'] })
  expect(await client.next()).toBe('hello')
  client.ws.send('a')
  expect(await client.next()).toBe('got a')
  expect(client.ws.protocol).toBe('echo-2')
  client.ws.send('bye')
  expect(await client.ended).toEqual({ code: 1000, reason: 'done' })
  expect(seen.openings[0]).toMatchObject({ kind: 'websocket', query: { speed: '3' }, key: { keyId: 'key_1' } })
  expect(seen.closed).toEqual([1000])
})

test('the key may be in the query, and the endpoint does not see it', async () => {
  const { endpoint, seen } = echo()
  const { socketUrl } = serve(endpoint)
  expect(await open(`${socketUrl}/echo?key=${SECRET}&speed=1`).next()).toBe('hello')
  expect(JSON.stringify(seen.openings)).not.toContain(SECRET)
  expect(seen.openings[0]!.target).toBe('/echo?speed=1')
})

test('a ticket opens a connection', async () => {
  const { endpoint } = echo()
  const { url, socketUrl } = serve(endpoint)
  const ticketAnswer = await fetch(`${url}/download-tickets`, {
    method: 'POST',
    headers: { ...AUTHORIZED, 'content-type': 'application/json' },
    body: JSON.stringify({ path: '/echo?speed=2' }),
  })
  const { url: ticketed } = (await ticketAnswer.json()) as { url: string }
  expect(await open(`${socketUrl}${ticketed}`).next()).toBe('hello')
})

test.each([
  ['no key', '/echo', HANDSHAKE, 401, 'key_missing', 'An API key is required'],
  ['an unknown key', '/echo?key=bb_wrong', HANDSHAKE, 401, 'key_unknown', 'does not know'],
  ['a key that is no text', '/echo?key=%zz', { ...HANDSHAKE, ...AUTHORIZED }, 400, 'parameters_invalid', 'key must be'],
  [
    'two keys',
    `/echo?key=${SECRET}&key=${SECRET}`,
    HANDSHAKE,
    400,
    'parameters_invalid',
    'key must be given only once',
  ],
  ['a wrong parameter', '/echo?speed=ten', { ...HANDSHAKE, ...AUTHORIZED }, 400, 'parameters_invalid', 'got "ten"'],
  ['an unknown one', '/echo?sped=1', { ...HANDSHAKE, ...AUTHORIZED }, 400, 'parameters_invalid', 'takes speed, key'],
  [
    'an old handshake',
    '/echo',
    { ...HANDSHAKE, ...AUTHORIZED, 'sec-websocket-version': '8' },
    426,
    'upgrade_required',
    '',
  ],
  ['no handshake', '/only', AUTHORIZED, 426, 'upgrade_required', 'Upgrade: websocket'],
])('refused before the handshake: %s', async (_, path, headers, status, code, words) => {
  const { endpoint, seen } = echo(path === '/only' ? { path: '/only', hasEvents: false } : {})
  const { url } = serve(endpoint)
  const response = await fetch(`${url}${path}`, { headers: headers as Record<string, string> })
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const problem = (await response.json()) as { code: string; detail: string }
  expect(problem.code).toBe(code)
  expect(problem.detail).toContain(words)
  expect(JSON.stringify(problem)).not.toContain(SECRET)
  expect(JSON.stringify(problem)).not.toContain('%zz')
  expect(seen.openings).toEqual([])
})

test('a key of another venue is refused', async () => {
  const key = { keyId: 'key_2', secretSha256: 'aa', userId: 'user', plan: 'free', scopes: ['polymarket'] } as const
  const { endpoint } = echo()
  const { url } = serve(endpoint, { accounts: { ...fakeAccounts, authenticate: () => ({ ok: true, key }) } })
  const response = await fetch(`${url}/echo`, { headers: { ...HANDSHAKE, ...AUTHORIZED } })
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([403, 'scope_missing'])
})

test('a key may have only a limited number of connections at once; one that ends frees its place', async () => {
  const { endpoint } = echo()
  const config = { ...NO_TOKENS, connectionsMax: 3, connectionsPerKeyMax: 2 }
  const { socketUrl, url, connections } = serve(endpoint, { config })
  const clients = [1, 2].map(() => open(`${socketUrl}/echo`, { headers: AUTHORIZED }))
  for (const client of clients) expect(await client.next()).toBe('hello')
  const refused = await fetch(`${url}/echo`, { headers: { ...HANDSHAKE, ...AUTHORIZED } })
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([429, 'connections_exceeded'])
  clients[0]!.ws.send('bye')
  await clients[0]!.ended
  expect(await open(`${socketUrl}/echo`, { headers: AUTHORIZED }).next()).toBe('hello')
  expect(connections.count).toBe(2)
})

test('a connection counts as one call of the plan, a refused one does not count', async () => {
  const calls: { counts: boolean; status: number }[] = []
  const { meter } = fakeAccounts
  const watched = {
    ready: meter.ready.bind(meter),
    charge: meter.charge.bind(meter),
    admit: meter.admit.bind(meter),
    settle(call: Parameters<typeof meter.settle>[0], status: number) {
      meter.settle(call, status)
      calls.push({ counts: call.counts, status })
    },
  }
  const { endpoint } = echo()
  const { socketUrl, url } = serve(endpoint, { accounts: { ...fakeAccounts, meter: watched as typeof meter } })
  expect(await open(`${socketUrl}/echo`, { headers: AUTHORIZED }).next()).toBe('hello')
  await fetch(`${url}/echo?speed=x`, { headers: { ...HANDSHAKE, ...AUTHORIZED } })
  expect(calls).toEqual([
    { counts: true, status: 101 },
    { counts: false, status: 400 },
  ])
})

test('a session that throws is logged, and its connection closed with 1011', async () => {
  const logged: unknown[] = []
  const { endpoint, seen } = echo()
  const { socketUrl } = serve(endpoint, { log: (_, __, error) => void logged.push(error) })
  const client = open(`${socketUrl}/echo`, { headers: AUTHORIZED })
  await client.next()
  client.ws.send('fail')
  expect((await client.ended).code).toBe(1011)
  expect(logged).toEqual([new Error('a bug')])
  expect(seen.closed).toEqual([1011])
})

test('a stopping server closes its connections as going away, and accepts no more', async () => {
  const { endpoint, seen } = echo()
  const { socketUrl, url, connections } = serve(endpoint)
  const client = open(`${socketUrl}/echo`, { headers: AUTHORIZED })
  await client.next()
  connections.stop()
  expect(await client.ended).toEqual({ code: 1001, reason: 'the server is stopping' })
  expect(seen.closed).toEqual([1001])
  expect((await fetch(`${url}/echo`, { headers: { ...HANDSHAKE, ...AUTHORIZED } })).status).toBe(503)
})

test('waits for a client that reads nothing: send reports it, and drain runs when it reads again', async () => {
  const { endpoint, seen } = echo()
  const { port } = serve(endpoint)
  const raw = connect(port, '127.0.0.1')
  const lines = ['GET /echo HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${SECRET}`]
  for (const [name, value] of Object.entries(HANDSHAKE)) lines.push(`${name}: ${value}`)
  raw.write(`${lines.join('\r\n')}\r\n\r\n`)
  let received = 0
  raw.on('data', (bytes) => {
    received += bytes.length
  })
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await Bun.sleep(1)
  }
  await until(() => received > 0)
  raw.pause()
  const [socket] = seen.sockets
  const text = 'x'.repeat(100_000)
  let sent = 1
  while (socket!.send(text)) sent++
  expect(seen.drains).toBe(0)
  raw.resume()
  await until(() => seen.drains === 1)
  await until(() => received >= sent * text.length)
  raw.destroy()
})

test('the same as server-sent events, which end with an event', async () => {
  const { endpoint, seen } = echo()
  const { url } = serve(endpoint)
  const response = await fetch(`${url}/echo`, { headers: { ...AUTHORIZED, 'last-event-id': '5' } })
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(seen.openings[0]).toMatchObject({ kind: 'events', lastEventId: '5' })
  while (seen.sockets.length === 0) await Bun.sleep(1)
  seen.sockets[0]!.close(1000, 'the end')
  const text = await response.text()
  expect(text).toBe(': connected\n\nid: 7\ndata: hello\n\nevent: close\ndata: {"code":1000,"reason":"the end"}\n\n')
  expect(seen.closed).toEqual([1000])
})

test('a client of server-sent events that reads nothing is waited for, and its leaving ends it', async () => {
  const { endpoint, seen } = echo()
  const { url } = serve(endpoint)
  const leaving = new AbortController()
  const response = await fetch(`${url}/echo`, { headers: AUTHORIZED, signal: leaving.signal })
  while (seen.sockets.length === 0) await Bun.sleep(1)
  const text = 'x'.repeat(100_000)
  for (let sent = 0; sent < 1_000 && seen.sockets[0]!.send(text); sent++) await Bun.sleep(0)
  expect(seen.sockets[0]!.send(text)).toBe(false)
  leaving.abort()
  await response.text().catch(() => undefined)
  while (seen.closed.length === 0) await Bun.sleep(1)
  expect(seen.closed).toEqual([1006])
})

test('a connection is one line of the access log, when it has ended, and shows no key', async () => {
  const ended: Exchange[] = []
  const { endpoint } = echo()
  const { socketUrl } = serve(endpoint, {
    observe: { observer: (exchange) => void ended.push(exchange) },
  })
  const client = open(`${socketUrl}/echo?key=${SECRET}`)
  await client.next()
  expect(ended).toEqual([])
  client.ws.send('bye')
  await client.ended
  while (ended.length === 0) await Bun.sleep(1)
  const { request: _, ...line } = ended[0]!
  expect(line).toMatchObject({ route: '/echo', path: '/echo', status: 101, bytes: 5, end: 'whole' })
  expect(JSON.stringify(line)).not.toContain(SECRET)
})
