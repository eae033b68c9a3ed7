// The connections to one venue: which of them carries which market. The books of a market share a connection.

import { Connection } from '../connection/connection.ts'
import type { ConnectionOptions, SessionEnd } from '../connection/connection-options.ts'
import type { Heard } from '../connection/gap-tracker.ts'
import { handshakeRefusal } from '../connection/handshake-refusal.ts'
import type { BookId, VenueProtocol } from '../connection/venue-protocol.ts'
import type { WantedMarket } from '../connection/wanted-market.ts'
import type { VenueFigures } from '../status/recorder-figures.ts'
import { MarketCount } from './market-count.ts'

export type VenueConnectionsOptions = {
  protocol: VenueProtocol
  connectionsMax: number
  figures: VenueFigures
  /** False while no new markets are to be taken. */
  hasRoom(): boolean
  /** What was heard of books before this process began; each is asked for once. */
  heardBefore(book: BookId): Heard | undefined
  /** All that a connection needs beside this. */
  connection: Omit<ConnectionOptions, 'id' | 'protocol' | 'figures' | 'events'>
  log: ConnectionOptions['events']['log']
  /** No connection was opened yet, and the server does not accept any. */
  refused(because: string): void
  /** What is wrong now, by a name that says where. */
  problems: Map<string, string>
}

export class VenueConnections {
  readonly #options: VenueConnectionsOptions
  readonly #connections = new Set<Connection>()
  readonly #ofBook = new Map<BookId, Connection>()
  readonly #markets = new MarketCount()
  /** Those that are not of any book. */
  readonly #listeners = new Set<Connection>()
  /** Those that had room when they were looked at last, or a book less since. */
  readonly #roomy = new Set<Connection>()
  /** Emptied connections whose last lines the disk did not take yet. */
  readonly #leaving = new Set<Connection>()
  #started = 0
  #hasOpened = false

  constructor(options: VenueConnectionsOptions) {
    this.#options = options
  }

  get books(): number {
    return this.#ofBook.size
  }

  /** Opens a connection without books, which hears what the venue says to all. */
  listen(protocol: VenueProtocol): void {
    const connection = this.#start(protocol)
    this.#listeners.add(connection)
  }

  has(book: BookId): boolean {
    return this.#ofBook.has(book)
  }

