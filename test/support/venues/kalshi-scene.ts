// A session of Kalshi in a test: the link notes its calls, the test sets the REST answers and plays the venue.

import { BookRequests } from '../../../src/record/connection/book-requests.ts'
import type { BookSource, Link } from '../../../src/record/connection/venue-protocol.ts'
import { RestError, type RestRequest } from '../../../src/record/rest/rest-host.ts'
import { msOf } from '../../../src/record/time/clock.ts'
import { orderbookPath } from '../../../src/record/venues/kalshi/level-book.ts'
import { KalshiSession, type VenueContext } from '../../../src/record/venues/kalshi/session.ts'
import { AFTER, type Trust } from '../../../workers/evidence/trust-table.ts'
import { FakeTime } from './fake-time.ts'

export const BODY = '{"orderbook_fp":{"yes_dollars":[["0.4000","5.00"]],"no_dollars":[]}}'

export const subscribed = (channel: string, sid: number) => ({ type: 'subscribed', id: 1, msg: { channel, sid } })
export const snapshot = (market: string, seq: number, yes = '5.00') => ({
  type: 'orderbook_snapshot',
  sid: 1,
  seq,
  msg: { market_ticker: market, yes_dollars_fp: [['0.4000', yes]] },
})
export const delta = (market: string, seq: number, change = '1.00') => ({
  type: 'orderbook_delta',
  sid: 1,
  seq,
  msg: { market_ticker: market, price_dollars: '0.4000', delta_fp: change, side: 'yes', ts_ms: 1_786_410_000_000 },
})
export const trade = (market: string, seq: number) => ({ type: 'trade', sid: 2, seq, msg: { market_ticker: market } })

type Sent = { id: number; cmd: string; params: { action?: string; market_tickers?: string[] } }

export class KalshiScene {
  readonly time = new FakeTime(1_786_410_000_000)
  calls: string[] = []
  readonly sent: Sent[] = []
  /** Requested paths of REST. */
  readonly requestedPaths: string[] = []
  /** What REST answers next. */
  answer: string | RestError = BODY
  /** Reports of books that contradict themselves. The reason is null once the book has no contradiction any more. */
  readonly contradictions: [book: string, reason: string | null][] = []
  readonly session: KalshiSession
  #sentMs = 0
  readonly #trust = new Map<string, Trust>()
  readonly #requests: BookRequests

  /** Subscribes to A and B; nothing is answered yet. `silentBooks` are the silent books that earlier sockets found. */
  constructor(silentBooks = new Set<string>()) {
    const around: VenueContext = {
      settings: { chunk: 100, replyMs: 10_000, resyncMs: 10_000 },
      silentBooks,
      halveLimit: () => 100,
      contradicted: (book, found) => void this.contradictions.push([book, found?.reason ?? null]),
      lifecycle: ({ market }) => market === 'A',
      closed: () => undefined,
    }
    const link = this.#link()
    this.session = new KalshiSession(link, around, false)
    const source: BookSource = {
      rest: { get: (request) => this.#get(request) },
      path: orderbookPath,
      isBook: () => true,
      settleMs: 500,
      attempts: 3,
      waitMs: () => 0,
    }
    this.#requests = new BookRequests(source, this.time.timers, this.session, link.state)
    this.session.add(['A', 'B'])
  }

  /** Sends frames, one ms apart. */
  read(...frames: object[]): void {
    for (const frame of frames) {
      this.session.read(`${JSON.stringify(frame)}\n`, { recvNs: 0n, monoNs: 0n, sentMs: this.#sentMs++ })
    }
  }

  /** Confirms both channels, and sends both books as the first two messages of their sid. */
  begin(): void {
    this.read(subscribed('orderbook_delta', 1), subscribed('trade', 2), snapshot('A', 1), snapshot('B', 2))
    this.calls = []
  }

  get requestedSnapshots() {
    return this.sent.filter(({ params }) => params.action === 'get_snapshot').map(({ params }) => params.market_tickers)
  }

  callsOf(word: string): string[] {
    return this.calls.filter((text) => text.startsWith(word))
  }

  /** Closes the REST requests and the session. */
  close(): void {
    this.#requests.close()
    this.session.close()
  }

  #learn(evidence: keyof typeof AFTER, book: string): void {
    this.#trust.set(book, AFTER[evidence][this.#trust.get(book) ?? 'unknown'])
  }

  #get<Read>({ path, read }: RestRequest<Read>) {
    this.requestedPaths.push(path)
    const { answer } = this
    if (answer instanceof RestError) return Promise.reject(answer)
    return Promise.resolve({ body: answer, read: read(JSON.parse(answer)) as Read, receivedNs: 0n })
  }

  #link(): Link {
    const { clock, timers } = this.time
    const nowMs = () => msOf(clock.monoNs())
    const wakeAt = (atMs: number): void => {
      if (atMs === Number.POSITIVE_INFINITY) return
      timers.after(atMs - nowMs(), () => wakeAt(this.session.due(nowMs())))
    }
    const printed = (field: unknown) => (typeof field === 'string' ? field : JSON.stringify(field))
    const note = (...fields: unknown[]) => void this.calls.push(fields.map(printed).join(' '))
    return {
      connectionId: 'c1',
      completeUntilMs: Number(this.time.clock.wallNs()) / 1e6,
      isReplay: false,
      get monoMs() {
        return nowMs()
      },
      wakeAt,
      trust: {
        trustOf: (book) => this.#trust.get(book) ?? 'unknown',
        contradicted: (book) => this.#learn('contradiction', book),
      },
      requestBooks: (books) => this.#requests.ask(books),
      send: (text) => {
        this.sent.push(JSON.parse(text))
        return true
      },
      data: () => undefined,
      snapshot: (book, { by, seq }) => {
        this.#learn('snapshot', book)
        note('snapshot', book, by, seq ?? '')
      },
      changed: (book) => note('changed', book),
      lost: (books, loss) => {
        for (const book of books) this.#learn('gap', book)
        note('lost', [...books], loss)
      },
      aside: () => note('aside'),
      unknown: (kind) => note('unknown', kind),
      rest: (body, ticker) => note('rest', ticker, body === BODY),
      audit: (book, _market, result) => note('audit', book, result),
      state: () => undefined,
      reconnect: (reason, because) => note('reconnect', reason, because),
      refused: (books) => note('refused', books),
    }
  }
}
