// What an endpoint of open connections declares, and what a connection is to it: WebSocket, or server-sent events for
// clients that only listen.

import type { Venue } from '../../../storage/venue.ts'
import type { ActiveKey } from '../../accounts/keys/key-directory.ts'
import type { Operation } from '../../openapi/operation.ts'
import type { Parameter } from '../parameters/parameter.ts'

/** The server's end of an open connection. */
export interface Socket {
  /** Sends one message; `id` is the event's id where these are server-sent events. False where the client takes less
   *  than it is sent: what was given will arrive, but send nothing more before `drain`. */
  send(text: string, id?: string): boolean
  /** What is sent within goes out together. False as `send` says it. */
  cork(send: () => void): boolean
  /** Bytes that were sent and that the client has not taken. */
  waitingBytes(): number
  /** A Ping frame; a comment among server-sent events. */
  ping(text: string): void
  /** Ends the connection behind all that was sent. The session's `close` follows. */
  close(code: number, reason: string): void
  /** Logs a failure of ours, and closes with 1011. */
  fail(error: unknown): void
}

/** What happens on a connection. No call follows `close`, which comes once. */
export interface SocketSession {
  open(socket: Socket): void
  /** Text or binary, as the client sent it. Never called for server-sent events. */
  message(data: string | Uint8Array): void
  /** The client has taken what was sent: more may be. */
  drain(): void
  /** It has ended, whoever ended it. */
  close(code: number): void
}

/** A request for a connection: its parameters are valid each by itself, its key is known, and its plan allows it. */
export type Opening = {
  kind: 'websocket' | 'events'
  query: Readonly<Record<string, string>>
  /** Null for clients that need none. */
  key: ActiveKey | null
  address: string | null
  /** Path and query without the key. */
  target: string
  /** Subprotocols that the client offers, in its order. */
  protocols: readonly string[]
  /** Where a client of server-sent events was before it lost its connection; null where it says nothing. */
  lastEventId: string | null
}

/** `protocol` is one of those offered. */
export type Accepted = { session: SocketSession; protocol?: string }

export type SocketEndpoint = {
  /** Without the prefix of all paths. */
  path: string
  /** The venue that its key must be for. Null for both: the endpoint asserts then that the key is for what is asked. */
  venue: Venue | null
  required: Readonly<Record<string, Parameter>>
  optional: Readonly<Record<string, Parameter>>
  /** Whether it answers server-sent events to who asks for no WebSocket. */
  hasEvents: boolean
  about: Pick<Operation, 'id' | 'summary' | 'description' | 'tag' | 'failures'>
  /** May throw or reject with RequestFailure or DataError: the client gets that as an answer, and no connection. */
  accept(opening: Opening): Accepted | Promise<Accepted>
}
