// What connections and their sockets are given, and whom they tell.

import type { Timers } from '../../../storage/retry/timers.ts'
import type { GapReason } from '../../../workers/segment/segment-lines.ts'
import type { OpenSegment } from '../segments/segment-keeper.ts'
import type { OpenSocket, SocketEnd } from '../socket/web-socket.ts'
import type { VenueFigures } from '../status/recorder-figures.ts'
import type { BackoffLimits } from './backoff.ts'
import type { CarriedLimits } from './carried-books.ts'
import type { ConnectPacer } from './connect-pacer.ts'
import type { Unheard } from './gap-lines.ts'
import type { Heard } from './gap-tracker.ts'
import type { LivenessLimits } from './liveness.ts'
import type { Clock, Random } from './time.ts'
import type { BookId, Loss, VenueProtocol } from './venue-protocol.ts'

export type ConnectionLimits = CarriedLimits & {
  backoff: BackoffLimits
  /** How long to wait after a new socket could not take the place of the old one. */
  rotateAgainMs: number
}

export type ConnectionOptions = SessionSurroundings & {
  /** Names its sockets: 1 to 50 of A-Z a-z 0-9 _ . - */
  id: string
  limits: ConnectionLimits
  /** Of all connections to the venue. */
  pacer: ConnectPacer
  /** Whether a venue that closes in an orderly way has nothing more to say. */
  endsWithVenue: boolean
  events: ConnectionEvents
}

export type ConnectionEvents = {
  opened(): void
  /** The server answered the handshake, and would answer the same next time. */
  handshakeRefused(end: SessionEnd): void
  /** The venue does not let it carry these: they are not among its books any more. What was heard of them. */
  refused(books: readonly BookId[], heard: ReadonlyMap<BookId, Heard>): void
  log(level: 'info' | 'warn', message: string, fields: Record<string, unknown>): void
}

export type SessionSurroundings = {
  protocol: VenueProtocol
  openSocket: OpenSocket
  openSegment: OpenSegment
  clock: Clock
  timers: Timers
  random: Random
  liveness: LivenessLimits
  figures: VenueFigures
}

/** What a socket tells its connection. */
export type SessionEvents = {
  /** Those of the connection now. */
  books(): Iterable<BookId>
  /** Whether another socket is the one that counts. */
  standsBy(): boolean
  opened(): void
  /** `unheard` is what it tells that was not heard before. */
  snapshot(book: BookId, unheard: Unheard | undefined): void
  lost(books: Iterable<BookId>, loss: Loss): void
  refused(books: readonly BookId[], because: string): void
  /** Told once. Its segment is still open: `close` closes it. */
  ended(end: SessionEnd): void
}

export type SessionEnd = SocketEnd & {
  /** What the loss is reported as, where the recorder ended the socket by itself. */
  loss: GapReason | null
  wasOpen: boolean
}
