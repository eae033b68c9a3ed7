// Both venues at once, with made-up traffic. Every message has a number in the ledger.

import { utcDate } from '../../../storage/units.ts'
import type { Venue } from '../../../storage/venue.ts'
import type { Random } from '../../../workers/synthetic/random.ts'
import { KalshiServer } from '../venues/kalshi-server.ts'
import { type BookSide, priceText, sizeText } from '../venues/polymarket-book.ts'
import { PolymarketServer } from '../venues/polymarket-server.ts'
import { RestServer } from '../venues/rest-server.ts'
import { BOOKS, Ledger } from './ledger.ts'

export type TrialMarket = { venue: Venue; index: number; market: string; tokens: readonly [string, string] | null }

type Levels = Map<number, number>
type KalshiSide = 'yes' | 'no'

/** Sizes in hundredths of a contract by prices in ten-thousandths of a dollar. */
type KalshiBook = Record<KalshiSide, Levels>

const TICK_MS = 10
const LEVELS = 12

export class TrialVenues {
  readonly polymarket = new PolymarketServer()
  readonly kalshi: KalshiServer
  /** Gamma, and Kalshi's metadata of its markets. Books come from the two servers above. */
  readonly rest = new RestServer()
  readonly markets: TrialMarket[] = []
  readonly ledger = new Ledger()
  readonly random: Random
  readonly #kalshiBooks: KalshiBook[] = []
  #gateway: Bun.Server<undefined> | undefined
  #traffic: Timer | undefined
  #owed = 0

  constructor(random: Random, markets: { polymarket: number; kalshi: number }) {
    this.random = random
    this.kalshi = new KalshiServer({ heartbeatMs: 2_000 })
    for (let n = 0; n < markets.polymarket; n++) this.#addPolymarket()
    const date = utcDate(Date.now()).slice(2).replaceAll('-', '')
    for (let n = 0; n < markets.kalshi; n++) this.#addKalshi(`KXTRIAL-${date}-T${n}`)
  }

