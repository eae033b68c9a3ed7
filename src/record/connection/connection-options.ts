// The options of connections and their sockets, and the events that they report.

import type { Timers } from '../../../storage/retry/timers.ts'
import type { GapReason } from '../../../workers/segment/segment-lines.ts'
import type { ConnectionConfig } from '../config/venue-config.ts'
import type { OpenSegment } from '../segments/segment-files.ts'
import type { VenueStats } from '../status/recorder-stats.ts'
import type { Clock, Random } from '../time/clock.ts'
import type { BackoffLimits, ConnectPacer } from './attempts.ts'
import type { MissedChange } from './gap-lines.ts'
import type { LastSeen } from './gap-tracker.ts'
import type { LivenessLimits } from './liveness.ts'
import type { BookId, Loss, VenueProtocol } from './venue-protocol.ts'
import type { OpenSocket, SocketEnd } from './web-socket.ts'

/** Limits in ms, except `broadBooks`. */
type ConnectionLimits = LivenessLimits & BackoffLimits & Pick<ConnectionConfig, 'snapshotMs'>

export type ConnectionOptions = SessionContext & {
  /** Prefix of the names of the connection's sockets: 1 to 50 of A-Z a-z 0-9 _ . - */
  id: string
  /** Shared by all connections to the venue. */
  pacer: ConnectPacer
  /** Whether a normal close by the venue means that it has sent everything. */
  endsWithVenue: boolean
  events: ConnectionEvents
}

export type ConnectionEvents = {
  opened(): void
  /** Called when the server has refused the handshake and would refuse it again. */
  handshakeRefused(end: SessionEnd): void
  /** Called when the venue does not let the connection carry these books, so they were removed. `lastSeen` has the
   *  last-seen times of the books. */
  refused(books: readonly BookId[], lastSeen: ReadonlyMap<BookId, LastSeen>): void
  warn(fields: object, message: string): void
}

export type SessionContext = {
  protocol: VenueProtocol
  openSocket: OpenSocket
  openSegment: OpenSegment
  clock: Clock
  timers: Timers
  random: Random
  limits: ConnectionLimits
  stats: VenueStats
}

/** Events of a socket for its connection. */
export type SessionEvents = {
  /** Returns the current books of the connection. */
  books(): Iterable<BookId>
  /** Whether this socket is the standby, and another one is the primary. */
  standsBy(): boolean
  opened(): void
  /** Called when a snapshot has come. `missed` is set if the snapshot shows changes that the primary socket has not
   *  received. */
  snapshot(book: BookId, missed: MissedChange | undefined): void
  lost(books: Iterable<BookId>, loss: Loss): void
  refused(books: readonly BookId[], because: string): void
  /** Called once, when the socket has ended. The socket's segment is still open until `close`. */
  ended(end: SessionEnd): void
}

export type SessionEnd = SocketEnd & {
  /** Reason for the gap if the recorder ended the socket; null otherwise. */
  loss: GapReason | null
  wasOpen: boolean
}
