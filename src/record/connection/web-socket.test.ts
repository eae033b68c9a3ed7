// Tests what the runtime's WebSocket client does by itself, and what it reports: the recorder relies on it.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Venue } from '../../../storage/venue.ts'
import { isPresent } from '../../../test/run/missing.ts'
import { eventually } from '../../../test/support/record/recorder-run.ts'
import {
  type RawSocket,
  type Refusal,
  type SocketServer,
  socketServer,
  type Upgrade,
} from '../../../test/support/venues/socket-server.ts'
import {
  handshakeRefusal,
  isOrderly,
  isReplay,
  openWebSocket,
  type SocketEnd,
  type SocketEvents,
  withoutSecrets,
} from './web-socket.ts'

class RecordedEvents implements SocketEvents {
  readonly texts: string[] = []
  protocol: string | undefined
  frames = 0
  end: SocketEnd | undefined

  opened(protocol: string): void {
    this.protocol = protocol
  }

  text(text: string): void {
    this.texts.push(text)
  }

  alive(): void {
    this.frames++
  }

  ended(end: SocketEnd): void {
    this.end = end
  }
}

let server: SocketServer | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

type Peer = { socket: RawSocket; upgrade: Upgrade; pongs: string[]; texts: string[] }

async function connect(
  headers: Record<string, string> = {},
  { refusal, protocols = [] }: { refusal?: Refusal; protocols?: string[] } = {},
) {
  const peers: Peer[] = []
  server = await socketServer({
    refuse: () => refusal,
    open: (socket, upgrade) => void peers.push({ socket, upgrade, pongs: [], texts: [] }),
    text: (_, text) => void peers[0]!.texts.push(text),
    pong: (_, payload) => void peers[0]!.pongs.push(payload),
  })
  const events = new RecordedEvents()
  const socket = openWebSocket()({ url: `ws://127.0.0.1:${server.port}/ws`, headers }, protocols, events)
  await eventually('an answer', () => events.protocol !== undefined || events.end !== undefined)
  return { events, socket, peer: peers[0] }
}

describe("the runtime's client", () => {
  test('takes the headers of the handshake', async () => {
    const { peer, events } = await connect({ 'KALSHI-ACCESS-KEY': 'key-1' })
    expect(peer!.upgrade.headers['kalshi-access-key']).toBe('key-1')
    expect(events.protocol).toBe('')
  })

  test('treats a server that does not accept the subprotocol as failed', async () => {
    const { peer, events } = await connect({}, { protocols: ['backbook-stamped'] })
    expect(peer!.upgrade.headers['sec-websocket-protocol']).toBe('backbook-stamped')
    expect([events.protocol, events.end?.status]).toEqual([undefined, null])
  })

  test('answers a Ping frame with its payload, and reports it', async () => {
    const { peer, events } = await connect()
    peer!.socket.ping('heartbeat')
    await eventually('a Pong', () => peer!.pongs.length === 1)
    expect([peer!.pongs, events.frames]).toEqual([['heartbeat'], 1])
  })

  test('reports the Pong that answers its own Ping', async () => {
    const { socket, events } = await connect()
    socket.ping('')
    await eventually('a Pong', () => events.frames === 1)
  })

  test('reports the answer to a refused handshake', async () => {
    const { events } = await connect({}, { refusal: { status: 429, headers: { 'Retry-After': '7' } } })
    await eventually('the end', () => events.end !== undefined)
    expect(events.end).toMatchObject({ status: 429, retryAfter: '7' })
  })

  test.each([
    ['{"error":{"code":"unauthorized","message":"wrong signature"}}', 'wrong signature'],
    ['{"error":"no such key"}', 'no such key'],
    ['{"title":"Unauthorized","detail":"The key is revoked."}', 'The key is revoked.'],
    ['{"detail":7}', ''],
    ['null', ''],
    ['<html>', ''],
  ])('takes the reason of a refusal from its body: %s', async (body, reason) => {
    const { events } = await connect({}, { refusal: { status: 401, body } })
    await eventually('the end', () => events.end !== undefined)
    expect(events.end!.reason).toBe(reason)
  })

  test('reports why a socket did not open, without the key in its address', async () => {
    const { port, stop } = await socketServer({ open: () => undefined, text: () => undefined })
    await stop()
    const events = new RecordedEvents()
    const url = `ws://user:word@127.0.0.1:${port}/it's/ws?from=1&key=bb_secret`
    openWebSocket()({ url, headers: {} }, [], events)
    await eventually('the end', () => events.end !== undefined)
    expect(events.end!.reason).toBe(`WebSocket connection to ws://127.0.0.1:${port}/it's/ws failed: Failed to connect`)
  })

  test('reports the code of a close, and nothing after it', async () => {
    const { events, peer } = await connect()
    peer!.socket.text('last')
    peer!.socket.close(1012, 'later')
    await eventually('the end', () => events.end !== undefined)
    expect([events.texts, events.end]).toEqual([
      ['last'],
      { code: 1012, reason: 'later', status: null, retryAfter: null },
    ])
  })

  test('ends a socket whose other side does not answer', async () => {
    const { events, socket, peer } = await connect()
    peer!.socket.isSilent = true
    socket.close()
    socket.terminate()
    await eventually('the end', () => events.end !== undefined)
    expect(socket.send('more')).toBe(false)
  })

  test('accepts compression if the server offers it, and inflates', async () => {
    const long = 'a'.repeat(1 << 20)
    const compressing = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request, own) => (own.upgrade(request) ? undefined : new Response('')),
      websocket: { perMessageDeflate: true, open: (socket) => void socket.send(long, true), message: () => undefined },
    })
    const socket = new WebSocket(`ws://127.0.0.1:${compressing.port}`)
    const text = await new Promise<string>((resolve) => {
      socket.onmessage = ({ data }) => resolve(String(data))
    })
    expect([socket.extensions.includes('permessage-deflate'), text === long]).toEqual([true, true])
    socket.terminate()
    await compressing.stop(true)
  })
})

