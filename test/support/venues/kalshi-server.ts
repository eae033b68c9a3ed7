// A test server for Kalshi's WebSocket and its REST API of order books, which misbehaves when a test says so. Tests
// make events at the venue with `delta`, `trade` and `play`; subscribed clients receive them.

import type { KeyObject } from 'node:crypto'
import { type Command, isSigned, KalshiPeer, type Message } from './kalshi-peer.ts'
import { type Refusal, type SocketServer, socketServer } from './socket-server.ts'

const WS_PATH = '/trade-api/ws/v2'
const REST_PATH = '/trade-api/v2'

export type KalshiServerOptions = {
  /** Checks signatures; without it, requests need no signature. */
  publicKey?: KeyObject
  /** Time between two Pings, ms. */
  heartbeatMs?: number
  nowMs?: () => number
}

type Side = 'yes' | 'no'
/** Size in hundredths of a contract, by price in ten-thousandths of a dollar. */
type Book = Record<Side, Map<number, number>>

/** An event at the venue. */
export type VenueEvent = { ticker: string; type: string; msg: Record<string, unknown>; isDelivered: boolean }

export class KalshiServer {
  /** Connections that are open, in the order in which they were opened. */
  readonly peers: KalshiPeer[] = []
  /** Number of connections that were ever opened. */
  opened = 0
  /** REST paths that were requested, with their queries. */
  readonly requestedPaths: string[] = []
  /** Refusals for the next handshakes, in order. */
  readonly refusals: Refusal[] = []
  /** Error codes for the next commands, by the command or action. */
  readonly errors: { cmd: string; code: number }[] = []
  /** Markets whose books are never sent over the socket. */
  readonly withoutSnapshot = new Set<string>()
  marketLimit = 10_000
  isLifecycleKnown = true
  /** Counts prices of NO as prices of YES, whatever the client requested. */
  countsNoAsYes = false
  /** All events since the first subscription. */
  readonly history: VenueEvent[] = []
  /** Payloads of Pongs. */
  readonly pongs: string[] = []
  readonly #books = new Map<string, Book>()
  readonly #options: KalshiServerOptions
  #sockets: SocketServer | undefined
  #rest: Bun.Server<undefined> | undefined
  #heartbeat: Timer | undefined

  constructor(options: KalshiServerOptions = {}) {
    this.#options = options
  }

  get wsUrl(): string {
    return `ws://127.0.0.1:${this.#sockets?.port}${WS_PATH}`
  }

  get restUrl(): string {
    return `http://127.0.0.1:${this.#rest?.port}${REST_PATH}`
  }