  /** Subscribes to the markets, and returns those for which there is no room. `heard` has the last receive times of books
   *  that another connection carried, or that are stored. */
  want(markets: readonly WantedMarket[], heard?: ReadonlyMap<BookId, Heard | null>): WantedMarket[] {
    const leftOut: WantedMarket[] = []
    for (const wanted of markets) {
      const books = wanted.books.filter((book) => !this.#ofBook.has(book))
      if (books.length === 0) continue
      // A token that joins one of its market later goes where that one is.
      const known = wanted.books.find((book) => this.#ofBook.has(book))
      const connection = known === undefined ? this.#connectionFor(books.length) : this.#ofBook.get(known)
      if (connection === undefined) leftOut.push(wanted)
      else this.#place(connection, wanted.market, books, heard)
    }
    return leftOut
  }

  unwant(books: readonly BookId[]): void {
    const byConnection = Map.groupBy(books, (book) => this.#ofBook.get(book))
    for (const [connection, ofIt] of byConnection) {
      if (connection === undefined) continue
      connection.remove(ofIt)
      for (const book of ofIt) {
        this.#ofBook.delete(book)
        this.#markets.delete(book)
      }
      if (connection.books.size === 0) this.#leave(connection)
      else this.#roomy.add(connection)
    }
  }

  /** To be called about once a second. */
  look(): void {
    const { figures } = this.#options
    let open = 0
    let lost = 0
    for (const connection of this.#connections) {
      connection.look()
      if (connection.isOpen) open++
      lost += connection.booksLost
    }
    figures.connectionsWanted = this.#connections.size
    figures.connectionsOpen = open
    figures.books = this.#ofBook.size
    figures.markets = this.#markets.size
    figures.booksLost = lost
  }

  /** UTF-16 units that wait for the disk. */
  get pendingLength(): number {
    let sum = 0
    for (const connection of this.#all()) sum += connection.pendingLength
    return sum
  }

  get isSettled(): boolean {
    return [...this.#connections].every((connection) => connection.isSettled)
  }

  /** Every venue has said all of what is recorded. */
  get isFinished(): boolean {
    return [...this.#connections].every((connection) => connection.isFinished || this.#listeners.has(connection))
  }

  /** What the disk said of those that it did not take. */
  flush(): unknown[] {
    const failures: unknown[] = []
    for (const connection of this.#all()) {
      try {
        connection.flush()
        this.#leaving.delete(connection)
      } catch (error) {
        failures.push(error)
      }
    }
    return failures
  }

  /** Forgets what waits for the disk. Lines that were dropped. */
  overflow(): number {
    let dropped = 0
    for (const connection of this.#all()) dropped += connection.overflow()
    return dropped
  }

  /** Writes a state to the segment of each socket that is open. */
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
    heard: ReadonlyMap<BookId, Heard | null> | undefined,
  ): void {
    const known = new Map<BookId, Heard>()
    for (const book of books) {
      const before = heard?.get(book) ?? this.#options.heardBefore(book)
      if (before !== undefined) known.set(book, before)
      if (before?.aheadMs !== undefined) this.#options.figures.messageAge.assume(before.aheadMs)
      this.#ofBook.set(book, connection)
      this.#markets.add(book, market)
    }
    connection.add(books, market, known)
  }

  /** The first with room, or a new one. */
  #connectionFor(books: number): Connection | undefined {
    const { protocol, connectionsMax, hasRoom } = this.#options
    if (!hasRoom()) return undefined
    for (const connection of this.#roomy) {
      const { size } = connection.books
      if (!connection.isFinished && (size === 0 || size + books <= protocol.booksMax)) return connection
      // Another one is looked at but once: there may be thousands, and as many markets.
      this.#roomy.delete(connection)
    }
    if (this.#connections.size - this.#listeners.size >= connectionsMax) return undefined
    const connection = this.#start(protocol)
    this.#roomy.add(connection)
    return connection
  }

  #start(protocol: VenueProtocol): Connection {
    const { connection: shared, figures, log } = this.#options
    const connection = new Connection({
      ...shared,
      id: `${protocol.venue}-${++this.#started}`,
      protocol,
      figures,
      events: {
        log,
        refused: (...told) => this.#refused(...told),
        opened: () => this.#opened(),
        handshakeRefused: (end) => this.#handshakeRefused(protocol, end),
      },
    })
    this.#connections.add(connection)
    // What is wanted at the same moment is subscribed with the first opening.
    connection.start()
    return connection
  }

  #opened(): void {
    this.#hasOpened = true
    this.#options.problems.delete(this.#connecting)
  }

  /** A refusal may pass after a connection was open: connections are tried again, and the refusal is logged once. */
  #handshakeRefused(protocol: VenueProtocol, end: SessionEnd): void {
    const { refused, problems, log } = this.#options
    const because = handshakeRefusal(protocol.venue, protocol.handshake(), end)
    if (problems.get(this.#connecting) === because) return
    problems.set(this.#connecting, because)
    if (this.#hasOpened) log('warn', 'a connection is refused, and tried again', { because })
    else refused(because)
  }

  get #connecting(): string {
    return `connecting to ${this.#options.protocol.venue}`
  }

  /** They go to another connection: the venue has said how many one may carry. */
  #refused(books: readonly BookId[], heard: ReadonlyMap<BookId, Heard>): void {
    for (const book of books) {
      const connection = this.#ofBook.get(book)
      if (connection !== undefined) this.#roomy.add(connection)
      this.#ofBook.delete(book)
    }
    const { venue } = this.#options.protocol
    const leftOut = this.want(
      books.map((book) => ({ venue, market: null, books: [book] })),
      heard,
    )
    this.#options.figures.marketsLeftOut += leftOut.length
  }

  #leave(connection: Connection): void {
    connection.stop()
    this.#connections.delete(connection)
    this.#roomy.delete(connection)
    this.#leaving.add(connection)
  }
}
