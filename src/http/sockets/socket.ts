// The interface between endpoints and open connections: WebSocket, or server-sent events for clients that only receive.

import type { Venue } from '../../../storage/venue.ts'
import type { ActiveKey } from '../../accounts/keys/key-directory.ts'
import type { Operation } from '../../openapi/operation.ts'
import type { Parameter } from '../parameters/parameter.ts'

/** The server's end of an open connection. */
export interface Socket {
  /** Sends one message; `id` is the event's id for server-sent events. Returns false if the client reads too slowly:
   *  this message will still arrive, but send no more before `drain`. */
  send(text: string, id?: string): boolean
  /** Sends all messages of the callback `send` together. Returns false like the method `send`. */
  cork(send: () => void): boolean
  /** Bytes that were sent but not yet read by the client. */
  waitingBytes(): number
  /** Sends a Ping frame, or a comment for server-sent events. */
  ping(text: string): void
  /** Ends the connection after everything sent so far. Then the session's `close` is called. */
  close(code: number, reason: string): void
  /** Logs a failure of the server, and closes with 1011. */
  fail(error: unknown): void
}

/** The events of a connection. `close` comes once and last. */
export interface SocketSession {
  open(socket: Socket): void
  /** Receives a message as text or bytes, as the client sent it. Never called for server-sent events. */
  message(data: string | Uint8Array): void
  /** Called when the client has read what was sent. The session may then send more. */
  drain(): void
  /** Called when the connection has ended, from either side. */
  close(code: number): void
}

/** A request for a connection. Each parameter is valid, the key is known, and the plan allows the request. */
export type Opening = {
  kind: 'websocket' | 'events'
  query: Readonly<Record<string, string>>
  /** Null for clients that need no key. */
  key: ActiveKey | null
  address: string | null
  /** Path and query without the key. */
  target: string
  /** Subprotocols that the client offers, in its order. */
  protocols: readonly string[]
  /** Last event id of a reconnecting client of server-sent events; null if it sends none. */
  lastEventId: string | null
}

/** `protocol` is one of the subprotocols that the client offered. */
export type Accepted = { session: SocketSession; protocol?: string }

export type SocketEndpoint = {
  /** The path without the common prefix. */
  path: string
  /** The venue that the key must be for. Null if the endpoint is for both venues: it then checks the key's scope
   *  itself. */
  venue: Venue | null
  required: Readonly<Record<string, Parameter>>
  optional: Readonly<Record<string, Parameter>>
  /** True if the endpoint answers with server-sent events when the client does not request a WebSocket. */
  hasEvents: boolean
  about: Pick<Operation, 'id' | 'summary' | 'description' | 'tag' | 'failures'>
  /** May throw or reject with RequestFailure or DataError. The client then receives the error as its answer, and no
   *  connection. */
  accept(opening: Opening): Accepted | Promise<Accepted>
}
