// The interface between a venue's protocol and a connection. The connection opens and closes sockets, writes frames to
// segments, watches deadlines and tracks gaps. The protocol knows the messages.

import type { AuditResult } from '../../../storage/finding/audits.ts'
import type { Venue } from '../../../storage/venue.ts'
import type { GapReason } from '../../../workers/segment/segment-lines.ts'
import type { RestHost } from '../rest/rest-host.ts'
import type { GapTracker } from './gap-tracker.ts'
import type { Handshake } from './web-socket.ts'

/** A token of Polymarket, a ticker of Kalshi. */
export type BookId = string

export interface VenueProtocol {
  readonly venue: Venue
  /** Maximum number of books of one connection. The number decreases if the venue refuses so many. */
  readonly booksMax: number
  /** Whether Kalshi is requested to send NO levels at YES prices; null for other venues. */
  readonly useYesPrice: boolean | null
  /** The text that is sent as a ping; null sends a Ping frame. */
  readonly heartbeat: string | null
  /** Returns the handshake for one attempt. A new attempt needs a new handshake, because a signature is valid only
   *  once. */
  handshake(): Handshake
  /** Whether this time, Unix ms, is in a planned maintenance of the venue: a gap then has the reason
   *  `maintenance`. */
  isPlannedOutage(atMs: number): boolean
  /** How to request books that a socket did not send; null if REST is not used. */
  readonly bookSource: BookSource | null
  /** Starts a session on a socket that was just opened. The session ends with the socket. */
  open(link: Link): ProtocolSession
}

export type BookSource = {
  rest: Pick<RestHost, 'get'>
  path(book: BookId): string
  isBook(json: unknown): boolean
  /** How far the socket may lag behind REST, ms. A REST response is read only this long after it arrives. */
  settleMs: number
  attempts: number
  /** Returns the pause before the next request, ms. `failures` is the number of response bodies so far that did not fit
   *  between the socket's messages. */
  waitMs(failures: number): number
}

/** When a frame arrived. */
export type FrameStamp = {
  /** Unix ns. For a stamped replay, when the frame was first received; null if that is not known. */
  recvNs: bigint | null
  monoNs: bigint
  /** Best known time at which the frame was sent, Unix ms: `recvNs`, or the event time of a stamped replay. */
  sentMs: number
}

/** The protocol on one open socket. Frames, books from REST and the passing of time come in; events go out to the link.
 *  The session has no timers and sends no request by itself. */
export interface ProtocolSession {
  /** Subscribes to these books. The first call comes right after the opening. */
  add(books: readonly BookId[]): void
  /** Unsubscribes from these books. If messages of these books still arrive, they are recorded. */
  remove(books: readonly BookId[]): void
  /** Reads a text frame as received, without the stamp of a replay; never `PING` or `PONG`. Reports to the link, during
   *  this call, what the frame means. The frame is recorded in any case. If this throws, the frame counts as not
   *  understood. */
  read(text: string, stamp: FrameStamp): void
  /** Called when the snapshots of these books did not arrive by the deadline, and a new deadline has started. Requests
   *  the snapshots again, from the socket or from REST. */
  snapshotsMissing(books: readonly BookId[]): void
  /** Handles the deadlines that have passed. Times are ms of the monotonic clock. Returns the next deadline;
   *  Infinity if there is none. */
  due(nowMs: number): number
  /** Notes that the book is about to be requested from REST. Returns false if the book is no longer needed. */
  beginBook(book: BookId): boolean
  /** Reads the response body of a requested book; `json` is the same body, parsed. Returns false if the body does not
   *  fit between the messages of the socket: then the book must be requested again. */
  readBook(book: BookId, body: string, json: unknown): boolean
  /** Ends the session. The socket is closed, or about to be. */
  close(): void
}

export type Loss = {
  reason: GapReason
  scope: 'connection' | 'subscription' | 'book'
  /** The expected and the received sequence number, if a missing number shows the loss. */
  expected?: number
  got?: number
  /** Messages may be missing since this time, Unix ms. Set if other messages have arrived after this time. */
  sinceMs?: number
}

/** A snapshot that arrived, with its identity (`seq` on Kalshi, `hash` on Polymarket) and its venue time, Unix ms. */
export type SnapshotSeen = {
  market: string
  by: 'snapshot' | 'rest_book'
  hash?: string
  seq?: number
  venueMs?: number
}

/** The services of a connection for the session of one of its sockets. */
export interface Link {
  readonly connectionId: string
  /** Time up to which no message is missing on the socket, Unix ms. */
  readonly completeUntilMs: number
  /** The current time, ms of the monotonic clock. */
  readonly monoMs: number
  /** How far the books of the connection can be trusted. */
  readonly trust: Pick<GapTracker, 'trustOf' | 'contradicted'>
  /** Calls `due` of the session at this time, ms of the monotonic clock, if it is before the next deadline. */
  wakeAt(monoMs: number): void
  /** Requests these books from REST, if REST is used. */
  requestBooks(books: readonly BookId[]): void
  /** Sends a command and records its text, which must contain no secret. Returns false if the socket is closed. */
  send(command: string): boolean

  /** Reports that the frame has data of the venue: not a reply and not a heartbeat. `venueMs` is the venue's time, NaN
   *  without one. The data is at least as new as `notBeforeMs`, if that is known. */
  data(venueMs: number, notBeforeMs?: number): void
  /** Reports a snapshot of a book in the frame, or in the REST body that `rest` will write next. If the book has an
   *  open gap, writes the gap before the snapshot. */
  snapshot(book: BookId, seen: SnapshotSeen): void
  /** Reports another message of a book in the frame: a change or a trade. `hash` is the hash of a change; a trade has
   *  none. */
  changed(book: BookId, market: string, hash?: string): void
  /** Marks these books as lost and starts their snapshot deadlines. A book that is already lost stays lost. */
  lost(books: Iterable<BookId>, loss: Loss): void
  /** Writes the frame as a state, so that the frame does not become a record. Must be called for a frame that is about
   *  no recorded book, or that repeats a message. */
  aside(): void
  /** Counts a message of an unknown kind. The message is also recorded. */
  unknown(kind: string): void

  /** Whether the frames come from a replay. The books of a replay cannot be compared with REST, because no REST server
   *  has them. */
  readonly isReplay: boolean
  /** Writes a REST body that was received now. `ticker` is required if the body does not name its market. Must be
   *  called after `snapshot`. */
  rest(body: string, ticker?: string): void
  /** Writes the result of an audit as an `audit` line, and counts it. */
  audit(book: BookId, market: string, result: AuditResult): void
  /** Writes a state to the segment, as evidence. */
  state(name: string, fields?: Record<string, unknown>): void
  /** Closes this socket, which can no longer be used, and opens another. */
  reconnect(reason: GapReason, because: string): void
  /** Moves these books to other connections, because the venue does not let this connection carry them. */
  refused(books: readonly BookId[], because: string): void
}

export type WantedMarket = {
  venue: Venue
  /** Condition id, or ticker. Null for tokens that are configured without their market. */
  market: string | null
  /** Both tokens of a Polymarket market, which share a connection; the ticker on Kalshi. */
  books: readonly BookId[]
}

/** The recorder, as discovery sees it. Repeated calls have no further effect. */
export interface MarketSink {
  /** Records these markets from now on, or as soon as there is room. */
  want(markets: readonly WantedMarket[]): void
  /** Unsubscribes the books of markets that are over. */
  unwant(venue: Venue, books: readonly BookId[]): void
}
