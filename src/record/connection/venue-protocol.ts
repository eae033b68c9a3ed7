// What a venue's protocol says of its sockets, and what a connection does for it. The connection opens and closes
// sockets, writes what arrives to segments, watches the clocks and keeps the gaps. The protocol knows the messages.

import type { Timers } from '../../../storage/retry/timers.ts'
import type { Venue } from '../../../storage/venue.ts'
import type { GapReason } from '../../../workers/segment/segment-lines.ts'
import type { Handshake } from '../socket/web-socket.ts'
import type { AuditResult } from '../status/recorder-figures.ts'
import type { Clock, Random } from './time.ts'

/** A token of Polymarket, a ticker of Kalshi. */
export type BookId = string

export interface VenueProtocol {
  readonly venue: Venue
  /** Books that one connection may carry. It shrinks where the venue says that it is too many. */
  readonly booksMax: number
  /** Of Kalshi: what is asked for; null elsewhere. */
  readonly useYesPrice: boolean | null
  /** Asked before each attempt: a signature holds for one. */
  handshake(): Handshake
  /** Whether the venue has announced that it is away at this time, Unix ms: a gap is then of `maintenance`. */
  isPlannedOutage(atMs: number): boolean
  /** A socket was opened. The session lives as long as the socket. */
  open(link: Link): ProtocolSession
}

/** When a frame arrived. */
export type FrameStamp = {
  /** Unix nanoseconds; of a stamped replay when the frame was first received, null where that is not known. */
  recvNs: bigint | null
  monoNs: bigint
  /** Unix ms, the best that is known of when the frame was said: `recvNs`, or the event time of a stamped replay. */
  saidMs: number
}

/** The protocol on one open socket. It holds no timer past `close`. */
export interface ProtocolSession {
  /** Subscribes to these books. The first call follows the opening at once. */
  add(books: readonly BookId[]): void
  /** Unsubscribes. What still arrives of them is recorded. */
  remove(books: readonly BookId[]): void
  /** A text frame as it came, without the stamp of a replay; no `PING` or `PONG`. It is recorded whatever this does.
   *  What it means is told to the link while this runs. Throwing counts the frame as not understood. */
  read(text: string, stamp: FrameStamp): void
  /** Asks the venue for a sign of life: `Link.heartbeat`. */
  ping(): void
  /** No snapshot of these books came by the deadline: asks for them again, or elsewhere. The deadline begins anew. */
  snapshotsMissing(books: readonly BookId[]): void
  /** The socket is closed, or about to be. */
  close(): void
}

export type Loss = {
  reason: GapReason
  scope: 'connection' | 'subscription' | 'book'
  /** Sequence numbers, where a hole shows the loss. */
  expected?: number
  got?: number
  /** Unix ms since when something may be missing, where other things were heard after that. */
  sinceMs?: number
}

/** A snapshot that arrived, and what identifies it: `seq` on Kalshi, `hash` on Polymarket; the venue's time of it,
 *  Unix ms. */
export type SnapshotSeen = {
  market: string
  by: 'snapshot' | 'rest_book'
  hash?: string
  seq?: number
  venueMs?: number
}

/** What a connection does for the session of one of its sockets. */
export interface Link {
  readonly connectionId: string
  /** Unix ms up to which nothing is missing on the socket. */
  readonly heardUntilMs: number
  readonly clock: Clock
  readonly timers: Timers
  readonly random: Random
  /** Sends a command, and records it as it is said: it holds no secret. False where the socket is closed. */
  send(command: string): boolean
  /** Sends a text, or a Ping frame with this payload. It is not recorded. */
  heartbeat(kind: 'text' | 'ping', payload: string): void

  /** The frame carries data of the venue, no reply and no heartbeat. `venueMs` is its own time, NaN without one; then
   *  it is no older than `notBeforeMs`, where that is known. */
  data(venueMs: number, notBeforeMs?: number): void
  /** The frame holds a snapshot of a book, or `rest` is about to be given one: its gap, if it has one, is written
   *  before. */
  snapshot(book: BookId, seen: SnapshotSeen): void
  /** The frame holds something else of a book: a change with its hash, or a trade without one. */
  changed(book: BookId, market: string, hash?: string): void
  /** Something of these books is missing: each needs a snapshot. A book that is lost already stays so. Their snapshot
   *  deadlines begin. */
  lost(books: Iterable<BookId>, loss: Loss): void
  /** The frame is about no book that is recorded: it is written as a state, so that it makes no record. */
  aside(): void
  /** A message of a kind that is not known, counted by kind. It is recorded. */
  unknown(kind: string): void

  /** Whether the frames are those of a replay, which has no REST that agrees with it. */
  readonly isReplay: boolean
  /** Writes a REST body, received now. `ticker` where the body does not name its market. Call it after `snapshot`. */
  rest(body: string, ticker?: string): void
  /** What comparing a book with the venue's came to: written as an `audit` line, and counted. */
  audit(book: BookId, market: string, result: AuditResult): void
  /** Writes a state to the segment, as evidence. */
  state(name: string, fields?: Record<string, unknown>): void
  /** The socket is of no use any more: closes it, and opens another. */
  reconnect(reason: GapReason, because: string): void
  /** The venue does not let this connection carry these books: they are taken from it, and given to others. */
  refused(books: readonly BookId[], because: string): void
}
