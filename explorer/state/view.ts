// The state of a view and its address. The address holds the whole state, so that a link shows the same view. Times are
// Unix milliseconds in the state and ISO 8601 in UTC in the address.

import { SHOWN, type Venue } from '../venues.ts'
import { isZone } from './time-text.ts'

export const VENUES = Object.keys(SHOWN) as readonly Venue[]

export const CHARTS = ['depth', 'candles', 'line'] as const
/** The data that candles can show. */
export const CANDLES_OF = ['mid', 'trades'] as const
export const AGGREGATES = ['max', 'mean', 'last'] as const
/** The label of each aggregate: which of a column's sizes the map shows. */
export const AGGREGATE_NAMES = { max: 'largest', mean: 'mean', last: 'last' } as const
export const AXES = ['right', 'both'] as const
/** The studies that can be drawn besides prices and sizes. */
export const STUDIES = ['vwap', 'delta', 'imbalance', 'depth', 'profile'] as const
/** Greatest distance from the mid at which depth counts, cents. */
export const WITHIN = [2, 1, 5, 10] as const
/** Parts of a market's page that can be hidden. */
export const PARTS = ['spread', 'quotes', 'volume', 'ladder'] as const
/** Orders of market lists; `market` is the id. */
export const ORDERS = ['records', 'trades', 'volume', 'market'] as const
export type Order = (typeof ORDERS)[number]
export const PALETTES = ['sides', 'viridis', 'grey'] as const

/** One book: a Kalshi ticker, or a Polymarket condition id with the asset id of an outcome. `asset` is null until the
 *  market's first outcome is chosen. At a venue without asset ids, `asset` is null for Yes, and NO for the other side
 *  of the book. */
export type BookId = { venue: Venue; market: string; asset: string | null }

export const NO = 'no'
const assetOf = (venue: Venue, text: string | null | undefined): string | null =>
  !SHOWN[venue].hasAssets && text !== NO ? null : (text ?? null)

/** The visible stretch of time and how it is shown. Null means that the page chooses. */
export type Stretch = {
  fromMs: number | null
  toMs: number | null
  /** The cursor's instant. */
  atMs: number | null
  /** A record of the cursor's date: identifies one of several records with the same millisecond. */
  record: number | null
  /** Whether everything later than the cursor is hidden. */
  hidesFuture: boolean
  chart: (typeof CHARTS)[number]
  candlesOf: (typeof CANDLES_OF)[number]
  /** Length of a candle, ms; null to fit the screen. */
  candleMs: number | null
  aggregate: (typeof AGGREGATES)[number]
  palette: (typeof PALETTES)[number]
  /** The sides on which the price axis is shown. */
  axes: (typeof AXES)[number]
  studies: readonly (typeof STUDIES)[number][]
  within: (typeof WITHIN)[number]
  /** Parts that are hidden. */
  hidden: readonly (typeof PARTS)[number][]
  /** The size from which a cell is drawn, and the size from which it is brightest; contracts. */
  cutOff: { lowest: number | null; highest: number | null }
  /** Dollars; null to fit the best prices. */
  prices: { low: number; high: number } | null
  /** Size of the smallest trade that is shown, contracts; null to show all trades. */
  leastTrade: number | null
  /** `UTC`, `local`, or an IANA name. */
  zone: string
}

export type MarketView = Stretch & { page: 'market'; book: BookId; showsMessages: boolean; showsTrades: boolean } & {
  /** Whether only the chart is shown, for a frame in another page. */
  isEmbedded: boolean
}
export type CompareView = Stretch & { page: 'compare'; first: BookId | null; second: BookId | null }
/** A UTC date; defaults to the newest stored date. */
type Dated = { date?: string }
export type StartView = Dated & { page: 'start' }
/** The markets of a date that match all of `words`, from `offset` on. */
export type MarketsView = Dated & { page: 'markets'; venue: Venue; by: Order; words: string; offset: number }
/** `untilMs` is the instant after which everything is hidden; absent to hide nothing. */
export type EventView = Dated & { page: 'event'; venue: Venue; event: string; untilMs?: number }
export type View =
  | StartView
  | MarketsView
  | EventView
  | { page: 'status' }
  | { page: 'keys' }
  | { page: 'lost' }
  | MarketView
  | CompareView

const START = '/explore'
const COMPARE = '/explore/compare'
const STATUS = '/status'
const KEYS = '/explore/keys'
const MS_PER_SECOND = 1_000

