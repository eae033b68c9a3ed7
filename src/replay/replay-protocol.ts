// A replay in the protocol of a venue: a program that was written for the venue connects to the replay instead.

import type { Catalogue } from '../../storage/catalogue.ts'
import type { SocketSession } from '../http/sockets/socket.ts'
import type { AskBooks } from './books.ts'
import type { Left } from './continuations.ts'
import type { PlayerParts } from './player.ts'

export type ReplayProtocol = {
  /** Begins with /replay/ and the venue, and ends like the venue's own path. */
  path: string
  /** Operation id in the OpenAPI document; must never change. */
  id: string
  /** Name of the protocol for use in a sentence, such as "Kalshi's WebSocket". */
  name: string
  /** Returns a function that makes the session of a connection. */
  sessions(catalogue: Catalogue): (parts: SessionParts) => SocketSession
}

export type SessionParts = Omit<PlayerParts, 'text'> & {
  askBooks: AskBooks
  isStamped: boolean
  disconnected: (left: Left) => void
}
