// Assigns the markets of a venue to its connections. The books of a market share a connection.

import { Connection } from '../connection/connection.ts'
import type { ConnectionOptions, SessionEnd } from '../connection/connection-options.ts'
import type { LastSeen } from '../connection/gap-tracker.ts'
import type { BookId, VenueProtocol, WantedMarket } from '../connection/venue-protocol.ts'
import { handshakeRefusal } from '../connection/web-socket.ts'
import type { VenueStats } from '../status/recorder-stats.ts'

type VenueConnectionsOptions = {
  protocol: VenueProtocol
  connectionsMax: number
  stats: VenueStats
  /** False while no new markets may be taken. */
  hasRoom(): boolean
  /** Returns the last-seen time of a book that this process has not recorded yet. Called once for each book. */
  takeLastSeen(book: BookId): LastSeen | undefined
  /** The other options of a connection. */
  connection: Omit<ConnectionOptions, 'id' | 'protocol' | 'stats' | 'events'>
  warn: ConnectionOptions['events']['warn']
  /** Reports that the server refuses connections, and that no connection was ever open. */
  refused(because: string): void
  /** Current problems as sentences, by the name of the part that has the problem. */
  problems: Map<string, string>
}

export class VenueConnections {
  readonly #options: VenueConnectionsOptions
  readonly #connections = new Set<Connection>()
  readonly #ofBook = new Map<BookId, Connection>()
  readonly #marketOf = new Map<BookId, string>()
  /** Number of markets; undefined after a change. */
  #marketCount: number | undefined
  /** Markets that found no room. `moved`: last-seen times of their books that another connection had. */
  readonly #leftOut = new Map<string, { wanted: WantedMarket; moved: ReadonlyMap<BookId, LastSeen> | undefined }>()
  /** Connections without books, for the messages that the venue sends to every subscriber. */
  readonly #listeners = new Set<Connection>()
  /** Connections that had room when they were last checked, or from which a book has been removed since. */
  readonly #roomy = new Set<Connection>()
  /** Connections without books whose last lines are not on disk yet. */
  readonly #leaving = new Set<Connection>()
  #started = 0
  #hasOpened = false

  constructor(options: VenueConnectionsOptions) {
    this.#options = options
  }

  /** Opens a connection without books, which receives the messages that the venue sends to every subscriber. */
  listen(protocol: VenueProtocol): void {
    this.#listeners.add(this.#start(protocol))
  }

  has(book: BookId): boolean {
    return this.#ofBook.has(book)
  }