/** Parses an address. `search` is its query, with or without the question mark. */
export function parseView(pathname: string, search: string): View {
  const path = pathname.replace(/(?<=.)\/$/, '')
  const query = new URLSearchParams(search)
  if (path === START) return { page: 'start', ...datedIn(query) }
  if (path === STATUS) return { page: 'status' }
  if (path === KEYS) return { page: 'keys' }
  if (path === COMPARE) {
    return {
      page: 'compare',
      first: parseBook(query.get('a')),
      second: parseBook(query.get('b')),
      ...stretchIn(query),
      record: null,
    }
  }
  const [, ofVenue, event] = /^\/explore\/event\/([^/]+)\/([^/]+)$/.exec(path) ?? []
  if (ofVenue !== undefined && event !== undefined && isOneOf(VENUES, ofVenue)) {
    const untilMs = instantOf(query.get('until'))
    return {
      ...{ page: 'event', venue: ofVenue, event: decoded(event) },
      ...datedIn(query),
      ...(untilMs !== null && { untilMs }),
    }
  }
  const [, venue, market] = /^\/explore\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? []
  if (venue === undefined || !isOneOf(VENUES, venue)) return { page: 'lost' }
  if (market === undefined) {
    const offset = Number(/^\d{1,9}$/.exec(query.get('offset') ?? '')?.[0] ?? 0)
    const by = choiceOf(ORDERS, query.get('by'))
    return { page: 'markets', venue, by, words: query.get('q') ?? '', offset, ...datedIn(query) }
  }
  const book = { venue, market: decoded(market), asset: assetOf(venue, query.get('book')) }
  const shows = {
    showsMessages: query.has('messages'),
    showsTrades: query.has('trades'),
    isEmbedded: query.has('embed'),
  }
  return { page: 'market', book, ...shows, ...stretchIn(query) }
}

/** Returns the address of a view, without the host. */
export function printView(view: View): string {
  const query = new URLSearchParams()
  const set = (name: string, value: string | null | undefined) => value && query.set(name, value)
  if ('date' in view) set('date', view.date)
  if (view.page === 'event' && view.untilMs !== undefined) query.set('until', new Date(view.untilMs).toISOString())
  if (view.page === 'markets') {
    if (view.by !== ORDERS[0]) query.set('by', view.by)
    set('q', view.words)
    if (view.offset > 0) query.set('offset', String(view.offset))
  }
  if (view.page === 'market') {
    set('book', view.book.asset)
    if (view.showsMessages) query.set('messages', '')
    if (view.showsTrades) query.set('trades', '')
    if (view.isEmbedded) query.set('embed', '')
    setStretch(query, view)
  }
  if (view.page === 'compare') {
    set('a', view.first && printBook(view.first))
    set('b', view.second && printBook(view.second))
    setStretch(query, view)
  }
  const text = query
    .toString()
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replace(/=(?=&|$)/g, '')
  return text === '' ? pathOf(view) : `${pathOf(view)}?${text}`
}

function pathOf(view: View): string {
  if (view.page === 'market') return `${START}/${view.book.venue}/${encodeURIComponent(view.book.market)}`
  if (view.page === 'event') return `${START}/event/${view.venue}/${encodeURIComponent(view.event)}`
  if (view.page === 'markets') return `${START}/${view.venue}`
  return { start: START, lost: START, status: STATUS, keys: KEYS, compare: COMPARE }[view.page]
}

/** Returns the view that a market opens with. */
export const marketView = (book: BookId, stretch: Partial<Stretch> = {}): MarketView => ({
  page: 'market',
  book,
  showsMessages: false,
  showsTrades: false,
  isEmbedded: false,
  ...stretchIn(new URLSearchParams()),
  ...stretch,
})

/** Returns `kalshi:TICKER`, `kalshi:TICKER:no` or `polymarket:CONDITION:ASSET`. */
export const printBook = ({ venue, market, asset }: BookId): string =>
  asset === null ? `${venue}:${market}` : `${venue}:${market}:${asset}`

export function parseBook(text: string | null): BookId | null {
  const [venue, market, asset] = (text ?? '').split(':')
  if (venue === undefined || !market || !isOneOf(VENUES, venue)) return null
  return { venue, market, asset: assetOf(venue, asset) }
}

