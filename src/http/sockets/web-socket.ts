// A WebSocket connection of the runtime. The app accepts it with an answer of 101, and the listening server upgrades
// the request.

import type { ServerWebSocket, WebSocketHandler } from 'bun'
import type { Upgrades } from '../server/listen.ts'
import { RequestFailure } from '../server/request-failure.ts'
import { ABNORMAL, Connection, FAILED } from './connection.ts'
import type { Accepted, Socket } from './socket.ts'

/** Maximum size of a message. It is enough for a subscribe message with several thousand tokens of 78 digits. */
const MESSAGE_BYTES_MAX = 2 ** 20
/** Limit of the bytes that wait for a client. Sessions pause long before this limit. A connection above it is closed,
 *  since the runtime would drop messages. */
const BACKPRESSURE_BYTES_MAX = 2 ** 26
/** A client that reads nothing and answers no Ping for this long is gone. */
const IDLE_SECONDS = 240

/** Poll interval while a client is behind: the runtime does not always report that the client has caught up. */
const CHECK_MS = 20

/** After a close, a client that has not read the waiting messages within this time is disconnected. */
const CLOSE_WITHIN_MS = 60_000

export class WebSocketConnection extends Connection implements Socket {
  #ws: ServerWebSocket<WebSocketConnection> | undefined
  #isClosing = false
  /** Set while the session waits for the client to catch up. */
  #checkTimer: Timer | undefined

  opened(ws: ServerWebSocket<WebSocketConnection>): void {
    this.#ws = ws
    this.guarded(() => this.session.open(this))
    this.about.place.hold(this)
  }

  received(data: string | Uint8Array): void {
    if (!this.#isClosing) this.guarded(() => this.session.message(data))
  }

  drained(): void {
    clearInterval(this.#checkTimer)
    this.#checkTimer = undefined
    if (!this.#isClosing) this.guarded(() => this.session.drain())
  }

  /** Called when the connection has ended, or was never opened. */
  ended(code: number): void {
    clearInterval(this.#checkTimer)
    this.#ws = undefined
    this.#isClosing = true
    this.leave(code)
  }

  send(text: string): boolean {
    if (this.#isClosing) return false
    this.about.sent.bytes += Buffer.byteLength(text)
    return this.#isTaken(this.#ws!.send(text) > 0)
  }

  cork(send: () => void): boolean {
    if (this.#isClosing) return false
    const ws = this.#ws!
    ws.cork(send)
    return this.#isTaken(ws.getBufferedAmount() === 0)
  }

  #isTaken(isTaken: boolean): boolean {
    if (!isTaken) {
      this.#checkTimer ??= setInterval(() => {
        if (this.waitingBytes() === 0) this.drained()
      }, CHECK_MS)
    }
    return isTaken
  }

  waitingBytes(): number {
    return this.#ws?.getBufferedAmount() ?? 0
  }

  ping(text: string): void {
    if (!this.#isClosing) this.#ws!.ping(text)
  }

  close(code: number, reason: string): void {
    if (this.#isClosing) return
    this.#isClosing = true
    const ws = this.#ws
    if (ws === undefined) return
    ws.close(code, reason)
    // The close frame is queued behind what the client has not read.
    setTimeout(() => this.#ws?.terminate(), CLOSE_WITHIN_MS).unref()
  }

  override fail(error: unknown): void {
    this.about.onFailure(error)
    this.close(FAILED, 'the server failed')
  }
}

type Agreed = { connection: WebSocketConnection; protocol: string | undefined }

const agreed = new WeakMap<Request, Agreed>()

/** Returns the answer that accepts a WebSocket. */
export function agree(request: Request, connection: WebSocketConnection, { protocol }: Accepted): Response {
  agreed.set(request, { connection, protocol })
  return new Response(null, { status: 101 })
}

const upgrade: Upgrades<WebSocketConnection>['upgrade'] = (server, { given, request }, response) => {
  const { connection, protocol } = agreed.get(request) ?? {}
  if (connection === undefined) return response
  const headers = new Headers()
  for (const name of HEADERS) {
    const value = response.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  if (protocol !== undefined) headers.set('sec-websocket-protocol', protocol)
  if (server.upgrade(given, { data: connection, headers })) return undefined
  connection.ended(ABNORMAL)
  return new Response(null, { status: 400 })
}

/** Headers that the upgrade response takes from the app's answer. */
const HEADERS = ['x-request-id', 'ratelimit', 'ratelimit-policy']

const handler: WebSocketHandler<WebSocketConnection> = {
  maxPayloadLength: MESSAGE_BYTES_MAX,
  backpressureLimit: BACKPRESSURE_BYTES_MAX,
  closeOnBackpressureLimit: true,
  idleTimeout: IDLE_SECONDS,
  sendPings: true,
  open: (ws) => ws.data.opened(ws),
  message: (ws, data) => ws.data.received(data),
  drain: (ws) => ws.data.drained(),
  close: (ws, code) => ws.data.ended(code),
}

/** Passed to the listening server. */
export const webSockets: Upgrades<WebSocketConnection> = { handler, upgrade }

export const wantsWebSocket = ({ headers }: Request): boolean => headers.get('upgrade')?.toLowerCase() === 'websocket'

/** Throws RequestFailure unless the handshake follows RFC 6455. */
export function assertHandshake({ method, headers }: Request): void {
  const version = headers.get('sec-websocket-version')
  if (method === 'GET' && version === '13' && /^[A-Za-z0-9+/]{22}==$/.test(headers.get('sec-websocket-key') ?? ''))
    return
  throw upgradeRequired(
    'The handshake of a WebSocket must be a GET with Sec-WebSocket-Version: 13 and a Sec-WebSocket-Key',
  )
}

export const upgradeRequired = (message: string): RequestFailure =>
  new RequestFailure('upgrade_required', message, { headers: { upgrade: 'websocket', connection: 'upgrade' } })

export const offeredProtocols = ({ headers }: Request): string[] =>
  (headers.get('sec-websocket-protocol') ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
