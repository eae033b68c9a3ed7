// Finds Kalshi's markets over REST: lists all events, or the events of a series, with their markets; lists new
// markets; and requests markets by ticker. Parses the markets, and decides which ones are recorded.

import { TICKER } from '../../../../storage/venues/kalshi.ts'
import { isObject, type JsonObject } from '../../../../workers/venues/described-message.ts'
import { knownText, timeMsOf } from '../../../../workers/venues/metadata-values.ts'
import { fingerprint, objectsIn, pagesOf } from '../../discovery/keyset-pages.ts'
import type { FoundMarket } from '../../discovery/known-markets.ts'
import type { FinderDesk, VenueFinder } from '../../discovery/recorded-venue.ts'
import { RestError, type RestHost } from '../../rest/rest-host.ts'
import type { KalshiConfig, KalshiSelection } from './kalshi-config.ts'

/** The venue's limits: events on a page, and tickers in a request. */
const EVENTS_MAX = 200
const TICKERS_AT_ONCE = 100
/** A list also has the markets that closed up to this long ago: they may not be settled yet. */
const CLOSED_AGO_MS = 3_600_000
/** Lists the markets again this long after a close: the next market of the series may exist by then. */
const AFTER_CLOSE_MS = 1_000

type AnswerBody = { body: string; receivedNs: bigint }

export class KalshiFinder implements VenueFinder {
  readonly #config: KalshiConfig
  readonly #rest: RestHost

  constructor(config: KalshiConfig, rest: RestHost) {
    this.#config = config
    this.#rest = rest
  }

