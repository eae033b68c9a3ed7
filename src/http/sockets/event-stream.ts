// A connection as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), for clients that
// only receive.

import { ABNORMAL, type About, Connection, FAILED } from './connection.ts'
import { GOING_AWAY } from './open-connections.ts'
import type { Socket, SocketSession } from './socket.ts'

/** Bytes that may wait for a client before the session must pause. */
const BUFFER_BYTES = 64 * 1_024
/** Interval of comments while nothing is sent, so that both sides notice a lost connection. */
const COMMENT_EVERY_MS = 15_000

const encoder = new TextEncoder()

/** `x-accel-buffering` stops proxies from delaying events in order to compress or join them. */
export const EVENT_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }

/** Returns the response. The session begins when the response's body is first read. */
export function eventStream(session: SocketSession, about: About): Response {
  const connection = new EventConnection(session, about)
  const body = new ReadableStream<Uint8Array>(
    connection,
    new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES }),
  )
  return new Response(body, { headers: EVENT_HEADERS })
}

/** Formats one message as an event. */
export const eventText = (text: string, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}data: ${text}\n\n`

export class EventConnection extends Connection implements Socket {
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #timer: Timer | undefined
  #isBehind = false
  #isQuiet = true

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller
    this.#timer = setInterval(() => {
      if (this.#isQuiet) this.ping('')
      this.#isQuiet = true
    }, COMMENT_EVERY_MS)
    this.#write(': connected\n\n')
    this.guarded(() => this.session.open(this))
    this.about.place.hold(this)
  }

  pull(): void {
    if (!this.#isBehind) return
    this.#isBehind = false
    this.guarded(() => this.session.drain())
  }

  cancel(): void {
    this.#ended(ABNORMAL)
  }

  send(text: string, id?: string): boolean {
    return this.#write(eventText(text, id))
  }

  /** Sends events that other connections share: the bytes must not change. */
  sendEvents(bytes: Uint8Array): boolean {
    return this.#writeBytes(bytes)
  }

  waitingBytes(): number {
    return BUFFER_BYTES - (this.#controller?.desiredSize ?? BUFFER_BYTES)
  }

  cork(send: () => void): boolean {
    send()
    return this.#hasRoom()
  }

  ping(text: string): void {
    this.#write(`: ${text}\n\n`)
  }

  /** Ends the connection. A client of server-sent events reconnects after any end, so the event `close` is sent
   *  first. It is not sent with GOING_AWAY, after which the client should reconnect. */
  close(code: number, reason: string): void {
    const controller = this.#controller
    if (controller === undefined) return
    if (code !== GOING_AWAY) this.#write(`event: close\ndata: ${JSON.stringify({ code, reason })}\n\n`)
    this.#ended(code)
    controller.close()
  }

  override fail(error: unknown): void {
    this.about.onFailure(error)
    const controller = this.#controller
    if (controller === undefined) return
    this.#ended(FAILED)
    controller.error(error)
  }

  #write(text: string): boolean {
    return this.#writeBytes(encoder.encode(text))
  }

  #writeBytes(bytes: Uint8Array): boolean {
    if (this.#controller === undefined) return false
    this.#isQuiet = false
    this.about.sent.bytes += bytes.length
    this.#controller.enqueue(bytes)
    return this.#hasRoom()
  }

  #hasRoom(): boolean {
    this.#isBehind = (this.#controller?.desiredSize ?? 0) <= 0
    return !this.#isBehind
  }

  #ended(code: number): void {
    if (this.#controller === undefined) return
    this.#controller = undefined
    clearInterval(this.#timer)
    this.leave(code)
  }
}