  async start(): Promise<this> {
    const peers = new Map<object, KalshiPeer>()
    this.#sockets = await socketServer({
      refuse: (upgrade) => {
        const { publicKey } = this.#options
        if (upgrade.path !== WS_PATH) return { status: 404 }
        if (publicKey !== undefined && !isSigned(upgrade, publicKey)) return { status: 401 }
        return this.refusals.shift()
      },
      open: (socket, upgrade) => {
        const peer = new KalshiPeer(socket, upgrade, this)
        peers.set(socket, peer)
        this.peers.push(peer)
        this.opened++
      },
      text: (socket, text) => peers.get(socket)?.command(text),
      pong: (_, payload) => void this.pongs.push(payload),
      close: (socket) => {
        const index = this.peers.findIndex((peer) => peer.socket === socket)
        if (index >= 0) this.peers.splice(index, 1)
      },
    })
    this.#rest = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => this.#answer(request) })
    this.#heartbeat = setInterval(() => {
      for (const { socket, isFrozen } of this.peers) if (!isFrozen && !socket.isSilent) socket.ping('heartbeat')
    }, this.#options.heartbeatMs ?? 10_000)
    return this
  }

  async stop(): Promise<void> {
    clearInterval(this.#heartbeat)
    await Promise.all([this.#sockets?.stop(), this.#rest?.stop(true)])
  }

  /** Sets a book without sending a message, as when a market opens. */
  setBook(ticker: string, book: { yes?: [number, number][]; no?: [number, number][] }): void {
    this.#books.set(ticker, { yes: new Map(book.yes ?? []), no: new Map(book.no ?? []) })
  }

  /** Changes a level: `price` in ten-thousandths of a dollar, `change` in hundredths of a contract. */
  delta(ticker: string, side: Side, price: number, change: number): void {
    const levels = this.#bookOf(ticker)[side]
    const size = (levels.get(price) ?? 0) + change
    if (size > 0) levels.set(price, size)
    else levels.delete(price)
    const nowMs = this.#nowMs()
    this.#happen('orderbook_delta', ticker, {
      market_ticker: ticker,
      market_id: `id-${ticker}`,
      price_dollars: priceText(this.#priceOf(side, price)),
      delta_fp: sizeText(change),
      side,
      ts: new Date(nowMs).toISOString(),
      ts_ms: nowMs,
    })
  }

  trade(ticker: string, price: number, count: number, takerSide: Side): void {
    const nowMs = this.#nowMs()
    this.#happen('trade', ticker, {
      trade_id: crypto.randomUUID(),
      market_ticker: ticker,
      yes_price_dollars: priceText(price),
      no_price_dollars: priceText(10_000 - price),
      count_fp: sizeText(count),
      taker_side: takerSide,
      ts: Math.floor(nowMs / 1_000),
      ts_ms: nowMs,
    })
  }

  lifecycle(ticker: string, eventType: string): void {
    this.#happen('market_lifecycle_v2', ticker, { market_ticker: ticker, event_type: eventType })
  }

  /** Sends a captured message with this server's own numbers, and applies it to the book. */
  play({ type, msg }: Message): void {
    const ticker = String(msg['market_ticker'])
    if (type === 'orderbook_snapshot') this.#books.set(ticker, bookIn(msg))
    if (type === 'orderbook_delta') {
      const { price_dollars: price, delta_fp: change, side } = msg as Record<string, string>
      const levels = this.#bookOf(ticker)[side as Side]
      const size = (levels.get(scaled(price!, 1e4)) ?? 0) + scaled(change!, 1e2)
      if (size > 0) levels.set(scaled(price!, 1e4), size)
      else levels.delete(scaled(price!, 1e4))
    }
    this.#happen(type, ticker, msg)
  }

  /** Returns the `msg` of a snapshot; undefined if the server never sends one. */
  sentSnapshotOf(ticker: string): Record<string, unknown> | undefined {
    return this.withoutSnapshot.has(ticker) ? undefined : this.snapshotOf(ticker)
  }

  snapshotOf(ticker: string): Record<string, unknown> {
    const { yes, no: bids } = this.#bookOf(ticker)
    const no = new Map([...bids].map(([price, size]) => [this.#priceOf('no', price), size]))
    return {
      market_ticker: ticker,
      market_id: `id-${ticker}`,
      ...(yes.size === 0 ? {} : { yes_dollars_fp: printed(yes) }),
      ...(no.size === 0 ? {} : { no_dollars_fp: printed(no) }),
    }
  }

  #priceOf(side: Side, price: number): number {
    return side === 'no' && this.countsNoAsYes ? 10_000 - price : price
  }

  #happen(type: string, ticker: string, msg: Record<string, unknown>): void {
    const deliveries = this.peers.map((peer) => peer.deliver({ type, msg }))
    this.history.push({ ticker, type, msg, isDelivered: deliveries.includes(true) })
  }

  #bookOf(ticker: string): Book {
    const book = this.#books.get(ticker) ?? { yes: new Map(), no: new Map() }
    this.#books.set(ticker, book)
    return book
  }

  nextError({ cmd, params: { action } }: Command): number | undefined {
    const index = this.errors.findIndex((error) => error.cmd === (action ?? cmd))
    return index === -1 ? undefined : this.errors.splice(index, 1)[0]!.code
  }

  #answer(request: Request): Response {
    const { pathname, search, searchParams } = new URL(request.url)
    this.requestedPaths.push(pathname.slice(REST_PATH.length) + search)
    const { publicKey } = this.#options
    const headers = Object.fromEntries(request.headers)
    if (publicKey !== undefined && !isSigned({ headers, path: pathname }, publicKey)) {
      return new Response('', { status: 401 })
    }
    if (pathname === `${REST_PATH}/markets/orderbooks`) {
      const orderbooks = searchParams.getAll('tickers').map((ticker) => ({ ticker, ...this.#restBook(ticker) }))
      return Response.json({ orderbooks })
    }
    const [, ticker] = /\/markets\/([^/]+)\/orderbook$/.exec(pathname) ?? []
    return ticker === undefined ? new Response('', { status: 404 }) : Response.json(this.#restBook(ticker))
  }

  #restBook(ticker: string) {
    const { yes, no } = this.#bookOf(ticker)
    return { orderbook_fp: { yes_dollars: printed(yes), no_dollars: printed(no) } }
  }

  #nowMs(): number {
    return (this.#options.nowMs ?? Date.now)()
  }
}

const printed = (levels: Map<number, number>): [string, string][] =>
  [...levels].sort(([a], [b]) => a - b).map(([price, size]) => [priceText(price), sizeText(size)])
const priceText = (price: number): string => (price / 1e4).toFixed(4)
const sizeText = (size: number): string => (size / 1e2).toFixed(2)
const scaled = (text: string, scale: number): number => Math.round(Number(text) * scale)

function bookIn(msg: Record<string, unknown>): Book {
  const levels = (key: string) =>
    new Map(((msg[key] ?? []) as [string, string][]).map(([price, size]) => [scaled(price, 1e4), scaled(size, 1e2)]))
  return { yes: levels('yes_dollars_fp'), no: levels('no_dollars_fp') }
}
