// A server that speaks Polymarket's protocol, on its market channel and its REST API for books, and misbehaves on
// request. `change`, `trade` and `say` make events at the venue; subscribers receive them.

import { type BookSide, PolymarketBook, priceText, sizeText } from './polymarket-book.ts'
import { type RawSocket, type Refusal, type SocketServer, socketServer } from './socket-server.ts'

const WS_PATH = '/ws/market'

type Subscribe = { type?: string; operation?: string; assets_ids?: string[] }

export class PolymarketPeer {
  readonly socket: RawSocket
  readonly tokens = new Set<string>()
  /** Received commands, without heartbeats. */
  readonly commands: Subscribe[] = []
  /** Sends no more data, but still answers heartbeats. */
  isFrozen = false
  /** Tokens for which no more messages are sent. */
  readonly stopped = new Set<string>()

  constructor(socket: RawSocket) {
    this.socket = socket
  }

  say(text: string): boolean {
    if (this.isFrozen || this.socket.isSilent || !this.socket.isOpen) return false
    this.socket.text(text)
    return true
  }
}

export class PolymarketServer {
  /** Connections that are open, in the order in which they were opened. */
  readonly peers: PolymarketPeer[] = []
  /** Number of connections that were ever opened. */
  opened = 0
  /** Refusals for the next handshakes, in order. */
  readonly refusals: Refusal[] = []
  /** Tokens whose books are never sent over the socket. */
  readonly withoutSnapshot = new Set<string>()
  /** A command that names more tokens closes the connection. */
  tokensMax = 1_000
  /** Text appended to each frame. */
  frameEnd = ''
  isRepeating = false
  /** Tokens whose books were requested from REST. */
  readonly requestedTokens: string[] = []
  /** Answers that REST gives instead of the book, in order. */
  readonly restFaults: (() => Response | Promise<Response>)[] = []
  /** Every message that at least one client received, as it was sent, without duplicates. */
  readonly delivered: string[] = []
  readonly #books = new Map<string, PolymarketBook>()
  #sockets: SocketServer | undefined
  #rest: Bun.Server<undefined> | undefined

  get wsUrl(): string {
    return `ws://127.0.0.1:${this.#sockets?.port}${WS_PATH}`
  }

  get clobUrl(): string {
    return `http://127.0.0.1:${this.#rest?.port}`
  }

  async start(): Promise<this> {
    const peers = new Map<object, PolymarketPeer>()
    this.#sockets = await socketServer({
      refuse: ({ path }) => (path === WS_PATH ? this.refusals.shift() : { status: 404 }),
      open: (socket) => {
        const peer = new PolymarketPeer(socket)
        peers.set(socket, peer)
        this.peers.push(peer)
        this.opened++
      },
      text: (socket, text) => this.#command(peers.get(socket)!, text),
      close: (socket) => {
        const index = this.peers.findIndex((peer) => peer.socket === socket)
        if (index >= 0) this.peers.splice(index, 1)
      },
    })
    this.#rest = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => this.#answer(request) })
    return this
  }

  async stop(): Promise<void> {
    await Promise.all([this.#sockets?.stop(), this.#rest?.stop(true)])
  }

  /** Adds a market whose book has one level on each side. */
  addMarket(market: string, tokens: readonly [string, string]): PolymarketBook {
    const book = new PolymarketBook(market, tokens)
    for (const token of tokens) this.#books.set(token, book)
    book.set(tokens[0], 'BUY', 480, 10_000, Date.now())
    book.set(tokens[0], 'SELL', 520, 10_000, Date.now())
    return book
  }

  bookOf(token: string): PolymarketBook {
    return this.#books.get(token)!
  }

  /** Sets the size of a level: the price in thousandths of a dollar, the size in hundredths of a share. One message
   *  reports the change for both tokens. `isHidden`: sends no message. */
  change(token: string, side: BookSide, price: number, size: number, { isHidden = false } = {}): void {
    const book = this.bookOf(token)
    const nowMs = Date.now()
    book.set(token, side, price, size, nowMs)
    if (isHidden) return
    const entry = (of: string, ofSide: BookSide, ofPrice: number) => ({
      ...{ asset_id: of, price: priceText(ofPrice), size: sizeText(size), side: ofSide, hash: book.hash(of) },
    })
    const [first, second] = book.tokens
    const other = token === first ? second : first
    const mirrored = entry(other, side === 'BUY' ? 'SELL' : 'BUY', 1_000 - price)
    const message = { market: book.market, price_changes: [entry(token, side, price), mirrored] }
    this.say(book.tokens, { ...message, timestamp: String(nowMs), event_type: 'price_change' })
  }

  trade(token: string, price: number, size: number, side: BookSide): void {
    const book = this.bookOf(token)
    book.traded(price)
    const fields = { market: book.market, asset_id: token, price: priceText(price), size: sizeText(size) }
    const at = { fee_rate_bps: '0', side, timestamp: String(Date.now()), event_type: 'last_trade_price' }
    this.say([token], { ...fields, ...at, transaction_hash: `0x${crypto.randomUUID().replaceAll('-', '')}` })
  }

  /** Sends a message to every client that is subscribed to one of these tokens. */
  say(tokens: readonly string[], message: unknown): void {
    const text = JSON.stringify(message)
    const isTo = (peer: PolymarketPeer) => tokens.some((token) => peer.tokens.has(token) && !peer.stopped.has(token))
    const receivers = this.peers.filter((peer) => isTo(peer) && peer.say(text + this.frameEnd))
    if (this.isRepeating) for (const peer of receivers) peer.say(text + this.frameEnd)
    if (receivers.length > 0) this.delivered.push(text)
  }

  #command(peer: PolymarketPeer, text: string): void {
    if (text === 'PING') return void (peer.socket.isSilent || peer.socket.text('PONG'))
    const command = JSON.parse(text) as Subscribe
    peer.commands.push(command)
    const tokens = command.assets_ids ?? []
    if (tokens.length > this.tokensMax) return peer.socket.close(1011)
    if (command.operation === 'unsubscribe') {
      for (const token of tokens) peer.tokens.delete(token)
      return
    }
    for (const token of tokens) peer.tokens.add(token)
    const known = tokens.filter((token) => this.#books.has(token) && !this.withoutSnapshot.has(token))
    if (known.length === 0) return
    const books = known.map((token) => this.bookOf(token).snapshot(token))
    if (peer.say(`${JSON.stringify(books)}\n`)) this.delivered.push(...books.map((book) => JSON.stringify(book)))
  }

  #answer(request: Request): Response | Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const token = searchParams.get('token_id') ?? ''
    if (pathname !== '/book') return new Response('not found', { status: 404 })
    this.requestedTokens.push(token)
    const fault = this.restFaults.shift()
    if (fault !== undefined) return fault()
    const book = this.#books.get(token)
    if (book === undefined) return Response.json({ error: 'No orderbook exists' }, { status: 404 })
    return Response.json(book.rest(token))
  }
}