  /** Subscribes to the markets. `check` retries markets that find no room. `moved` has the last-seen times of books
   *  that another connection had. */
  want(markets: readonly WantedMarket[], moved?: ReadonlyMap<BookId, LastSeen>): void {
    for (const wanted of markets) {
      const books = wanted.books.filter((book) => !this.#ofBook.has(book))
      if (books.length === 0) continue
      // A token goes to the connection that already has the other token of its market.
      const known = wanted.books.find((book) => this.#ofBook.has(book))
      const connection = known === undefined ? this.#connectionFor(books.length) : this.#ofBook.get(known)
      if (connection === undefined) this.#leftOut.set(wanted.books.join(), { wanted, moved })
      else this.#place(connection, wanted.market, books, moved)
    }
  }

  unwant(books: readonly BookId[]): void {
    const gone = new Set(books)
    for (const [key, { wanted }] of this.#leftOut) {
      if (wanted.books.some((book) => gone.has(book))) this.#leftOut.delete(key)
    }
    const byConnection = Map.groupBy(books, (book) => this.#ofBook.get(book))
    for (const book of books) {
      this.#ofBook.delete(book)
      this.#marketOf.delete(book)
    }
    this.#marketCount = undefined
    for (const [connection, group] of byConnection) {
      if (connection === undefined) continue
      connection.remove(group)
      if (connection.books.size === 0) this.#leave(connection)
      else this.#roomy.add(connection)
    }
  }

  /** Checks all connections, retries the markets that found no room, and updates the stats. Must be called about once
   *  a second. */
  check(): void {
    const { stats } = this.#options
    const leftOut = [...this.#leftOut.values()]
    this.#leftOut.clear()
    for (const { wanted, moved } of leftOut) this.want([wanted], moved)
    let open = 0
    let lost = 0
    for (const connection of this.#connections) {
      connection.check()
      if (connection.isOpen) open++
      lost += connection.booksLost
    }
    stats.connectionsWanted = this.#connections.size
    stats.connectionsOpen = open
    stats.books = this.#ofBook.size
    stats.markets = this.#marketCount ??= new Set(this.#marketOf.values()).size
    stats.booksLost = lost
    stats.marketsLeftOut = this.#leftOut.size
  }

  /** UTF-16 units that wait to be written to disk. */
  get pendingLength(): number {
    let sum = 0
    for (const connection of this.#all()) sum += connection.pendingLength
    return sum
  }

  get isSettled(): boolean {
    return [...this.#connections].every((connection) => connection.isSettled)
  }

  /** Whether the venue has sent everything that is recorded. */
  get isFinished(): boolean {
    return [...this.#connections].every((connection) => connection.isFinished || this.#listeners.has(connection))
  }

  /** Writes all waiting lines. Returns the errors of connections that failed. */
  flush(): unknown[] {
    return this.#all().flatMap((connection) => {
      const failures = connection.flush()
      if (failures.length === 0) this.#leaving.delete(connection)
      return failures
    })
  }

  /** Drops all waiting lines. Returns their number. */
  overflow(): number {
    let dropped = 0
    for (const connection of this.#all()) dropped += connection.overflow()
    return dropped
  }

  /** Writes a state to the segment of each connection's primary socket. */
  state(name: string, fields: Record<string, unknown>): void {
    for (const connection of this.#connections) connection.state(name, fields)
  }

  stop(): void {
    for (const connection of this.#connections) connection.stop()
  }

  #all(): Connection[] {
    return [...this.#leaving, ...this.#connections]
  }

  #place(
    connection: Connection,
    market: string | null,
    books: readonly BookId[],
    moved: ReadonlyMap<BookId, LastSeen> | undefined,
  ): void {
    const known = new Map<BookId, LastSeen>()
    for (const book of books) {
      const before = moved?.get(book) ?? this.#options.takeLastSeen(book)
      if (before !== undefined) known.set(book, before)
      if (before?.aheadMs !== undefined) this.#options.stats.messageAge.assume(before.aheadMs)
      this.#ofBook.set(book, connection)
      // A book that was moved keeps its market.
      if (!this.#marketOf.has(book)) this.#marketOf.set(book, market ?? book)
    }
    this.#marketCount = undefined
    connection.add(books, market, known)
  }

  /** Returns the first connection with room, or a new one. Returns undefined if no new markets may be taken. */
  #connectionFor(books: number): Connection | undefined {
    const { protocol, connectionsMax, hasRoom } = this.#options
    if (!hasRoom()) return undefined
    for (const connection of this.#roomy) {
      const { size } = connection.books
      if (!connection.isFinished && (size === 0 || size + books <= protocol.booksMax)) return connection
      // Checks a full connection only once: there may be thousands of connections, and as many markets.
      this.#roomy.delete(connection)
    }
    if (this.#connections.size - this.#listeners.size >= connectionsMax) return undefined
    const connection = this.#start(protocol)
    this.#roomy.add(connection)
    return connection
  }

  #start(protocol: VenueProtocol): Connection {
    const { connection: shared, stats, warn } = this.#options
    const connection = new Connection({
      ...shared,
      id: `${protocol.venue}-${++this.#started}`,
      protocol,
      stats,
      events: {
        warn,
        refused: (...args) => this.#refused(...args),
        opened: () => this.#opened(),
        handshakeRefused: (end) => this.#handshakeRefused(protocol, end),
      },
    })
    this.#connections.add(connection)
    // Books that are added right after this are subscribed when the socket opens.
    connection.start()
    return connection
  }

  #opened(): void {
    this.#hasOpened = true
    this.#options.problems.delete(this.#connecting)
  }

  /** Handles a refused handshake. If a connection was open before, the refusal may be temporary: it is logged once, and
   *  the connection retried. */
  #handshakeRefused(protocol: VenueProtocol, end: SessionEnd): void {
    const { refused, problems, warn } = this.#options
    const because = handshakeRefusal(protocol.venue, protocol.handshake(), end)
    if (problems.get(this.#connecting) === because) return
    problems.set(this.#connecting, because)
    if (this.#hasOpened) warn({ because }, 'a connection is refused, and tried again')
    else refused(because)
  }

  get #connecting(): string {
    return `connecting to ${this.#options.protocol.venue}`
  }

  /** Moves books that the venue refused to other connections: their connection has too many books. */
  #refused(books: readonly BookId[], lastSeen: ReadonlyMap<BookId, LastSeen>): void {
    for (const book of books) {
      const connection = this.#ofBook.get(book)
      if (connection !== undefined) this.#roomy.add(connection)
      this.#ofBook.delete(book)
    }
    const { venue } = this.#options.protocol
    const wanted = books.map((book) => ({ venue, market: null, books: [book] }))
    this.want(wanted, lastSeen)
  }

  #leave(connection: Connection): void {
    connection.stop()
    this.#connections.delete(connection)
    this.#roomy.delete(connection)
    this.#leaving.add(connection)
  }
}