const openssl = Bun.which('openssl')
isPresent(openssl !== null, 'openssl')

describe.skipIf(openssl === null)('a certificate', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backbook-certificate-'))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const subject = ['-subj', '/CN=elsewhere.example', '-addext', 'subjectAltName=IP:127.0.0.1']
  let guarded: Bun.Server<undefined> | undefined

  beforeAll(() => {
    const made = Bun.spawnSync([openssl!, 'req', ...kind, ...subject, '-keyout', key, '-out', certificate])
    expect(made.exitCode).toBe(0)
    guarded = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      tls: { key: readFileSync(key), cert: readFileSync(certificate) },
      fetch: (request, own) => (own.upgrade(request) ? undefined : new Response('')),
      websocket: { message: () => undefined },
    })
  })

  afterAll(async () => {
    await guarded?.stop(true)
    rmSync(folder, { recursive: true })
  })

  const connectTo = async (host: string, tls: { ca?: string }) => {
    const events = new RecordedEvents()
    const socket = openWebSocket(tls)({ url: `wss://${host}:${guarded!.port}`, headers: {} }, [], events)
    await eventually('an answer', () => events.protocol !== undefined || events.end !== undefined)
    socket.terminate()
    return events
  }

  test('that is not trusted is refused', async () => {
    const { protocol, end } = await connectTo('127.0.0.1', {})
    expect([protocol, end?.status, end?.reason]).toEqual([undefined, null, expect.stringContaining('self signed')])
  })

  test('of another host is refused', async () => {
    const { protocol, end } = await connectTo('localhost', { ca: readFileSync(certificate, 'utf8') })
    expect([protocol, end?.status]).toEqual([undefined, null])
  })

  test('that is trusted by name is accepted', async () => {
    expect((await connectTo('127.0.0.1', { ca: readFileSync(certificate, 'utf8') })).protocol).toBe('')
  })
})

const KALSHI = 'wss://venue.example/trade-api/ws/v2'
const REPLAY = 'ws://127.0.0.1:8080/replay/kalshi/trade-api/ws/v2?from=1&to=2'
const SIGNED = { 'KALSHI-ACCESS-KEY': 'key-1' }

test.each<[Venue, string, Record<string, string>, number, string]>([
  ['kalshi', KALSHI, SIGNED, 401, 'the API key is not accepted: check its id, its private key, and the clock of'],
  ['kalshi', KALSHI, {}, 401, 'it is not signed: set kalshi.key_id'],
  ['kalshi', KALSHI, SIGNED, 403, 'the API key, or this machine has no access'],
  ['kalshi', `${REPLAY}&key=secret`, {}, 401, 'the key in kalshi.ws_url is not accepted'],
  ['kalshi', REPLAY, {}, 401, 'kalshi.ws_url has no key'],
  ['kalshi', `${REPLAY}&key=secret`, {}, 403, 'the key in kalshi.ws_url, or this machine has no access'],
  ['kalshi', REPLAY, {}, 400, 'check kalshi.ws_url'],
  ['polymarket', 'wss://venue.example/ws', {}, 403, 'this machine has no access'],
  ['polymarket', 'wss://venue.example/ws', {}, 401, 'check polymarket.ws_url'],
])('of %s at %s with %j and %i', (venue, url, headers, status, advice) => {
  const ifUnsigned = venue === 'kalshi' ? { ifUnsigned: 'it is not signed: set kalshi.key_id' } : {}
  const text = handshakeRefusal(venue, { url, headers, ...ifUnsigned }, { status, reason: 'no' })
  const address = url.replace(/\?.*/, '')
  expect(text).toStartWith(`the connection to ${address} is refused with ${status} (no): ${advice}`)
  expect(text).not.toContain('secret')
})

test('an address of a replay is known by its path, and loses its key', () => {
  const url = 'wss://host.example/api/v1/replay/polymarket/ws/market?from=1&key=bb_secret'
  expect([isReplay(url), isReplay('wss://host.example/ws/market')]).toEqual([true, false])
  expect(withoutSecrets(url)).toBe('wss://host.example/api/v1/replay/polymarket/ws/market')
  expect(withoutSecrets('wss://user:password@host.example/ws')).toBe('wss://host.example/ws')
})

test('a server that closes with 1000 or 1001 has sent everything', () => {
  const end = { reason: '', status: null, retryAfter: null }
  expect([1_000, 1_001, 1_006, 1_012].filter((code) => isOrderly({ ...end, code }))).toEqual([1_000, 1_001])
})
