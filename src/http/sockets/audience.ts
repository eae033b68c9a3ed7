// A group of connections that receive the same messages: each message is encoded once for all of them.

import { EventConnection, eventText } from './event-stream.ts'
import type { Socket } from './socket.ts'
import { WebSocketConnection } from './web-socket.ts'

/** `id` is the event's id if the message is sent as a server-sent event. */
export type SharedMessage = { text: string; id: string }

let audiences = 0

export class Audience {
  readonly #topic = `audience ${++audiences}`
  readonly #webSockets = new Set<WebSocketConnection>()
  readonly #eventStreams = new Set<EventConnection>()
  /** Connections of other kinds. Each message is sent to each of them separately. */
  readonly #others = new Set<Socket>()

  get size(): number {
    return this.#webSockets.size + this.#eventStreams.size + this.#others.size
  }

  add(socket: Socket): void {
    if (socket instanceof WebSocketConnection) {
      socket.enter(this.#topic)
      this.#webSockets.add(socket)
    } else if (socket instanceof EventConnection) this.#eventStreams.add(socket)
    else this.#others.add(socket)
  }

  delete(socket: Socket): void {
    if (socket instanceof WebSocketConnection && this.#webSockets.delete(socket)) socket.leave(this.#topic)
    else if (socket instanceof EventConnection) this.#eventStreams.delete(socket)
    else this.#others.delete(socket)
  }

  *[Symbol.iterator](): Generator<Socket> {
    yield* this.#webSockets
    yield* this.#eventStreams
    yield* this.#others
  }

  send(messages: readonly SharedMessage[]): void {
    const [anyone] = this.#webSockets
    if (anyone !== undefined) {
      for (const { text } of messages) anyone.publish(this.#topic, text)
      const bytes = messages.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
      for (const socket of this.#webSockets) socket.published(bytes)
    }
    if (this.#eventStreams.size > 0) {
      const bytes = new Uint8Array(Buffer.from(messages.map(({ text, id }) => eventText(text, id)).join('')))
      for (const stream of this.#eventStreams) stream.sendEvents(bytes)
    }
    for (const socket of this.#others) for (const { text, id } of messages) socket.send(text, id)
  }
}