function stretchIn(query: URLSearchParams): Stretch {
  return {
    fromMs: instantOf(query.get('from')),
    toMs: instantOf(query.get('to')),
    atMs: instantOf(query.get('at')),
    record: numberOf(query.get('record')),
    hidesFuture: query.has('hide_future'),
    chart: choiceOf(CHARTS, query.get('chart')),
    candlesOf: choiceOf(CANDLES_OF, query.get('candles')),
    candleMs: candleOf(query.get('candle')),
    aggregate: choiceOf(AGGREGATES, query.get('aggregate')),
    palette: choiceOf(PALETTES, query.get('palette')),
    axes: choiceOf(AXES, query.get('axes')),
    studies: STUDIES.filter((each) => query.get('studies')?.split(',').includes(each)),
    hidden: PARTS.filter((each) => query.get('hide')?.split(',').includes(each)),
    within: WITHIN.find((cents) => String(cents) === query.get('within')) ?? WITHIN[0],
    cutOff: { lowest: numberOf(query.get('cut_low')), highest: numberOf(query.get('cut_high')) },
    prices: pricesOf(query.get('prices')),
    leastTrade: numberOf(query.get('trades_from')),
    zone: zoneOf(query.get('zone')),
  }
}

/** Writes a stretch into a query. Omits default values. */
function setStretch(query: URLSearchParams, { fromMs, toMs, atMs, record, cutOff, prices, ...stretch }: Stretch): void {
  const instants = { from: fromMs, to: toMs, at: atMs }
  if (stretch.hidesFuture) query.set('hide_future', '')
  for (const [name, ms] of Object.entries(instants)) if (ms !== null) query.set(name, new Date(ms).toISOString())
  const numbers = { record, cut_low: cutOff.lowest, cut_high: cutOff.highest, trades_from: stretch.leastTrade }
  for (const [name, value] of Object.entries(numbers)) if (value !== null) query.set(name, String(value))
  if (prices !== null) query.set('prices', `${prices.low}-${prices.high}`)
  const { chart, candlesOf, candleMs, aggregate, palette, axes, studies, hidden, within, zone } = stretch
  if (chart !== CHARTS[0]) query.set('chart', chart)
  if (candlesOf !== CANDLES_OF[0]) query.set('candles', candlesOf)
  if (candleMs !== null) query.set('candle', `${candleMs / MS_PER_SECOND}s`)
  if (aggregate !== AGGREGATES[0]) query.set('aggregate', aggregate)
  if (palette !== PALETTES[0]) query.set('palette', palette)
  if (axes !== AXES[0]) query.set('axes', axes)
  if (studies.length > 0) query.set('studies', studies.join(','))
  if (hidden.length > 0) query.set('hide', hidden.join(','))
  if (within !== WITHIN[0]) query.set('within', String(within))
  if (zone !== 'UTC') query.set('zone', zone)
}

/** Parses an instant. Anyone may write an address, so an unreadable part counts as missing. */
function instantOf(text: string | null): number | null {
  if (text === null || !/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?$/.test(text)) return null
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? null : ms
}

/** Reads the date of a view, a UTC day. */
function datedIn(query: URLSearchParams): Dated {
  const date = query.get('date')
  return date !== null && /^\d{4}-\d\d-\d\d$/.test(date) && instantOf(date) !== null ? { date } : {}
}

function numberOf(text: string | null): number | null {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) && value >= 0 ? value : null
}

/** The only candle lengths above an hour, seconds. */
const LONG_CANDLES_S = [14_400, 86_400]

function candleOf(text: string | null): number | null {
  const seconds = Number(/^([1-9]\d{0,4})s$/.exec(text ?? '')?.[1] ?? Number.NaN)
  return seconds <= 3_600 || LONG_CANDLES_S.includes(seconds) ? seconds * MS_PER_SECOND : null
}

function pricesOf(text: string | null): Stretch['prices'] {
  const [low, high] = (text ?? '').split('-').map(numberOf)
  return low == null || high == null || low >= high || high > 1 ? null : { low, high }
}

const zoneOf = (text: string | null): string => (text !== null && isZone(text) ? text : 'UTC')

const isOneOf = <T extends string>(all: readonly T[], text: string): text is T =>
  (all as readonly string[]).includes(text)

const choiceOf = <T extends string>(all: readonly T[], text: string | null): T =>
  text !== null && isOneOf(all, text) ? text : all[0]!

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