  async scan(desk: FinderDesk): Promise<Set<string>> {
    const seen = new Set<string>()
    if (needsAllEvents(this.#config.selection)) await this.#listEvents(desk, [], seen)
    await this.#listNamed(desk, seen)
    return seen
  }

  /** Finds markets that were created since `sinceMs`. Lists named events and series as a whole, because they are
   *  few. */
  async newest(desk: FinderDesk, sinceMs: number): Promise<void> {
    if (needsAllEvents(this.#config.selection)) {
      const path = `/markets?${new URLSearchParams({
        limit: '1000',
        mve_filter: 'exclude',
        min_created_ts: String(Math.floor(sinceMs / 1_000)),
      })}`
      const fresh = new Set<string>()
      for await (const { entries } of pagesOf(this.#rest, { ...MARKETS, path, signal: desk.signal })) {
        for (const { market, event } of kalshiMarkets(entries)) if (!desk.known.get(market)) fresh.add(event)
      }
      for (const event of fresh) await this.#event(desk, event, new Set())
    }
    await this.#listNamed(desk, new Set())
  }

  /** Requests each known market from its close time on, until it is settled: Kalshi sends nothing at the close. */
  async over(desk: FinderDesk): Promise<void> {
    const due = [...desk.known.all()].filter(
      ({ closesMs, overMs }) => overMs === null && closesMs !== null && closesMs <= desk.nowMs(),
    )
    if (due.length > 0)
      await this.ask(
        desk,
        due.map(({ market }) => market),
      )
  }

  async ask(desk: FinderDesk, markets: readonly string[]): Promise<Set<string>> {
    const { selection } = this.#config
    const answered = new Set<string>()
    const unknown = new Set<string>()
    for (let from = 0; from < markets.length; from += TICKERS_AT_ONCE) {
      const answer = await this.#byTicker(desk, markets.slice(from, from + TICKERS_AT_ONCE))
      for (const { market, event } of answer.markets) {
        answered.add(market)
        if (desk.known.get(market) === undefined && !excludesTicker(selection, market)) unknown.add(event)
      }
      desk.found(
        answer.markets.filter(({ market }) => desk.known.get(market) !== undefined),
        answer,
      )
    }
    // Only the event has the series and the category of a market.
    for (const event of unknown) await this.#event(desk, event, new Set())
    return answered
  }

  async describeNamed(desk: FinderDesk): Promise<void> {
    const { tickers } = this.#config
    for (let from = 0; from < tickers.length; from += TICKERS_AT_ONCE) {
      const answer = await this.#byTicker(desk, tickers.slice(from, from + TICKERS_AT_ONCE))
      desk.described(answer.markets, answer)
    }
  }

  /** Returns the time until shortly after the next close, or the usual pause if that is shorter. */
  pauseMs({ known, nowMs }: FinderDesk): number {
    const now = nowMs()
    let nextMs = now + this.#config.newMs
    for (const { closesMs } of known.all()) {
      if (closesMs !== null && closesMs + AFTER_CLOSE_MS > now) nextMs = Math.min(nextMs, closesMs + AFTER_CLOSE_MS)
    }
    return nextMs - now
  }

  async #listNamed(desk: FinderDesk, seen: Set<string>): Promise<void> {
    const { series, events } = this.#config.selection
    for (const ticker of series) await this.#listEvents(desk, [['series_ticker', ticker]], seen)
    for (const event of events) await this.#event(desk, event, seen)
  }

  async #listEvents(desk: FinderDesk, filter: [string, string][], seen: Set<string>): Promise<void> {
    const closesMin = Math.floor((desk.nowMs() - CLOSED_AGO_MS) / 1_000)
    const query: [string, string][] = [
      ['limit', String(EVENTS_MAX)],
      ['with_nested_markets', 'true'],
      ['min_close_ts', String(closesMin)],
      ...filter,
    ]
    const path = `/events?${new URLSearchParams(query)}`
    for await (const page of pagesOf(this.#rest, { ...EVENTS, path, signal: desk.signal })) {
      const markets = page.entries.flatMap((entry) => this.#selected(entry, entry['markets']))
      for (const { market } of markets) seen.add(market)
      desk.found(markets, page)
    }
  }

  /** Finds the markets of an event. An event that the venue does not know (404) has none. */
  async #event(desk: FinderDesk, ticker: string, seen: Set<string>): Promise<void> {
    const path = `/events/${encodeURIComponent(ticker)}?with_nested_markets=true`
    const read = (json: unknown) =>
      isObject(json) && isObject(json['event']) ? { event: json['event'], markets: json['markets'] } : undefined
    try {
      const { read: answer, ...body } = await this.#rest.get({ path, read, signal: desk.signal })
      const markets = this.#selected(answer.event, answer.event['markets'] ?? answer.markets)
      for (const { market } of markets) seen.add(market)
      desk.found(markets, body)
    } catch (error) {
      if (!(error instanceof RestError && error.status === 404)) throw error
    }
  }

  /** Returns the selected markets of an event. */
  #selected(entry: JsonObject, list: unknown): KalshiMarket[] {
    const { selection } = this.#config
    const event: KalshiEvent | undefined = kalshiEvent(entry)
    if (event === undefined || !selectsEvent(selection, event)) return []
    return kalshiMarkets(list).filter(({ market }) => !excludesTicker(selection, market))
  }

  async #byTicker(
    { signal }: FinderDesk,
    tickers: readonly string[],
  ): Promise<AnswerBody & { markets: KalshiMarket[] }> {
    const path = `/markets?${new URLSearchParams({ limit: '1000', tickers: tickers.join(',') })}`
    const read = (json: unknown) => {
      const markets = isObject(json) ? json['markets'] : undefined
      return Array.isArray(markets) && objectsIn(markets).length === markets.length ? markets : undefined
    }
    const { read: markets, ...answer } = await this.#rest.get({ path, read, signal })
    return { ...answer, markets: kalshiMarkets(markets).filter(({ market }) => tickers.includes(market)) }
  }
}

const CURSOR = { received: 'cursor', sent: 'cursor' }
const MARKETS = { list: 'markets', cursor: CURSOR, nameOf: ({ ticker }: JsonObject) => String(ticker) }
const EVENTS = { list: 'events', cursor: CURSOR, nameOf: ({ event_ticker }: JsonObject) => String(event_ticker) }

/** An event with its series and category; null if the response does not have them. */
type KalshiEvent = { event: string; series: string | null; category: string | null }
type KalshiMarket = FoundMarket & { event: string }
/** Final states: the venue sends nothing more about the market (docs.kalshi.com, market lifecycle). */
const FINAL = ['finalized', 'settled']

/** Parses a market. Returns undefined if the entry is not a market. */
function kalshiMarket(entry: JsonObject): KalshiMarket | undefined {
  const { ticker, event_ticker: event, status } = entry
  if (typeof ticker !== 'string' || !TICKER.test(ticker) || typeof event !== 'string') return undefined
  if (typeof status !== 'string') return undefined
  return {
    market: ticker,
    event,
    books: [ticker],
    opensMs: timeMsOf(entry['open_time']),
    closesMs: timeMsOf(entry['close_time']),
    isOver: FINAL.includes(status),
    said: fingerprint(NEWS_KEYS.map((key) => entry[key])),
  }
}

/** Keys whose changes are sent to the store. Prices and volumes are left out: they change all the time. */
const NEWS_KEYS = [
  ...['status', 'title', 'subtitle', 'yes_sub_title', 'no_sub_title', 'open_time', 'close_time', 'expiration_time'],
  ...['result', 'settlement_ts', 'settlement_value_dollars', 'price_level_structure', 'price_ranges', 'rules_primary'],
]

/** Parses an event. Returns undefined if the entry is not an event. */
function kalshiEvent(entry: JsonObject): KalshiEvent | undefined {
  const { event_ticker: event, series_ticker, category } = entry
  if (typeof event !== 'string' || !TICKER.test(event)) return undefined
  return { event, series: knownText(series_ticker), category: knownText(category) }
}

const kalshiMarkets = (list: unknown): KalshiMarket[] =>
  objectsIn(list)
    .map(kalshiMarket)
    .filter((market) => market !== undefined)

/** Whether the event, its series or its category is selected and none of them excluded. Names are compared without
 *  regard to case. */
function selectsEvent({ all, events, series, categories, exclude }: KalshiSelection, event: KalshiEvent): boolean {
  const isAmong = (names: readonly string[], name: string | null) => name !== null && hasName(names, name)
  if (isAmong(exclude.events, event.event)) return false
  if (isAmong(exclude.series, event.series) || isAmong(exclude.categories, event.category)) return false
  return all || isAmong(events, event.event) || isAmong(series, event.series) || isAmong(categories, event.category)
}

const excludesTicker = ({ exclude }: KalshiSelection, ticker: string): boolean => hasName(exclude.tickers, ticker)

const hasName = (names: readonly string[], name: string): boolean => {
  const wanted = name.toLowerCase()
  return names.some((each) => each.toLowerCase() === wanted)
}

/** Whether all events must be listed, because the selection names no event or series to request. */
const needsAllEvents = ({ all, categories }: KalshiSelection): boolean => all || categories.length > 0