  async start(): Promise<this> {
    await Promise.all([this.polymarket.start(), this.kalshi.start()])
    const isOfBooks = /orderbook|exchange/
    this.#gateway = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request) => {
        const { pathname, search } = new URL(request.url)
        if (!isOfBooks.test(pathname)) return this.rest.answer(request)
        return fetch(new URL(pathname + search, this.kalshi.restUrl))
      },
    })
    return this
  }

  /** Gamma is at its root, Kalshi's REST API below /trade-api/v2. */
  get restUrl(): string {
    return `http://127.0.0.1:${this.#gateway?.port}`
  }

  async stop(): Promise<void> {
    this.quiet()
    await Promise.all([this.polymarket.stop(), this.kalshi.stop(), this.#gateway?.stop(true)])
  }

  of(venue: Venue): TrialMarket[] {
    return this.markets.filter((market) => market.venue === venue)
  }

  /** Sends this many messages a second until `quiet`. */
  startTraffic(perSecond: number): void {
    this.quiet()
    let lastMs = performance.now()
    this.#traffic = setInterval(() => {
      const nowMs = performance.now()
      this.#owed += ((nowMs - lastMs) / 1_000) * perSecond
      lastMs = nowMs
      for (; this.#owed >= 1; this.#owed--) this.sendAny()
      // The ledger holds what was sent. These lists would grow as long as the traffic runs.
      const { polymarket, kalshi, rest } = this
      for (const list of [
        polymarket.delivered,
        polymarket.requestedTokens,
        kalshi.history,
        kalshi.requestedPaths,
        kalshi.pongs,
        rest.requestedPaths,
      ])
        list.length = 0
    }, TICK_MS)
  }

  quiet(): void {
    clearInterval(this.#traffic)
    this.#owed = 0
  }

  /** Sends one message of a random market. Some markets send far more than others. */
  sendAny(): void {
    const { random, markets } = this
    const busy = Math.max(1, Math.floor(markets.length / 10))
    const index = random.chance(0.5) ? random.below(busy) * 10 : random.below(markets.length)
    const market = markets[Math.min(index, markets.length - 1)]!
    if (market.venue === 'polymarket') this.#sendRandomPolymarket(market)
    else this.#sendRandomKalshi(market)
  }

  /** Sends a message of a token, with a number and these fields. */
  sendOfToken(market: TrialMarket, which: 0 | 1, fields: Record<string, unknown>): void {
    const token = market.tokens![which]
    const nowMs = Date.now()
    const n = this.ledger.add(market.index, which === 0 ? BOOKS.first : BOOKS.second, nowMs)
    const message = { market: market.market, asset_id: token, ...fields, timestamp: String(nowMs), n }
    this.#deliver([token], n, message)
  }

  /** Sends several changes in one frame, as an array. */
  sendArray(market: TrialMarket, count: number): void {
    const made = Array.from({ length: count }, () => this.#changeOf(market))
    const texts = made.map(({ message }) => message)
    const connections = this.#sendPolymarket(market.tokens!, texts)
    for (const { n } of made) this.ledger.delivered(n, connections, this.polymarket.isRepeating ? 2 : 1)
  }

  #sendRandomPolymarket(market: TrialMarket): void {
    const { random } = this
    if (random.chance(0.8)) {
      const { message, n } = this.#changeOf(market)
      return this.#deliver(market.tokens!, n, message)
    }
    const which = random.chance(0.5) ? 0 : 1
    const price = random.between(470, 530)
    this.polymarket.bookOf(market.tokens![0]).traded(price)
    const size = sizeText(random.between(1, 100_000))
    const side = random.pick(['BUY', 'SELL'])
    const hash = { transaction_hash: `0x${random.hex(64)}` }
    const trade = { price: priceText(price), size, fee_rate_bps: '0', side, event_type: 'last_trade_price' }
    this.sendOfToken(market, which, { ...trade, ...hash })
  }

  #changeOf(market: TrialMarket): { message: object; n: number } {
    const { random } = this
    const [first, second] = market.tokens!
    const book = this.polymarket.bookOf(first)
    const nowMs = Date.now()
    const side: BookSide = random.pick(['BUY', 'SELL'])
    const price = side === 'BUY' ? 490 - random.below(LEVELS) : 510 + random.below(LEVELS)
    const size = random.chance(0.2) ? 0 : random.between(1, 1_000_000)
    book.set(first, side, price, size, nowMs)
    const entry = (of: string, ofSide: BookSide, ofPrice: number) => ({
      ...{ asset_id: of, price: priceText(ofPrice), size: sizeText(size), side: ofSide, hash: book.hash(of) },
    })
    const mirrored = entry(second, side === 'BUY' ? 'SELL' : 'BUY', 1_000 - price)
    const n = this.ledger.add(market.index, BOOKS.both, nowMs)
    const price_changes = [entry(first, side, price), mirrored]
    const message = { market: market.market, price_changes, timestamp: String(nowMs), event_type: 'price_change', n }
    return { message, n }
  }

  #deliver(tokens: readonly string[], n: number, message: object): void {
    const connections = this.#sendPolymarket(tokens, message)
    this.ledger.delivered(n, connections, this.polymarket.isRepeating ? 2 : 1)
  }

  /** Sends a message. Returns the number of connections to which it was written. */
  #sendPolymarket(tokens: readonly string[], message: object): number {
    const { polymarket } = this
    const before = polymarket.delivered.length
    polymarket.say(tokens, message)
    return polymarket.delivered.length - before
  }

  #sendRandomKalshi({ index, market }: TrialMarket): void {
    const { random, kalshi } = this
    const nowMs = Date.now()
    const n = this.ledger.add(index, BOOKS.first, nowMs)
    const at = { ts: new Date(nowMs).toISOString(), ts_ms: nowMs, n }
    const message = random.chance(0.8) ? this.#deltaOf(index) : this.#tradeOf()
    kalshi.play({ type: message.type, msg: { market_ticker: market, ...message.fields, ...at } })
    const venueEvent = kalshi.history.pop()!
    this.ledger.delivered(n, venueEvent.isDelivered ? 1 : 0)
  }

  #deltaOf(index: number): { type: string; fields: Record<string, unknown> } {
    const { random } = this
    const side: KalshiSide = random.pick(['yes', 'no'])
    const price = (48 - random.below(LEVELS)) * 100
    const levels = this.#kalshiBooks[index]![side]
    const size = levels.get(price) ?? 0
    const change = size > 0 && random.chance(0.4) ? -random.between(1, size) : random.between(1, 1_000_000)
    if (size + change > 0) levels.set(price, size + change)
    else levels.delete(price)
    const fields = { price_dollars: (price / 1e4).toFixed(4), delta_fp: (change / 100).toFixed(2), side }
    return { type: 'orderbook_delta', fields: { market_id: `id-${index}`, ...fields } }
  }

  #tradeOf(): { type: string; fields: Record<string, unknown> } {
    const { random } = this
    const price = random.between(40, 60)
    const side = random.pick(['yes', 'no'])
    return {
      type: 'trade',
      fields: {
        trade_id: random.uuid(),
        yes_price_dollars: (price / 100).toFixed(4),
        no_price_dollars: (1 - price / 100).toFixed(4),
        count_fp: (random.between(1, 10_000) / 100).toFixed(2),
        taker_side: side,
        is_block_trade: false,
        taker_outcome_side: side,
        taker_book_side: side === 'yes' ? 'bid' : 'ask',
      },
    }
  }

  #addPolymarket(): void {
    const { random } = this
    const market = `0x${random.hex(64)}`
    const tokens = [random.decimal(76), random.decimal(76)] as const
    this.polymarket.addMarket(market, tokens)
    const slug = `trial-${this.rest.markets.length}`
    this.rest.markets.push({ conditionId: market, slug, tokens: [...tokens], createdMs: Date.now() })
    this.#add({ venue: 'polymarket', market, tokens })
  }

  #addKalshi(ticker: string): void {
    this.rest.tickers.push({ ticker, event: 'KXTRIAL', series: 'KXTRIAL' })
    const book: KalshiBook = { yes: new Map([[4_000, 10_000]]), no: new Map([[4_500, 20_000]]) }
    this.kalshi.setBook(ticker, { yes: [...book.yes], no: [...book.no] })
    const index = this.#add({ venue: 'kalshi', market: ticker, tokens: null })
    this.#kalshiBooks[index] = book
  }

  #add(market: Omit<TrialMarket, 'index'>): number {
    const index = this.markets.length
    this.markets.push({ ...market, index })
    return index
  }
}
