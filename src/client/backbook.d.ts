// Types of the HTTP API of backbook, made from its OpenAPI document: `bun run client-types` writes this file, and every
// server has its own at /docs/backbook.d.ts.

import type { Elysia } from 'elysia'

/** What is stored of a market on the date */
export interface ActiveMarket {
  /** Its condition id, or its ticker */
  market: string
  /** The question, or the title */
  title: string | null
  /** What distinguishes it within its event */
  subtitle: string | null
  /** Polymarket's name for it in addresses */
  slug: string | null
  event: MarketEvent
  /** In the order of the venue; empty if they are not known */
  outcomes: MarketOutcome[]
  /** Records */
  records: number
  /** Trades whose price and size can be read */
  trades: number
  /** Their contracts */
  volume: number
  /** Number of gap records and inferred gaps */
  gaps: number
  /** Total length of the gaps, ms; a gap without a known end adds nothing */
  gap_ms: number
}

/** The busiest markets of a date, the busiest first */
export interface ActiveMarkets {
  /** The date: a UTC day */
  date: string
  /** Markets in the answer */
  data_count: number
  /** The markets, the busiest first */
  data: ActiveMarket[]
  /** Markets skipped before this page */
  offset: number
  /** Maximum number of entries in a page, as requested */
  limit: number
  /** Markets in all pages together */
  total_count: number
  /** Whether there is a page after this one */
  has_more: boolean
}

/** How often a recorder compared its books with the venue's own, by result */
export interface Audits {
  /** The book was the same */
  exact: number
  /** The book was the same at a moment close by */
  consistent: number
  /** The book differed at every moment close by */
  inconsistent: number
  /** The book was lost meanwhile, or REST did not return it */
  undecidable: number
}

/** A level that a record of the book changes */
export interface BookChange {
  /** Event time of the record: Unix time, ms, UTC */
  timestamp: number
  /** Its place in its date: its `offset` in raw data without `asset_id`; null if another source is shown from here on */
  record: number | null
  /** The type of the record: level is a change */
  kind: 'level' | 'snapshot' | 'gap'
  /** Null in the row of a gap that removes no level */
  side: 'bid' | 'ask' | null
  /** Dollars */
  price: number | null
  /** Contracts before the record; 0 if the level did not exist */
  before: number | null
  /** Contracts after it; 0 if the level is gone */
  after: number | null
  /** Trust of the book after all records of that ms: established by a snapshot; observed: no snapshot so far, only levels that changes named; doubtful: within an inferred gap; lost: after a gap, until a snapshot; unknown: the source shown from then on lacks the book */
  trust: 'established' | 'observed' | 'doubtful' | 'lost' | 'unknown'
}

/** The top of the book at the end of a bucket, and how it moved in it */
export interface Bucket {
  /** Start of the bucket: Unix s if the bounds were in s, else Unix ms, UTC */
  timestamp: number
  /** Quotes in the bucket */
  quote_count: number
  /** True if the bucket has no quote and carries the state before it */
  is_forward_filled: boolean
  /** Highest bid at the end, dollars (0 to 1); null without bids */
  best_bid: number | null
  /** Contracts bid for at that price; 0 without bids */
  best_bid_size: number
  /** Lowest ask at the end, dollars (0 to 1); null without asks */
  best_ask: number | null
  /** Contracts offered at that price; 0 without asks */
  best_ask_size: number
  /** (bid + ask) / 2, dollars; null unless both sides exist */
  mid_price: number | null
  /** ask − bid, dollars; negative for a crossed book, null unless both sides exist */
  spread: number | null
  best_bid_ohlc: Candle
  best_ask_ohlc: Candle
  mid_price_ohlc: Candle
  spread_ohlc: Candle
  /** The worst trust of the book in the bucket: established by a snapshot; observed: no snapshot so far, only levels that changes named; doubtful: within an inferred gap; lost: after a gap, until a snapshot */
  trust: 'established' | 'observed' | 'doubtful' | 'lost'
}

/** A candle over the values of the bucket's quotes that are not null, dollars. All four are numbers, or all are null */
export interface Candle {
  /** Of the first quote, dollars */
  open: number | null
  /** Highest, dollars */
  high: number | null
  /** Lowest, dollars */
  low: number | null
  /** Of the last quote, dollars */
  close: number | null
}

/** A page to pay at */
export interface Checkout {
  /** The page's address, at Stripe */
  checkout_url: string
}

/** A component of the service */
export interface Component {
  /** Its name */
  name: string
  /** Its state; idle: nothing is stored yet */
  status: 'ok' | 'degraded' | 'down' | 'idle'
  /** Its numbers. If the server has a monitoring token, only its holder sees them */
  figures?: Record<string, number | null>
}

/** A series of a category */
export interface CountedSeries {
  /** The series, by the venue's own id */
  series: string | null
  /** The category, in the venue's words */
  category: string | null
  /** Number of its events that the venue describes */
  events: number
}

/** A key with its secret, which is shown only here */
export interface CreatedKey {
  /** Always true */
  success: boolean
  data: {
    /** The id of the key; it is not secret */
    key_id: string
    /** The secret, to be sent after "Bearer". The server stores only its SHA-256 */
    api_key: string
    /** The user that the key belongs to */
    user_id: string
    /** What the key is for */
    name: string
    /** When it was created: RFC 3339, UTC */
    created_at: string
    /** When it expires; absent if never: RFC 3339, UTC */
    expires_at?: string
    /** The venues that it may read; absent if all */
    scopes?: Array<'polymarket' | 'kalshi'>
  }
}

/** Records of an archive on one date */
export interface DateSource {
  /** Name of the archive */
  source: string
  /** Records that it has of the date, shown or not */
  records: number
  /** The licence, or all of them; null if none is known */
  licence: string | null
  /** The publisher to name */
  attribution: string | null
}

/** A time of a date in which the records and books of one source are shown */
export interface DateSpan {
  /** The archive; null for your own recordings */
  source: string | null
  /** Its first millisecond: Unix time, ms, UTC */
  from: number
  /** Where the next span begins; for the last span, the end of the date: Unix time, ms, UTC */
  to: number
}

/** A file of a day of a market */
export interface DayFile {
  /** Its name, the last segment of its path */
  name: 'records.ndjson.zst' | 'candles-1s.parquet' | 'trades.parquet'
  /** Its size */
  bytes: number
  /** The digest of its bytes, in hexadecimal digits; its ETag */
  sha256: string
  /** Records, seconds or trades in it */
  rows: number
}

/** The book at the end of a bucket */
export interface DepthBucket {
  /** Start of the bucket: Unix s if the bounds were in s, else Unix ms, UTC */
  timestamp: number
  /** The worst trust of the book in the bucket: established by a snapshot; observed: no snapshot so far, only levels that changes named; doubtful: within an inferred gap; lost: after a gap, until a snapshot */
  trust: 'established' | 'observed' | 'doubtful' | 'lost'
  /** The best bids: [price in dollars, size in contracts], the best first */
  bids: Array<number[]>
  /** The best asks: [price in dollars, size in contracts], the best first */
  asks: Array<number[]>
  /** Number of all levels with bids */
  bid_level_count: number
  /** Number of all levels with asks */
  ask_level_count: number
  /** Contracts of all bids */
  bid_depth: number
  /** Contracts of all asks */
  ask_depth: number
  /** (best bid size − best ask size) / their sum; null unless both sizes are known */
  imbalance: number | null
  /** (bid × ask size + ask × bid size) / their sum, dollars; null unless both sizes are known */
  microprice: number | null
  /** For each band, the contracts bid for at mid − band or more; null without mid */
  bid_depth_within: Array<number | null>
  /** For each band, the contracts offered at mid + band or less; null without mid */
  ask_depth_within: Array<number | null>
  /** For each size, the average price of buying, dollars; null without asks */
  buy_price: Array<number | null>
  /** For each size, how many of these contracts are offered; null if the best size of the side is not known */
  buy_filled: Array<number | null>
  /** For each size, the average price of selling, dollars; null without bids */
  sell_price: Array<number | null>
  /** For each size, how many of these contracts are bid for; null if the best size of the side is not known */
  sell_filled: Array<number | null>
}

/** Columns in which one size rests at a step of price */
export interface DepthRun {
  /** Start of the step, dollars: prices from it up to the next step */
  price: number
  /** Start of the first column: Unix time, ms, UTC */
  from: number
  /** End of the last column: Unix time, ms, UTC */
  to: number
  /** Contracts: positive for bids, negative for asks; the larger if both rested */
  size: number
}

/** A link that needs no key for 60 s */
export interface DownloadTicket {
  /** The path with a ticket, on this server */
  url: string
  /** When it ends: RFC 3339, UTC */
  expires_at: string
}

/** A page of events */
export interface EventList {
  /** Events in this page */
  data_count: number
  /** The events, ascending by id */
  data: ListedEvent[]
  /** Events skipped before this page */
  offset: number
  /** Maximum number of entries in a page, as requested */
  limit: number
  /** Events in all pages together */
  total_count: number
  /** Whether there is a page after this one */
  has_more: boolean
}

/** What is wrong with one parameter */
export interface FieldError {
  /** Its name */
  field: string
  /** What the value must be, and what it was */
  message: string
}

/** The files of a date, by market */
export interface FilesOfDate {
  /** The date: a UTC day */
  date: string
  /** Markets in this page */
  data_count: number
  /** Maximum number of entries in a page, as requested */
  limit: number
  /** Whether there is a page after this one */
  has_more: boolean
  /** The cursor of the next page; null on the last */
  next_cursor: string | null
  /** The same three fields again */
  pagination: {
    /** Maximum number of entries in a page, as requested */
    limit: number
    /** Whether there is a page after this one */
    has_more: boolean
    /** The cursor of the next page; null on the last */
    next_cursor: string | null
  }
  /** The markets, ascending */
  data: FilesOfDay[]
}

/** The files of a day of a market */
export interface FilesOfDay {
  /** Its condition id, or its ticker */
  market: string
  /** Grows with each change of the day */
  revision: number
  /** Records of the day */
  record_count: number
  /** The files */
  files: DayFile[]
}

/** A market that has all words */
export interface FoundMarket {
  /** Its venue */
  venue: 'polymarket' | 'kalshi'
  /** Its condition id, or its ticker */
  market: string
  /** The question, or the title */
  title: string | null
  /** What distinguishes it within its event */
  subtitle: string | null
  /** Polymarket's name for it in addresses */
  slug: string | null
  event: MarketEvent
  /** In the order of the venue; empty if they are not known */
  outcomes: MarketOutcome[]
  /** Whether a record of the market is stored */
  has_data: boolean
  /** The first stored date; null without one: a UTC day */
  start_date: string | null
  /** The last stored date; null without one: a UTC day */
  end_date: string | null
  /** Stored dates */
  available_date_count: number
  /** Records of all dates */
  record_count: number
}

/** The server can answer */
export interface Health {
  /** Always ok: a server that cannot answer returns 503 */
  status: 'ok'
  /** The version of backbook */
  version: string
  /** Time since the server started, s */
  uptime_seconds: number
  /** State of the recorder; gone: it ended unexpectedly; absent: it never ran */
  recorder?: 'starting' | 'recording' | 'catching_up' | 'disk_full' | 'stopping' | 'stopped' | 'gone'
}

/** The requests of an hour */
export interface HourCount {
  /** Start of the hour: RFC 3339, UTC */
  hour: string
  /** Requests in it */
  count: number
}

/** Requests by hour */
export interface HourCounts {
  /** The user */
  user_id: string
  /** The first moment, as given */
  start_time: number | string
  /** The last moment, as given */
  end_time: number | string
  /** Hours with requests, ascending */
  counts: HourCount[]
}

/** A known incident of the archives */
export interface Incident {
  /** Its name */
  name: string
  /** The first date that it touches: a UTC day */
  from: string
  /** The last date that it touches: a UTC day */
  to: string
  /** What it means for the data */
  note: string
}

/** A book at an instant */
export interface KalshiBook {
  /** The ticker, in upper case */
  market_ticker: string
  /** The instant, or the event time of the requested record: Unix time, ms, UTC */
  timestamp: number
  /** Event time of the last record of the book: Unix time, ms, UTC */
  as_of: number | null
  /** The date of that record: a UTC day */
  date: string | null
  /** Its place in that date */
  record: number | null
  /** established by a snapshot; observed: no snapshot so far, only levels that changes named; doubtful: within an inferred gap; lost: after a gap, until a snapshot; unknown: no record */
  trust: 'established' | 'observed' | 'doubtful' | 'lost' | 'unknown'
  /** The highest first */
  bids: Array<number[]>
  /** The lowest first */
  asks: Array<number[]>
  /** The last trade of the book; null without one */
  last_trade: {
    /** Event time, which never steps back within a market and date: Unix time, ms, UTC */
    timestamp: number
    /** The market, in upper case */
    ticker: string
    /** Dollars (0 to 1) of YES */
    price: number
    /** Contracts */
    size: number
    /** What the taker did with YES: taking NO is selling YES; null if the venue does not say */
    side: 'buy' | 'sell' | null
    /** The venue's id of the trade; null without one */
    trade_id: string | null
    /** Its place in the date: the `offset` of the raw record without a token; null if the date does not show the record */
    record: number | null
  } | null
  /** Step of prices, as the venue stated it last, dollars; null on Kalshi */
  tick_size: number | null
  /** Whether the venue's hash of exactly this state agrees; null without one, if not established, and on Kalshi */
  verified: boolean | null
}

/** The changes of one book */
export interface KalshiBookChanges {
  /** The ticker, in upper case */
  market_ticker: string
  /** The requested date; null with bounds: a UTC day */
  date: string | null
  /** Only with bounds: the first, in s if both were in s, else in ms */
  start_timestamp?: number
  /** Only with bounds: the last, in the same unit */
  end_timestamp?: number
  /** Only with date: the first record, counted over all books */
  record?: number
  /** Only with date: number of records */
  limit?: number
  /** Only with date: whether records follow; for them, raise `record` by `limit` */
  has_more?: boolean
  /** In stored order; within a record bids first, then asks, each with the best first */
  data: BookChange[]
}

/** One book on one date */
export interface KalshiBookCoverage {
  /** The market, in upper case */
  ticker: string
  /** Records about the book; 0 if it is only carried from an earlier date */
  record_count: number
  /** Quotes of the book */
  quote_count: number
  /** Time of the first quote, null without one: Unix time, ms, UTC */
  first_quote_timestamp: number | null
  /** Time of the last quote, null without one: Unix time, ms, UTC */
  last_quote_timestamp: number | null
  /** From what the book is known on that date */
  starts_from: 'snapshot' | 'opening_book' | 'neither'
  /** Snapshots of the book */
  snapshot_count: number
  /** Levels of its snapshots and changes that are skipped */
  levels_skipped: number
  /** Snapshots that differ from the book before them in at most one level */
  snapshots_confirmed: number
  /** Snapshots that differ in more levels: something was lost before them */
  snapshots_contradicted: number
  /** The longest time between two records of the book */
  longest_silence_ms: number
}

/** One of many books: its data, or why it has none */
export interface KalshiBookEntry {
  /** The ticker, in upper case */
  market_ticker: string
  /** The instant, or the event time of the requested record: Unix time, ms, UTC */
  timestamp?: number
  /** Event time of the last record of the book: Unix time, ms, UTC */
  as_of?: number | null
  /** The date of that record: a UTC day */
  date?: string | null
  /** Its place in that date */
  record?: number | null
  /** established by a snapshot; observed: no snapshot so far, only levels that changes named; doubtful: within an inferred gap; lost: after a gap, until a snapshot; unknown: no record */
  trust?: 'established' | 'observed' | 'doubtful' | 'lost' | 'unknown'
  /** The highest first */
  bids?: Array<number[]>
  /** The lowest first */
  asks?: Array<number[]>
  /** The last trade of the book; null without one */
  last_trade?: {
    /** Event time, which never steps back within a market and date: Unix time, ms, UTC */
    timestamp: number
    /** The market, in upper case */
    ticker: string
    /** Dollars (0 to 1) of YES */
    price: number
    /** Contracts */
    size: number
    /** What the taker did with YES: taking NO is selling YES; null if the venue does not say */
    side: 'buy' | 'sell' | null
    /** The venue's id of the trade; null without one */
    trade_id: string | null
    /** Its place in the date: the `offset` of the raw record without a token; null if the date does not show the record */
    record: number | null
  } | null
  /** Step of prices, as the venue stated it last, dollars; null on Kalshi */
  tick_size?: number | null
  /** Whether the venue's hash of exactly this state agrees; null without one, if not established, and on Kalshi */
  verified?: boolean | null
  error?: NotStored
}

/** A book at an instant, for each of many */
export interface KalshiBookOfMany {
  /** The books, in the requested order */
  markets: KalshiBookEntry[]
}

/** What is stored, date by date */
export interface KalshiCalendar {
  /** The first date of the answer: a UTC day */
  from: string | null
  /** The last date of the answer: a UTC day */
  to: string | null
  /** Dates in it */
  data_count: number
  /** The dates, ascending */
  data: KalshiCalendarDay[]
}

/** One date, over all markets */
export interface KalshiCalendarDay {
  /** The date: a UTC day */
  date: string
  /** degraded: a gap, or a known incident; missing: nothing is stored */
  condition: 'available' | 'degraded' | 'missing'
  /** Markets with a record of the date */
  markets: number
  /** Records */
  records: number
  /** Trades whose price and size can be read */
  trades: number
  /** Their contracts */
  volume: number
  /** Number of gap records and inferred gaps */
  gaps: number
  /** Total length of the gaps, ms; a gap without a known end adds nothing, overlaps count twice */
  gap_ms: number
  /** The inferred ones among them */
  inferred_gaps: number
  /** Snapshots of a known book that confirm it */
  snapshots_confirmed: number
  /** Snapshots of a known book that contradict it */
  snapshots_contradicted: number
  /** Names of the known incidents that touch the date */
  incidents: string[]
}

/** What is stored of a market, date by date */
export interface KalshiCoverage {
  /** The ticker, in upper case */
  market_ticker: string
  /** Whether the market is stored */
  has_data: boolean
  /** Every stored date, ascending */
  dates: KalshiDateCoverage[]
}

/** One stored date */
export interface KalshiDateCoverage {
  /** The date: a UTC day */
  date: string
  /** Records of the date */
  record_count: number
  /** Quotes of all its books together */
  quote_count: number
  /** Event time of the first record: Unix time, ms, UTC */
  first_timestamp: number
  /** Event time of the last record: Unix time, ms, UTC */
  last_timestamp: number
  /** The worst start of its books */
  starts_from: 'snapshot' | 'opening_book' | 'neither'
  /** One entry for each book */
  books: KalshiBookCoverage[]
  /** Gap records of the date that no other recorder covers */
  gaps: KalshiGap[]
  /** Gaps of one recorder while another received the book: the book stays known. Absent if there is none */
  covered_gaps?: KalshiGap[]
  /** Gaps that no record reports, ascending by time */
  inferred_gaps: KalshiInferredGap[]
  audits: Audits
  /** Known incidents of the archives that touch the date */
  incidents: Incident[]
  /** What the date shows, span by span; left out if no archive has the date */
  spans?: DateSpan[]
  /** Archives that have the date; left out if there are none */
  sources?: DateSource[]
}

/** A page of the records of one date */
export interface KalshiDatePage {
  /** The ticker, in upper case */
  market_ticker: string
  /** The requested date: a UTC day */
  date: string
  /** Records in this page */
  data_count: number
  /** Records of the date (and token) skipped before this page */
  offset: number
  /** Maximum number of entries in a page, as requested */
  limit: number
  /** Records of the date (and token) in all pages together */
  total_count: number
  /** Whether there is a page after this one */
  has_more: boolean
  /** The same four fields again */
  pagination: {
    /** Records of the date (and token) skipped before this page */
    offset: number
    /** Maximum number of entries in a page, as requested */
    limit: number
    /** Records of the date (and token) in all pages together */
    total_count: number
    /** Whether there is a page after this one */
    has_more: boolean
  }
  /** The records, by event time */
  data: KalshiRecord[]
}

/** The first and last stored date of a market; dates between them may be missing */
export interface KalshiDateRange {
  /** The ticker, in upper case */
  market_ticker: string
  /** Whether the market is stored */
  has_data: boolean
  /** The first stored date; null without one: a UTC day */
  start_date: string | null
  /** The last stored date; null without one: a UTC day */
  end_date: string | null
  /** Stored dates */
  available_date_count: number
}

/** Depth of one book over a day or a window */
export interface KalshiDepth {
  /** The ticker, in upper case */
  market_ticker: string
  /** The requested date; null with bounds: a UTC day */
  date: string | null
  /** Only with bounds: the first, in s if both were in s, else in ms */
  start_timestamp?: number
  /** Only with bounds: the last, in the same unit */
  end_timestamp?: number
  /** Length of a bucket, s */
  resolution_seconds: number
  /** Number of buckets in data */
  data_points: number
  /** The buckets, ascending */
  data: DepthBucket[]
}

/** One of many books: its data, or why it has none */
export interface KalshiDepthEntry {
  /** The ticker, in upper case */
  market_ticker: string
  /** Number of buckets in data */
  data_points?: number
  /** The buckets, ascending */
  data?: DepthBucket[]
  error?: NotStored
}

/** Sizes over price and time */
export interface KalshiDepthMap {
  /** The ticker, in upper case */
  market_ticker: string
  /** The requested date; null with bounds: a UTC day */
  date: string | null
  /** Only with bounds: the first, in s if both were in s, else in ms */
  start_timestamp?: number
  /** Only with bounds: the last, in the same unit */
  end_timestamp?: number
  /** Start of the first column: Unix time, ms, UTC */
  start_ms: number
  /** Length of a column, ms */
  resolution_ms: number
  /** Height of a row, dollars */
  price_step: number
  /** Which size of a column is returned */
  aggregate: 'max' | 'mean' | 'last'
  /** Columns in all */
  columns: number
  /** Runs of columns in which the book is known: [first, last], counted from 0 */
  known: Array<number[]>
  /** The runs, by price, then by time */
  data: DepthRun[]
}

/** Depth of one book over a day or a window, for each of many */
export interface KalshiDepthOfMany {
  /** The requested date; null with bounds: a UTC day */
  date: string | null
  /** Only with bounds: the first, in s if both were in s, else in ms */
  start_timestamp?: number
  /** Only with bounds: the last, in the same unit */
  end_timestamp?: number
  /** Length of a bucket, s */
  resolution_seconds: number
  /** The books, in the requested order */
  markets: KalshiDepthEntry[]
}

/** A time in which the recorder knows that it missed messages */
export interface KalshiGap {
  /** The market, in upper case */
  ticker: string | null
  /** The reason that the recorder gave */
  reason: string
  /** Its start: Unix time, ms, UTC */
  from: number | null
  /** Its end: Unix time, ms, UTC */
  to: number | null
  /** Event time of the gap, from which on the book is empty until its next snapshot: Unix time, ms, UTC */
  timestamp: number
}

/** A loss that no record reports: the book follows from the records, and may be wrong */
export interface KalshiInferredGap {
  /** The market, in upper case */
  book: string
  /** sequence_restart: seq stepped back, so it is a new connection; sequence_hole: seq skipped a number; below_zero: a change took more than its level had; crossed: bids reached asks; unreadable_change: a level that cannot be read; best_price_contradicts: the venue stated other best prices twice; hash_contradicts: the venue's hash is of another book; snapshot_contradicts: the snapshot differs; days_without_data: the book continues from a date before the previous one */
  reason: 'sequence_restart' | 'sequence_hole' | 'below_zero' | 'crossed' | 'unreadable_change' | 'best_price_contradicts' | 'hash_contradicts' | 'snapshot_contradicts' | 'days_without_data'
  /** Time of the last record of the book before it: Unix time, ms, UTC */
  from: number
  /** Time of the next snapshot, agreeing hash, recorded gap or switch of source; null if none followed: Unix time, ms, UTC */
  to: number | null
  /** Levels in which that snapshot differs from the book before it; null if that book was not known */
  levels_differing: number | null
}

/** Metadata of a market, and what is stored of it */
export interface KalshiMarketInfo {
  /** The ticker, in upper case */
  market_ticker: string
  /** The question, or the title */
  title: string | null
  /** What distinguishes it within its event */
  subtitle: string | null
  /** Polymarket's name for it in addresses */
  slug: string | null
  event: MarketEvent
  /** In the order of the venue; empty if they are not known */
  outcomes: MarketOutcome[]
  /** When it opened, or will: Unix time, ms, UTC */
  open_timestamp: number | null
  /** When it is to close: Unix time, ms, UTC */
  close_timestamp: number | null
  /** When it was settled; on Polymarket, when it was closed: Unix time, ms, UTC */
  settlement_timestamp: number | null
  /** Kalshi's word; on Polymarket `active`, `inactive`, `archived`, `closed` or `resolved` */
  status: string | null
  /** The outcome that won, `split` if several did; null before */
  result: string | null
  /** Dollars that a contract of the first outcome paid; of YES on Kalshi. Null before */
  settlement_value: number | null
  /** The value that decides it, in the unit of what it is about; the lower end of a range */
  strike: number | null
  /** Kalshi's word for how the strike decides, such as `greater_or_equal` or `between` */
  strike_kind: string | null
  /** Step of prices, dollars; null if it differs by price */
  tick_size: number | null
  /** Kalshi: the tick size of each range of prices */
  price_ranges: PriceRange[] | null
  /** How it is settled */
  rules: string | null
  /** Whether a record of the market is stored */
  has_data: boolean
  /** The first stored date; null without one: a UTC day */
  start_date: string | null
  /** The last stored date; null without one: a UTC day */
  end_date: string | null
  /** Stored dates */
  available_date_count: number
  /** Records of all dates */
  record_count: number
  /** The venue's JSON of market and event, merged from all that was loaded */
  said: {
    /** The venue's own JSON */
    market: Record<string, unknown>
    /** The venue's own JSON */
    event: Record<string, unknown> | null
  } | null
  /** When the metadata changed last: Unix time, ms, UTC */
  loaded_at: number | null
  /** Imported archives that have records of the market; left out if there are none */
  sources?: MarketSource[]
}

/** A page of the records of a time range */
export interface KalshiRangePage {
  /** The ticker, in upper case */
  market_ticker: string
  /** The first bound, inclusive: Unix time, ms, UTC */
  start_timestamp: number
  /** The last bound, inclusive: Unix time, ms, UTC */
  end_timestamp: number
  /** Records in this page */
  data_count: number
  /** Maximum number of entries in a page, as requested */
  limit: number
  /** Whether there is a page after this one */
  has_more: boolean
  /** The cursor of the next page; null on the last */
  next_cursor: string | null
  /** The same three fields again */
  pagination: {
    /** Maximum number of entries in a page, as requested */
    limit: number
    /** Whether there is a page after this one */
    has_more: boolean
    /** The cursor of the next page; null on the last */
    next_cursor: string | null
  }
  /** The records, by event time */
  data: KalshiRecord[]
}

/** One message about one book */
export interface KalshiRecord {
  /** What the record is */
  type: 'snapshot' | 'delta' | 'trade' | 'tick_size' | 'gap' | 'other'
  /** Event time, which never steps back within a market and date: Unix time, ms, UTC */
  timestamp: number
  /** The recorder's clock; null if the capture has none: Unix time, ms, UTC */
  received_at: number | null
  /** The market, in upper case */
  ticker: string
  /** The venue's number of the subscription; null without one */
  sid: number | null
  /** The venue's number of the message in its subscription; null without one */
  seq: number | null
  /** The archive that the record is from; absent from your own records */
  source?: string
  /** The venue's message, its numbers and texts as they were printed */
  msg: Record<string, unknown>
}

/** The buckets of one book over a day or a window */
export interface KalshiSummary {
  /** The ticker, in upper case */
  market_ticker: string
  /** The requested date; null with bounds: a UTC day */
  date: string | null
  /** Only with bounds: the first, in s if both were in s, else in ms */
  start_timestamp?: number
  /** Only with bounds: the last, in the same unit */
  end_timestamp?: number
  /** Length of a bucket, s */
  resolution_seconds: number
  /** Number of buckets in data */
  data_points: number
  /** The buckets, ascending */
  data: Bucket[]
}

/** One of many books: its data, or why it has none */
export interface KalshiSummaryEntry {
  /** The ticker, in upper case */
  market_ticker: string
  /** Number of buckets in data */
  data_points?: number
  /** The buckets, ascending */
  data?: Bucket[]
  error?: NotStored
}

/** The buckets of one book over a day or a window, for each of many */
export interface KalshiSummaryOfMany {
  /** The requested date; null with bounds: a UTC day */
  date: string | null
  /** Only with bounds: the first, in s if both were in s, else in ms */
  start_timestamp?: number
  /** Only with bounds: the last, in the same unit */
  end_timestamp?: number
  /** Length of a bucket, s */
  resolution_seconds: number
  /** The books, in the requested order */
  markets: KalshiSummaryEntry[]
}

/** One trade of the venue */
export interface KalshiTrade {
  /** Event time, which never steps back within a market and date: Unix time, ms, UTC */
  timestamp: number
  /** The market, in upper case */
  ticker: string
  /** Dollars (0 to 1) of YES */
  price: number
  /** Contracts */
  size: number
  /** What the taker did with YES: taking NO is selling YES; null if the venue does not say */
  side: 'buy' | 'sell' | null
  /** The venue's id of the trade; null without one */
  trade_id: string | null
  /** Its place in the date: the `offset` of the raw record without a token; null if the date does not show the record */
  record: number | null
}

/** The trades of one book over a day or a window, in buckets */
export interface KalshiTradeSummary {
  /** The ticker, in upper case */
  market_ticker: string
  /** The requested date; null with bounds: a UTC day */
  date: string | null
  /** Only with bounds: the first, in s if both were in s, else in ms */
  start_timestamp?: number
  /** Only with bounds: the last, in the same unit */
  end_timestamp?: number
  /** Length of a bucket, s */
  resolution_seconds: number
  /** Number of buckets in data */
  data_points: number
  /** The buckets, ascending */
  data: TradeBucket[]
}

/** One of many books: its data, or why it has none */
export interface KalshiTradeSummaryEntry {
  /** The ticker, in upper case */
  market_ticker: string
  /** Number of buckets in data */
  data_points?: number
  /** The buckets, ascending */
  data?: TradeBucket[]
  error?: NotStored
}

/** The trades of one book over a day or a window, in buckets, for each of many */
export interface KalshiTradeSummaryOfMany {
  /** The requested date; null with bounds: a UTC day */
  date: string | null
  /** Only with bounds: the first, in s if both were in s, else in ms */
  start_timestamp?: number
  /** Only with bounds: the last, in the same unit */
  end_timestamp?: number
  /** Length of a bucket, s */
  resolution_seconds: number
  /** The books, in the requested order */
  markets: KalshiTradeSummaryEntry[]
}

/** A page of the trades of a market */
export interface KalshiTrades {
  /** The ticker, in upper case */
  market_ticker: string
  /** The requested date; null with bounds: a UTC day */
  date: string | null
  /** Only with bounds: the first, in s if both were in s, else in ms */
  start_timestamp?: number
  /** Only with bounds: the last, in the same unit */
  end_timestamp?: number
  /** Maximum number of entries in a page, as requested */
  limit: number
  /** Trades in this page */
  data_count: number
  /** Whether there is a page after this one */
  has_more: boolean
  /** The cursor of the next page; null on the last */
  next_cursor: string | null
  /** The trades, as stored: by event time */
  data: KalshiTrade[]
}

/** A key without its secret */
export interface Key {
  /** The id of the key; it is not secret */
  id: string
  /** What the key is for */
  name: string
  /** Its state */
  status: 'active' | 'expired' | 'revoked'
  /** When it was created: RFC 3339, UTC */
  created_at: string
  /** When it was last used; null if never: RFC 3339, UTC */
  last_used_at: string | null
  /** When it expires; absent if never: RFC 3339, UTC */
  expires_at?: string
  /** The venues that it may read; absent if all */
  scopes?: Array<'polymarket' | 'kalshi'>
}

/** When a key was last used */
export interface KeyLastUsed {
  /** The id of the key; it is not secret */
  key_id: string
  /** When it was last used; null if never: RFC 3339, UTC */
  last_used_at: string | null
}

/** The keys of a user */
export interface KeyList {
  /** The user that the key belongs to */
  user_id: string
  /** The keys of this page */
  api_keys: Key[]
  /** All keys of the user, over all pages */
  total: number
}

/** The name of a key */
export interface KeyName {
  /** The id of the key; it is not secret */
  key_id: string
  /** What the key is for */
  name: string
}

/** An event, as its venue describes it */
export interface ListedEvent {
  /** Its ticker, or its slug on Polymarket */
  event: string
  /** Its title */
  title: string | null
  /** What distinguishes it within its series */
  subtitle: string | null
  /** The category, in the venue's words */
  category: string | null
  /** The series, by the venue's own id */
  series: string | null
}

/** Metadata of a market, and what is stored of it */
export interface ListedMarket {
  /** Its condition id, or its ticker */
  market: string
  /** The question, or the title */
  title: string | null
  /** What distinguishes it within its event */
  subtitle: string | null
  /** Polymarket's name for it in addresses */
  slug: string | null
  event: MarketEvent
  /** In the order of the venue; empty if they are not known */
  outcomes: MarketOutcome[]
  /** Whether a record of the market is stored */
  has_data: boolean
  /** The first stored date; null without one: a UTC day */
  start_date: string | null
  /** The last stored date; null without one: a UTC day */
  end_date: string | null
  /** Stored dates */
  available_date_count: number
  /** Records of all dates */
  record_count: number
}

/** The event that a market is of */
export interface MarketEvent {
  /** Its ticker on Kalshi, its slug on Polymarket */
  id: string
  /** Null if it is not known */
  title: string | null
}

/** A page of the stored markets */
export interface MarketList {
  /** Condition ids (Polymarket: with 0x, in lower case) or tickers (Kalshi: in upper case), ascending */
  markets: string[]
  /** With `details=true`: the metadata of each, in their order */
  details?: ListedMarket[]
  /** Markets in this page */
  data_count: number
  /** Markets skipped before this page */
  offset: number
  /** Maximum number of entries in a page, as requested */
  limit: number
  /** Markets in all pages together */
  total_count: number
  /** Whether there is a page after this one */
  has_more: boolean
  /** The same four fields again */
  pagination: {
    /** Markets skipped before this page */
    offset: number
    /** Maximum number of entries in a page, as requested */
    limit: number
    /** Markets in all pages together */
    total_count: number
    /** Whether there is a page after this one */
    has_more: boolean
  }
}

/** One outcome of a market */
export interface MarketOutcome {
  /** Its name */
  outcome: string
  /** What the outcome means; null if the venue does not say */
  title: string | null
  /** Its token on Polymarket, null on Kalshi */
  asset_id: string | null
}

/** An archive that has records of the market */
export interface MarketSource {
  /** Name of the archive */
  source: string
  /** The form of its files */
  format: string
  /** The licence; null if none is stated */
  licence: string | null
  /** The publisher to name */
  attribution: string | null
  /** What a receive time is: of the frame, of the batch of rows, or none */
  clock: 'frame' | 'batch' | 'none'
  /** What orders the rows: a sequence number, their place in the file, or nothing */
  order: 'sequence' | 'file' | 'none'
  /** Whether its books and changes have the venue's hash */
  hash_kept: boolean
  /** Whether its messages are made from columns */
  is_rebuilt: boolean
  /** Repairs that its import made */
  repairs: string[]
  /** Number of the archive's loaded files, for all markets together */
  files: number
}

/** How each date was recorded, and the requests so far */
export interface MonitoringHistory {
  /** The first date that is shown: a UTC day */
  from: string
  /** The last date that is shown: today: a UTC day */
  to: string
  /** Requests that this process answered since its start */
  requests: number
  /** Requests that failed: status 500 or above */
  failed_requests: number
  /** The venues */
  venues: PastVenue[]
}

/** The state of the service and its components */
export interface MonitoringStatus {
  /** The state of the whole service */
  status: 'ok' | 'degraded' | 'down' | 'idle'
  /** The version of backbook */
  version: string
  /** Time since the server started, s */
  uptime_seconds: number
  /** The components */
  components: Component[]
}

/** Why a book has no data */
export interface NotStored {
  /** `market_not_stored` or `asset_not_stored` */
  code: string
  /** The same in a sentence */
  detail: string
}

/** How a date was recorded */
export interface PastDay {
  /** The date: a UTC day */
  date: string
  /** degraded: a gap, or a known incident; missing: nothing is stored */
  condition: 'available' | 'degraded' | 'missing'
  /** Number of gap records and inferred gaps, of all markets */
  gaps: number
  /** Total length of the gaps, ms; a gap without a known end adds nothing, overlaps count twice */
  gap_ms: number
  /** Names of the known incidents that touch the date */
  incidents: string[]
}

/** One request */
export interface PastRequest {
  /** When it was answered: RFC 3339, UTC */
  time: string
  /** Its method */
  method: string
  /** Its path, without the query */
  path: string
  /** The HTTP status of its answer */
  status: number
  /** Time until the answer began, ms */
  duration_ms: number
  /** The key that was used */
  key_id: string
}

/** How a venue was recorded */
export interface PastVenue {
  /** The venue */
  venue: 'polymarket' | 'kalshi'
  /** The first stored date; null without one: a UTC day */
  first_date: string | null
  /** The last stored date; null without one: a UTC day */
  last_date: string | null
  /** Every date from the first stored or shown one, ascending */
  days: PastDay[]
}

/** A book at an instant */
export interface PolymarketBook {
  /** The condition id, with 0x and in lower case */
  market_condition_id: string
  /** The outcome token, decimal digits */
  asset_id: string
  /** The instant, or the event time of the requested record: Unix time, ms, UTC */
  timestamp: number
  /** Event time of the last record of the book: Unix time, ms, UTC */
  as_of: number | null
  /** The date of that record: a UTC day */
  date: string | null
  /** Its place in that date */
  record: number | null
  /** established by a snapshot; observed: no snapshot so far, only levels that changes named; doubtful: within an inferred gap; lost: after a gap, until a snapshot; unknown: no record */
  trust: 'established' | 'observed' | 'doubtful' | 'lost' | 'unknown'
  /** The highest first */
  bids: Array<number[]>
  /** The lowest first */
  asks: Array<number[]>
  /** The last trade of the book; null without one */
  last_trade: {
    /** Event time, which never steps back within a market and date: Unix time, ms, UTC */
    timestamp: number
    /** The outcome token, decimal digits */
    asset_id: string | null
    /** Dollars (0 to 1) */
    price: number
    /** Contracts */
    size: number
    /** What the taker did with the token; null if the venue does not say */
    side: 'buy' | 'sell' | null
    /** Hash of the transaction, which several trades may share; null without */
    trade_id: string | null
    /** Its place in the date: the `offset` of the raw record without a token; null if the date does not show the record */
    record: number | null
  } | null
  /** Step of prices, as the venue stated it last, dollars; null on Kalshi */
  tick_size: number | null
  /** Whether the venue's hash of exactly this state agrees; null without one, if not established, and on Kalshi */
  verified: boolean | null
}

/** The changes of one book */
export interface PolymarketBookChanges {
  /** The condition id, with 0x and in lower case */
  market_condition_id: string
  /** The outcome token, decimal digits */
  asset_id: string
  /** The requested date; null with bounds: a UTC day */
  date: string | null
  /** Only with bounds: the first, in s if both were in s, else in ms */
  start_timestamp?: number
  /** Only with bounds: the last, in the same unit */
  end_timestamp?: number
  /** Only with date: the first record, counted over all books */
  record?: number
  /** Only with date: number of records */
  limit?: number
  /** Only with date: whether records follow; for them, raise `record` by `limit` */
  has_more?: boolean
  /** In stored order; within a record bids first, then asks, each with the best first */
  data: BookChange[]
}

/** One book on one date */
export interface PolymarketBookCoverage {
  /** The outcome token, decimal digits */
  asset_id: string
  /** Records about the book; 0 if it is only carried from an earlier date */
  record_count: number
  /** Quotes of the book */
  quote_count: number
  /** Time of the first quote, null without one: Unix time, ms, UTC */
  first_quote_timestamp: number | null
  /** Time of the last quote, null without one: Unix time, ms, UTC */
  last_quote_timestamp: number | null
  /** From what the book is known on that date */
  starts_from: 'snapshot' | 'opening_book' | 'neither'
  /** Snapshots of the book */
  snapshot_count: number
  /** Levels of its snapshots and changes that are skipped */
  levels_skipped: number
  /** Snapshots that differ from the book before them in at most one level */
  snapshots_confirmed: number
  /** Snapshots that differ in more levels: something was lost before them */
  snapshots_contradicted: number
  /** The longest time between two records of the book */
  longest_silence_ms: number
  /** Checked hashes that the book has */
  hashes_agreed: number
  /** Hashes of the venue that the book was compared with, a sample of the book's quotes */
  hashes_checked: number
  /** Checked quotes whose best bid and ask are the venue's */
  best_prices_agreed: number
  /** Quotes with the venue's own best prices, of a book that is known */
  best_prices_checked: number
}

/** One of many books: its data, or why it has none */
export interface PolymarketBookEntry {
  /** The condition id, with 0x and in lower case */
  market_condition_id: string
  /** The outcome token, decimal digits */
  asset_id: string | null
  /** The instant, or the event time of the requested record: Unix time, ms, UTC */
  timestamp?: number
  /** Event time of the last record of the book: Unix time, ms, UTC */
  as_of?: number | null
  /** The date of that record: a UTC day */
  date?: string | null
  /** Its place in that date */
  record?: number | null
  /** established by a snapshot; observed: no snapshot so far, only levels that changes named; doubtful: within an inferred gap; lost: after a gap, until a snapshot; unknown: no record */
  trust?: 'established' | 'observed' | 'doubtful' | 'lost' | 'unknown'
  /** The highest first */
  bids?: Array<number[]>
  /** The lowest first */
  asks?: Array<number[]>
  /** The last trade of the book; null without one */
  last_trade?: {
    /** Event time, which never steps back within a market and date: Unix time, ms, UTC */
    timestamp: number
    /** The outcome token, decimal digits */
    asset_id: string | null
    /** Dollars (0 to 1) */
    price: number
    /** Contracts */
    size: number
    /** What the taker did with the token; null if the venue does not say */
    side: 'buy' | 'sell' | null
    /** Hash of the transaction, which several trades may share; null without */
    trade_id: string | null
    /** Its place in the date: the `offset` of the raw record without a token; null if the date does not show the record */
    record: number | null
  } | null
  /** Step of prices, as the venue stated it last, dollars; null on Kalshi */
  tick_size?: number | null
  /** Whether the venue's hash of exactly this state agrees; null without one, if not established, and on Kalshi */
  verified?: boolean | null
  error?: NotStored
}

/** A book at an instant, for each of many */
export interface PolymarketBookOfMany {
  /** The books, in the requested order */
  markets: PolymarketBookEntry[]
}

/** What is stored, date by date */
export interface PolymarketCalendar {
  /** The first date of the answer: a UTC day */
  from: string | null
  /** The last date of the answer: a UTC day */
  to: string | null
  /** Dates in it */
  data_count: number
  /** The dates, ascending */
  data: PolymarketCalendarDay[]
}

/** One date, over all markets */
export interface PolymarketCalendarDay {
  /** The date: a UTC day */
  date: string
  /** degraded: a gap, or a known incident; missing: nothing is stored */
  condition: 'available' | 'degraded' | 'missing'
  /** Markets with a record of the date */
  markets: number
  /** Records */
  records: number
  /** Trades whose price and size can be read */
  trades: number
  /** Their contracts */
  volume: number
  /** Number of gap records and inferred gaps */
  gaps: number
  /** Total length of the gaps, ms; a gap without a known end adds nothing, overlaps count twice */
  gap_ms: number
  /** The inferred ones among them */
  inferred_gaps: number
  /** Snapshots of a known book that confirm it */
  snapshots_confirmed: number
  /** Snapshots of a known book that contradict it */
  snapshots_contradicted: number
  /** Compared hashes of the venue that agree with its books */
  hashes_agreed: number
  /** Hashes that were compared */
  hashes_checked: number
  /** Quotes whose best prices agree with the venue's own */
  best_prices_agreed: number
  /** Quotes with the venue's own best prices */
  best_prices_checked: number
  /** Names of the known incidents that touch the date */
  incidents: string[]
}

/** What is stored of a market, date by date */
export interface PolymarketCoverage {
  /** The condition id, with 0x and in lower case */
  market_condition_id: string
  /** Whether the market is stored */
  has_data: boolean
  /** The outcome tokens of all stored dates */
  asset_ids: string[]
  /** Every stored date, ascending */
  dates: PolymarketDateCoverage[]
}

/** One stored date */
export interface PolymarketDateCoverage {
  /** The date: a UTC day */
  date: string
  /** Records of the date */
  record_count: number
  /** Quotes of all its books together */
  quote_count: number
  /** Event time of the first record: Unix time, ms, UTC */
  first_timestamp: number
  /** Event time of the last record: Unix time, ms, UTC */
  last_timestamp: number
  /** The worst start of its books */
  starts_from: 'snapshot' | 'opening_book' | 'neither'
  /** One entry for each book */
  books: PolymarketBookCoverage[]
  /** Gap records of the date that no other recorder covers */
  gaps: PolymarketGap[]
  /** Gaps of one recorder while another received the book: the book stays known. Absent if there is none */
  covered_gaps?: PolymarketGap[]
  /** Gaps that no record reports, ascending by time */
  inferred_gaps: PolymarketInferredGap[]
  audits: Audits
  /** Known incidents of the archives that touch the date */
  incidents: Incident[]
  /** What the date shows, span by span; left out if no archive has the date */
  spans?: DateSpan[]
  /** Archives that have the date; left out if there are none */
  sources?: DateSource[]
}

/** A page of the records of one date */
export interface PolymarketDatePage {
  /** The condition id, with 0x and in lower case */
  market_condition_id: string
  /** The requested date: a UTC day */
  date: string
  /** Records in this page */
  data_count: number
  /** Records of the date (and token) skipped before this page */
  offset: number
  /** Maximum number of entries in a page, as requested */
  limit: number
  /** Records of the date (and token) in all pages together */
  total_count: number
  /** Whether there is a page after this one */
  has_more: boolean
  /** The same four fields again */
  pagination: {
    /** Records of the date (and token) skipped before this page */
    offset: number
    /** Maximum number of entries in a page, as requested */
    limit: number
    /** Records of the date (and token) in all pages together */
    total_count: number
    /** Whether there is a page after this one */
    has_more: boolean
  }
  /** The records, by event time */
  data: PolymarketRecord[]
}

/** The first and last stored date of a market; dates between them may be missing */
export interface PolymarketDateRange {
  /** The condition id, with 0x and in lower case */
  market_condition_id: string
  /** Whether the market is stored */
  has_data: boolean
  /** The first stored date; null without one: a UTC day */
  start_date: string | null
  /** The last stored date; null without one: a UTC day */
  end_date: string | null
  /** Stored dates */
  available_date_count: number
}

/** Depth of one book over a day or a window */
export interface PolymarketDepth {
  /** The condition id, with 0x and in lower case */
  market_condition_id: string
  /** The outcome token, decimal digits */
  asset_id: string
  /** The requested date; null with bounds: a UTC day */
  date: string | null
  /** Only with bounds: the first, in s if both were in s, else in ms */
  start_timestamp?: number
  /** Only with bounds: the last, in the same unit */
  end_timestamp?: number
  /** Length of a bucket, s */
  resolution_seconds: number
  /** Number of buckets in data */
  data_points: number
  /** The buckets, ascending */
  data: DepthBucket[]
}

/** One of many books: its data, or why it has none */
export interface PolymarketDepthEntry {
  /** The condition id, with 0x and in lower case */
  market_condition_id: string
  /** The outcome token, decimal digits */
  asset_id: string | null
  /** Number of buckets in data */
  data_points?: number
  /** The buckets, ascending */
  data?: DepthBucket[]
  error?: NotStored
}

/** Sizes over price and time */
export interface PolymarketDepthMap {
  /** The condition id, with 0x and in lower case */
  market_condition_id: string
  /** The outcome token, decimal digits */
  asset_id: string
  /** The requested date; null with bounds: a UTC day */
  date: string | null
  /** Only with bounds: the first, in s if both were in s, else in ms */
  start_timestamp?: number
  /** Only with bounds: the last, in the same unit */
  end_timestamp?: number
  /** Start of the first column: Unix time, ms, UTC */
  start_ms: number
  /** Length of a column, ms */
  resolution_ms: number
  /** Height of a row, dollars */
  price_step: number
  /** Which size of a column is returned */
  aggregate: 'max' | 'mean' | 'last'
  /** Columns in all */
  columns: number
  /** Runs of columns in which the book is known: [first, last], counted from 0 */
  known: Array<number[]>
  /** The runs, by price, then by time */
  data: DepthRun[]
}

/** Depth of one book over a day or a window, for each of many */
export interface PolymarketDepthOfMany {
  /** The requested date; null with bounds: a UTC day */
  date: string | null
  /** Only with bounds: the first, in s if both were in s, else in ms */
  start_timestamp?: number
  /** Only with bounds: the last, in the same unit */
  end_timestamp?: number
  /** Length of a bucket, s */
  resolution_seconds: number
  /** The books, in the requested order */
  markets: PolymarketDepthEntry[]
}

/** A time in which the recorder knows that it missed messages */
export interface PolymarketGap {
  /** The outcome token, decimal digits */
  asset_id: string | null
  /** The reason that the recorder gave */
  reason: string
  /** Its start: Unix time, ms, UTC */
  from: number | null
  /** Its end: Unix time, ms, UTC */
  to: number | null
  /** Event time of the gap, from which on the book is empty until its next snapshot: Unix time, ms, UTC */
  timestamp: number
}

/** A loss that no record reports: the book follows from the records, and may be wrong */
export interface PolymarketInferredGap {
  /** The outcome token, decimal digits */
  book: string
  /** sequence_restart: seq stepped back, so it is a new connection; sequence_hole: seq skipped a number; below_zero: a change took more than its level had; crossed: bids reached asks; unreadable_change: a level that cannot be read; best_price_contradicts: the venue stated other best prices twice; hash_contradicts: the venue's hash is of another book; snapshot_contradicts: the snapshot differs; days_without_data: the book continues from a date before the previous one */
  reason: 'sequence_restart' | 'sequence_hole' | 'below_zero' | 'crossed' | 'unreadable_change' | 'best_price_contradicts' | 'hash_contradicts' | 'snapshot_contradicts' | 'days_without_data'
  /** Time of the last record of the book before it: Unix time, ms, UTC */
  from: number
  /** Time of the next snapshot, agreeing hash, recorded gap or switch of source; null if none followed: Unix time, ms, UTC */
  to: number | null
  /** Levels in which that snapshot differs from the book before it; null if that book was not known */
  levels_differing: number | null
}

/** Metadata of a market, and what is stored of it */
export interface PolymarketMarketInfo {
  /** The condition id, with 0x and in lower case */
  market_condition_id: string
  /** The question, or the title */
  title: string | null
  /** What distinguishes it within its event */
  subtitle: string | null
  /** Polymarket's name for it in addresses */
  slug: string | null
  event: MarketEvent
  /** In the order of the venue; empty if they are not known */
  outcomes: MarketOutcome[]
  /** When it opened, or will: Unix time, ms, UTC */
  open_timestamp: number | null
  /** When it is to close: Unix time, ms, UTC */
  close_timestamp: number | null
  /** When it was settled; on Polymarket, when it was closed: Unix time, ms, UTC */
  settlement_timestamp: number | null
  /** Kalshi's word; on Polymarket `active`, `inactive`, `archived`, `closed` or `resolved` */
  status: string | null
  /** The outcome that won, `split` if several did; null before */
  result: string | null
  /** Dollars that a contract of the first outcome paid; of YES on Kalshi. Null before */
  settlement_value: number | null
  /** The value that decides it, in the unit of what it is about; the lower end of a range */
  strike: number | null
  /** Kalshi's word for how the strike decides, such as `greater_or_equal` or `between` */
  strike_kind: string | null
  /** Step of prices, dollars; null if it differs by price */
  tick_size: number | null
  /** Kalshi: the tick size of each range of prices */
  price_ranges: PriceRange[] | null
  /** How it is settled */
  rules: string | null
  /** Whether a record of the market is stored */
  has_data: boolean
  /** The first stored date; null without one: a UTC day */
  start_date: string | null
  /** The last stored date; null without one: a UTC day */
  end_date: string | null
  /** Stored dates */
  available_date_count: number
  /** Records of all dates */
  record_count: number
  /** The venue's JSON of market and event, merged from all that was loaded */
  said: {
    /** The venue's own JSON */
    market: Record<string, unknown>
    /** The venue's own JSON */
    event: Record<string, unknown> | null
  } | null
  /** When the metadata changed last: Unix time, ms, UTC */
  loaded_at: number | null
  /** Imported archives that have records of the market; left out if there are none */
  sources?: MarketSource[]
}

/** A page of the records of a time range */
export interface PolymarketRangePage {
  /** The condition id, with 0x and in lower case */
  market_condition_id: string
  /** The first bound, inclusive: Unix time, ms, UTC */
  start_timestamp: number
  /** The last bound, inclusive: Unix time, ms, UTC */
  end_timestamp: number
  /** Records in this page */
  data_count: number
  /** Maximum number of entries in a page, as requested */
  limit: number
  /** Whether there is a page after this one */
  has_more: boolean
  /** The cursor of the next page; null on the last */
  next_cursor: string | null
  /** The same three fields again */
  pagination: {
    /** Maximum number of entries in a page, as requested */
    limit: number
    /** Whether there is a page after this one */
    has_more: boolean
    /** The cursor of the next page; null on the last */
    next_cursor: string | null
  }
  /** The records, by event time */
  data: PolymarketRecord[]
}

/** One message about one book */
export interface PolymarketRecord {
  /** What the record is */
  type: 'snapshot' | 'delta' | 'trade' | 'tick_size' | 'gap' | 'other'
  /** Event time, which never steps back within a market and date: Unix time, ms, UTC */
  timestamp: number
  /** The recorder's clock; null if the capture has none: Unix time, ms, UTC */
  received_at: number | null
  /** The outcome token, decimal digits */
  asset_id: string | null
  /** The archive that the record is from; absent from your own records */
  source?: string
  /** The venue's message, its numbers and texts as they were printed */
  msg: Record<string, unknown>
}

/** The buckets of one book over a day or a window */
export interface PolymarketSummary {
  /** The condition id, with 0x and in lower case */
  market_condition_id: string
  /** The outcome token, decimal digits */
  asset_id: string
  /** The requested date; null with bounds: a UTC day */
  date: string | null
  /** Only with bounds: the first, in s if both were in s, else in ms */
  start_timestamp?: number
  /** Only with bounds: the last, in the same unit */
  end_timestamp?: number
  /** Length of a bucket, s */
  resolution_seconds: number
  /** Number of buckets in data */
  data_points: number
  /** The buckets, ascending */
  data: Bucket[]
}

/** One of many books: its data, or why it has none */
export interface PolymarketSummaryEntry {
  /** The condition id, with 0x and in lower case */
  market_condition_id: string
  /** The outcome token, decimal digits */
  asset_id: string | null
  /** Number of buckets in data */
  data_points?: number
  /** The buckets, ascending */
  data?: Bucket[]
  error?: NotStored
}

/** The buckets of one book over a day or a window, for each of many */
export interface PolymarketSummaryOfMany {
  /** The requested date; null with bounds: a UTC day */
  date: string | null
  /** Only with bounds: the first, in s if both were in s, else in ms */
  start_timestamp?: number
  /** Only with bounds: the last, in the same unit */
  end_timestamp?: number
  /** Length of a bucket, s */
  resolution_seconds: number
  /** The books, in the requested order */
  markets: PolymarketSummaryEntry[]
}

/** One trade of the venue */
export interface PolymarketTrade {
  /** Event time, which never steps back within a market and date: Unix time, ms, UTC */
  timestamp: number
  /** The outcome token, decimal digits */
  asset_id: string | null
  /** Dollars (0 to 1) */
  price: number
  /** Contracts */
  size: number
  /** What the taker did with the token; null if the venue does not say */
  side: 'buy' | 'sell' | null
  /** Hash of the transaction, which several trades may share; null without */
  trade_id: string | null
  /** Its place in the date: the `offset` of the raw record without a token; null if the date does not show the record */
  record: number | null
}

/** The trades of one book over a day or a window, in buckets */
export interface PolymarketTradeSummary {
  /** The condition id, with 0x and in lower case */
  market_condition_id: string
  /** The outcome token, decimal digits */
  asset_id: string
  /** The requested date; null with bounds: a UTC day */
  date: string | null
  /** Only with bounds: the first, in s if both were in s, else in ms */
  start_timestamp?: number
  /** Only with bounds: the last, in the same unit */
  end_timestamp?: number
  /** Length of a bucket, s */
  resolution_seconds: number
  /** Number of buckets in data */
  data_points: number
  /** The buckets, ascending */
  data: TradeBucket[]
}

/** One of many books: its data, or why it has none */
export interface PolymarketTradeSummaryEntry {
  /** The condition id, with 0x and in lower case */
  market_condition_id: string
  /** The outcome token, decimal digits */
  asset_id: string | null
  /** Number of buckets in data */
  data_points?: number
  /** The buckets, ascending */
  data?: TradeBucket[]
  error?: NotStored
}

/** The trades of one book over a day or a window, in buckets, for each of many */
export interface PolymarketTradeSummaryOfMany {
  /** The requested date; null with bounds: a UTC day */
  date: string | null
  /** Only with bounds: the first, in s if both were in s, else in ms */
  start_timestamp?: number
  /** Only with bounds: the last, in the same unit */
  end_timestamp?: number
  /** Length of a bucket, s */
  resolution_seconds: number
  /** The books, in the requested order */
  markets: PolymarketTradeSummaryEntry[]
}

/** A page of the trades of a market */
export interface PolymarketTrades {
  /** The condition id, with 0x and in lower case */
  market_condition_id: string
  /** The outcome token, decimal digits */
  asset_id?: string
  /** The requested date; null with bounds: a UTC day */
  date: string | null
  /** Only with bounds: the first, in s if both were in s, else in ms */
  start_timestamp?: number
  /** Only with bounds: the last, in the same unit */
  end_timestamp?: number
  /** Maximum number of entries in a page, as requested */
  limit: number
  /** Trades in this page */
  data_count: number
  /** Whether there is a page after this one */
  has_more: boolean
  /** The cursor of the next page; null on the last */
  next_cursor: string | null
  /** The trades, as stored: by event time */
  data: PolymarketTrade[]
}

/** A market and its number of requests */
export interface PopularMarket {
  /** Its venue */
  venue: 'polymarket' | 'kalshi'
  /** Its condition_id or ticker */
  market: string
  /** Requests about it that were not refused */
  requests: number
}

/** The markets with most requests */
export interface PopularMarkets {
  /** The markets, the one with most requests first */
  markets: PopularMarket[]
}

/** A page to change or end a subscription at */
export interface Portal {
  /** The page's address, at Stripe */
  portal_url: string
}

/** Prices of one tick size, dollars */
export interface PriceRange {
  /** From this price */
  start: number
  /** To this price */
  end: number
  /** In steps of */
  step: number
}

/** A failure (RFC 9457). Program against code */
export interface Problem {
  /** The code as a URN */
  type: string
  /** The meaning of the code: always the same text */
  title: string
  /** The HTTP status */
  status: number
  /** What happened: one sentence for people */
  detail: string
  /** The failure */
  code: 'accounts_unavailable' | 'admin_token_missing' | 'admin_token_wrong' | 'asset_not_stored' | 'billing_not_configured' | 'billing_unavailable' | 'block_corrupt' | 'blocks_unavailable' | 'body_invalid' | 'body_too_large' | 'body_type_unknown' | 'connections_exceeded' | 'cursor_invalid' | 'cursor_stale' | 'date_not_stored' | 'date_too_early' | 'disk_full' | 'event_not_found' | 'expectation_unknown' | 'internal' | 'key_expired' | 'key_missing' | 'key_not_found' | 'key_revoked' | 'key_unknown' | 'management_closed' | 'market_not_stored' | 'method_not_allowed' | 'monitoring_token_missing' | 'monitoring_token_wrong' | 'overloaded' | 'parameters_invalid' | 'plan_not_sold' | 'quota_exceeded' | 'range_not_satisfiable' | 'range_too_long' | 'rate_limited' | 'route_unknown' | 'scope_missing' | 'slug_not_found' | 'store_unavailable' | 'subscription_exists' | 'subscription_not_found' | 'ticket_invalid' | 'upgrade_required' | 'url_too_long' | 'webhook_signature_invalid' | 'work_lost'
  /** The x-request-id of the answer, as in the server's log */
  request_id: string
  /** The wrong parameters, if there are any */
  errors?: FieldError[]
}

/** A balancer should send requests here */
export interface Ready {
  /** Always ready: a server that is not returns 503 */
  status: 'ready'
}

/** The newest requests of a user */
export interface RecentRequests {
  /** The user */
  user_id: string
  /** The requests, the newest first */
  requests: PastRequest[]
}

/** Number of all requests of a user */
export interface RequestCount {
  /** The user */
  user_id: string
  /** Requests with its keys, including those that did not count as calls */
  total_requests: number
}

/** The key is revoked */
export interface RevokedKey {
  /** Always true */
  success: boolean
  /** A sentence for people */
  message: string
}

/** Markets that have all words */
export interface Search {
  /** As given */
  q: string
  /** Markets in the answer */
  data_count: number
  /** The markets, the best first */
  data: FoundMarket[]
}

/** The series of a venue */
export interface SeriesList {
  /** Rows */
  data_count: number
  /** Ordered by category, then by series; null is last */
  data: CountedSeries[]
}

/** The markets behind a slug */
export interface SlugLookup {
  /** The requested slug */
  slug: string
  /** The event of the markets; null if it is not known */
  event: {
    /** The event's slug */
    slug: string
    /** The event's title */
    title: string
  } | null
  /** All markets of an event's slug; one market for a market's slug */
  markets: SlugMarket[]
}

/** A Polymarket market */
export interface SlugMarket {
  /** What it is about */
  question: string
  /** Its condition_id, with 0x and in lower case */
  conditionId: string
  /** Its own slug */
  slug: string
  /** Its outcome tokens: each is an asset_id */
  asset_ids: string[]
  /** What the tokens stand for, by position */
  outcomes: string[]
}

/** Requests to the whole server */
export interface Stats {
  /** Users */
  users: number
  /** All keys that were ever created */
  api_keys: number
  /** Active keys */
  active_api_keys: number
  /** Requests with a valid key */
  total_requests: number
  /** Requests that count for plans */
  api_calls: number
  /** Requests answered with 429 */
  refused: number
  /** Requests answered with 5xx */
  failed: number
  /** The current hour and the 23 before it */
  last_24_hours: {
    /** Requests with a valid key */
    total_requests: number
    /** Requests that count for plans */
    api_calls: number
    /** Requests answered with 429 */
    refused: number
    /** Requests answered with 5xx */
    failed: number
    /** Hours with requests, ascending */
    counts: HourCount[]
  }
}

/** The subscription of a user */
export interface SubscriptionStatus {
  /** Whether a subscription has not ended */
  has_subscription: boolean
  /** Stripe's id of the last subscription; null without one */
  subscription_id: string | null
  /** Stripe's word for its state; null without a subscription */
  status: string | null
  /** The plan that applies now, paid for or set by an operator */
  tier: string
  /** Start of the paid period: RFC 3339, UTC */
  current_period_start: string | null
  /** End of the paid period: RFC 3339, UTC */
  current_period_end: string | null
}

/** The trades in a bucket */
export interface TradeBucket {
  /** Start of the bucket: Unix s if the bounds were in s, else Unix ms, UTC */
  timestamp: number
  /** Price of the first trade, dollars; null without a trade */
  open: number | null
  /** Highest, dollars; null without a trade */
  high: number | null
  /** Lowest, dollars; null without a trade */
  low: number | null
  /** Price of the last trade, dollars; null without a trade */
  close: number | null
  /** notional / volume, dollars; null if the volume is 0 */
  vwap: number | null
  /** Contracts */
  volume: number
  /** Contracts that takers bought */
  buy_volume: number
  /** Contracts that takers sold. Bought and sold contracts add up to the volume if the venue states sides */
  sell_volume: number
  /** Sum of price times size, dollars */
  notional: number
  /** Trades */
  trade_count: number
  /** Trades in which the taker bought */
  buy_count: number
  /** Trades in which the taker sold */
  sell_count: number
}

/** What a user used of its plan this month */
export interface Usage {
  /** The user */
  user_id: string
  /** The id of its plan */
  tier: string
  /** The name of its plan */
  tier_name: string
  /** Calls of this month */
  api_calls: number
  /** Calls that the plan allows in a month; null for no limit */
  limit: number | null
  /** Calls left this month; null for no limit */
  remaining: number | null
  /** The month, in UTC */
  month: string
  /** Whether the plan has no limit */
  unlimited: boolean
}

/** The effect of an event */
export interface WebhookReceipt {
  /** Always true */
  received: boolean
  /** Its effect: repeated and ignored events change nothing */
  outcome: 'applied' | 'repeated' | 'ignored'
}

/** A failure with one of the codes that an endpoint can answer with that status. */
export type Failure<Code extends Problem['code']> = Problem & { code: Code }

interface Endpoint<Query, Params, Body, Response> {
  query: Query
  params: Params
  body: Body
  headers: Nothing
  response: Response
}
type Nothing = Record<never, never>

/** Every endpoint, by the parts of its path and its method. */
export type Endpoints = {
  polymarket: {
    market: {
      'orderbook-summary': {
        /**
         * Top of book of a day or window, in buckets with candles.
         *
         * Give `date`, or `start_timestamp` with `end_timestamp`: it may have at most 1,000,000 buckets. Prices are dollars (0 to 1), sizes contracts. Long answers are streamed; an error breaks the connection. Also at `/market/orderbook-summary`.
         */
        get: Endpoint<{
          /** The condition id of the market. Accepted: 64 hexadecimal digits, with or without 0x */
          condition_id: string
          /** One outcome token of the market: market/coverage and lookup/slug list them. Accepted: up to 78 decimal digits */
          asset_id: string
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date?: string
          /** Lower bound, inclusive. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          start_timestamp?: number | string
          /** Upper bound, inclusive; a date or a second counts as a whole. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          end_timestamp?: number | string
          /** Length of a bucket, s. Accepted: a whole number from 1 to 3600. Default: 60 */
          resolution?: number
          /** Which buckets without a quote to return: those while the book is known, none, or all to the end. Accepted: observed, none or range. Default: observed */
          fill?: 'observed' | 'none' | 'range'
          /** Only rows in which the trust of the book is one of these; all by default. Accepted: 1 to 4 trusts with commas between, each established, observed, doubtful or lost */
          trust?: string
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
          /** Format of the answer; by default from the header Accept. Accepted: json, ndjson, csv, arrow or parquet. Default: json */
          format?: 'json' | 'ndjson' | 'csv' | 'arrow' | 'parquet'
          /** Only these columns, for csv, arrow or parquet; all by default. Accepted: names of columns with commas between */
          columns?: string
        }, Nothing, undefined, {
          200: PolymarketSummary
          304: null
          400: Failure<'parameters_invalid' | 'range_too_long'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored' | 'asset_not_stored'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
        }>
      }
      trades: {
        /**
         * Trades of a day or window, page by page with cursors.
         *
         * Give `date`, or `start_timestamp` with `end_timestamp`. Repeat the query with `cursor` set to `next_cursor` until that is null; only `limit` and the format may change. Prices are dollars (0 to 1), sizes contracts. A trade whose price or size cannot be read is not listed: the raw records have it.
         */
        get: Endpoint<{
          /** The condition id of the market. Accepted: 64 hexadecimal digits, with or without 0x */
          condition_id: string
          /** One outcome token of the market: market/coverage and lookup/slug list them. Accepted: up to 78 decimal digits */
          asset_id?: string
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date?: string
          /** Lower bound, inclusive. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          start_timestamp?: number | string
          /** Upper bound, inclusive; a date or a second counts as a whole. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          end_timestamp?: number | string
          /** Trades in a page, at most. Accepted: a whole number from 1 to 100000. Default: 10000 */
          limit?: number
          /** Where the page begins; the beginning by default. Accepted: the next_cursor of the page before */
          cursor?: string
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
          /** Format of the answer; by default from the header Accept. Accepted: json, ndjson, csv, arrow or parquet. Default: json */
          format?: 'json' | 'ndjson' | 'csv' | 'arrow' | 'parquet'
          /** Only these columns, for csv, arrow or parquet; all by default. Accepted: names of columns with commas between */
          columns?: string
        }, Nothing, undefined, {
          200: PolymarketTrades
          304: null
          400: Failure<'parameters_invalid' | 'cursor_invalid' | 'cursor_stale'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored' | 'asset_not_stored'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
        }>
      }
      'trade-summary': {
        /**
         * Trades of a day or window, in buckets with candle and volumes.
         *
         * Give `date`, or `start_timestamp` with `end_timestamp`: it may have at most 1,000,000 buckets. Prices are dollars (0 to 1), sizes contracts; sums are exact. Trades are those of `market/trades`.
         */
        get: Endpoint<{
          /** The condition id of the market. Accepted: 64 hexadecimal digits, with or without 0x */
          condition_id: string
          /** One outcome token of the market: market/coverage and lookup/slug list them. Accepted: up to 78 decimal digits */
          asset_id: string
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date?: string
          /** Lower bound, inclusive. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          start_timestamp?: number | string
          /** Upper bound, inclusive; a date or a second counts as a whole. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          end_timestamp?: number | string
          /** Length of a bucket, s. Accepted: a whole number from 1 to 3600. Default: 60 */
          resolution?: number
          /** Which buckets without a trade to return: none, or all of the stored dates. Accepted: none or range. Default: none */
          fill?: 'none' | 'range'
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
          /** Format of the answer; by default from the header Accept. Accepted: json, ndjson, csv, arrow or parquet. Default: json */
          format?: 'json' | 'ndjson' | 'csv' | 'arrow' | 'parquet'
          /** Only these columns, for csv, arrow or parquet; all by default. Accepted: names of columns with commas between */
          columns?: string
        }, Nothing, undefined, {
          200: PolymarketTradeSummary
          304: null
          400: Failure<'parameters_invalid' | 'range_too_long'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored' | 'asset_not_stored'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
        }>
      }
      book: {
        /**
         * One book at an instant.
         *
         * Every record of the book up to `timestamp`, or up to the record at a place of a `date`, is applied. If nothing is stored of that day, it is the closing book of the latest stored day before: `as_of` has the time of its last record.
         */
        get: Endpoint<{
          /** The condition id of the market. Accepted: 64 hexadecimal digits, with or without 0x */
          condition_id: string
          /** One outcome token of the market: market/coverage and lookup/slug list them. Accepted: up to 78 decimal digits */
          asset_id: string
          /** The instant; now by default. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          timestamp?: number | string
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date?: string
          /** The place of a record in the date: its `offset` in raw data without `asset_id`. Accepted: a whole number from 0 to 9007199254740991 */
          record?: number
          /** Levels of a side, at most; all by default. Accepted: a whole number from 1 to 10000 */
          depth?: number
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
        }, Nothing, undefined, {
          200: PolymarketBook
          304: null
          400: Failure<'parameters_invalid'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored' | 'asset_not_stored'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
        }>
        changes: {
          /**
           * The levels that each record of a book changes.
           *
           * Give `start_timestamp` with `end_timestamp`, or `date`: then `limit` records of it from `record` on are read. A snapshot has rows for the levels that it changes. A gap has rows for the levels that it removes, or one row without a level if it removes none. Setting each level to `after` turns the book before the record into the book after it. Setting the levels to `before` in reverse order undoes that.
           */
          get: Endpoint<{
            /** The condition id of the market. Accepted: 64 hexadecimal digits, with or without 0x */
            condition_id: string
            /** One outcome token of the market: market/coverage and lookup/slug list them. Accepted: up to 78 decimal digits */
            asset_id: string
            /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
            date?: string
            /** The place of a record in the date: its `offset` in raw data without `asset_id`. Accepted: a whole number from 0 to 9007199254740991 */
            record?: number
            /** Records of the date from `record` on, counted over all books; 16384 by default. Accepted: a whole number from 1 to 100000 */
            limit?: number
            /** Lower bound, inclusive. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
            start_timestamp?: number | string
            /** Upper bound, inclusive; a date or a second counts as a whole. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
            end_timestamp?: number | string
            /** Only rows in which the trust of the book is one of these; all by default. Accepted: 1 to 4 trusts with commas between, each established, observed, doubtful or lost */
            trust?: string
            /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
            source?: string
            /** Format of the answer; by default from the header Accept. Accepted: json, ndjson, csv, arrow or parquet. Default: json */
            format?: 'json' | 'ndjson' | 'csv' | 'arrow' | 'parquet'
            /** Only these columns, for csv, arrow or parquet; all by default. Accepted: names of columns with commas between */
            columns?: string
          }, Nothing, undefined, {
            200: PolymarketBookChanges
            304: null
            400: Failure<'parameters_invalid'>
            401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
            403: Failure<'scope_missing'>
            404: Failure<'market_not_stored' | 'asset_not_stored'>
            414: Failure<'url_too_long'>
            429: Failure<'quota_exceeded' | 'rate_limited'>
            500: Failure<'block_corrupt' | 'internal'>
            503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
          }>
        }
      }
      'depth-summary': {
        /**
         * Levels and depth of a book over a day or window, in buckets.
         *
         * The buckets of `orderbook-summary`, each with the book at its end. It has the known levels, also before a snapshot. The lists of `bands` and `sizes` are in the requested order; in flat formats each is a column, such as `bid_depth_within_0.01` or `buy_price_500`, and levels are `bid_price_1`, `bid_size_1` and so on.
         */
        get: Endpoint<{
          /** The condition id of the market. Accepted: 64 hexadecimal digits, with or without 0x */
          condition_id: string
          /** One outcome token of the market: market/coverage and lookup/slug list them. Accepted: up to 78 decimal digits */
          asset_id: string
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date?: string
          /** Lower bound, inclusive. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          start_timestamp?: number | string
          /** Upper bound, inclusive; a date or a second counts as a whole. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          end_timestamp?: number | string
          /** Length of a bucket, s. Accepted: a whole number from 1 to 3600. Default: 60 */
          resolution?: number
          /** Which buckets without a quote to return: those while the book is known, none, or all to the end. Accepted: observed, none or range. Default: observed */
          fill?: 'observed' | 'none' | 'range'
          /** Only rows in which the trust of the book is one of these; all by default. Accepted: 1 to 4 trusts with commas between, each established, observed, doubtful or lost */
          trust?: string
          /** Levels of a side, at most, the best first. Accepted: a whole number from 1 to 100. Default: 10 */
          levels?: number
          /** Distances from mid in dollars: the answer has the contracts within each. Accepted: up to 8 different decimals from 0 to 1 with commas between, each with at most six places. Default: 0.01,0.02,0.05,0.1 */
          bands?: string
          /** Numbers of contracts: the answer has what buying and selling so many would cost; none by default. Accepted: up to 8 different decimals above 0 and up to 1000000000 with commas between, each with at most six places */
          sizes?: string
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
          /** Format of the answer; by default from the header Accept. Accepted: json, ndjson, csv, arrow or parquet. Default: json */
          format?: 'json' | 'ndjson' | 'csv' | 'arrow' | 'parquet'
          /** Only these columns, for csv, arrow or parquet; all by default. Accepted: names of columns with commas between */
          columns?: string
        }, Nothing, undefined, {
          200: PolymarketDepth
          304: null
          400: Failure<'parameters_invalid' | 'range_too_long'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored' | 'asset_not_stored'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
        }>
      }
      'depth-map': {
        /**
         * Sizes over price and time.
         *
         * Columns of time begin at the start of the window. JSON and NDJSON have runs of columns of one exact size. Arrow has a row for each step of price with any size: `price` and `sizes`, a list of fixed length of 32-bit floats, one a column; `start_ms`, `resolution_ms`, `columns`, `price_step` and `known` are metadata of the schema. At most 4,000,000 cells.
         */
        get: Endpoint<{
          /** The condition id of the market. Accepted: 64 hexadecimal digits, with or without 0x */
          condition_id: string
          /** One outcome token of the market: market/coverage and lookup/slug list them. Accepted: up to 78 decimal digits */
          asset_id: string
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date?: string
          /** Lower bound, inclusive. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          start_timestamp?: number | string
          /** Upper bound, inclusive; a date or a second counts as a whole. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          end_timestamp?: number | string
          /** Length of a column of time, ms. Accepted: 100, 250 or a whole number of seconds up to 900000, in ms. Default: 60000 */
          resolution_ms?: string
          /** Height of a row, dollars: sizes within one step add up. Accepted: a decimal from 0.0001 to 0.1 with at most six places. Default: 0.01 */
          price_step?: string
          /** Which size of a column: the largest, the mean over time, or the last. Accepted: max, mean or last. Default: max */
          aggregate?: 'max' | 'mean' | 'last'
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
          /** Format of the answer; by default from the header Accept. Accepted: json, ndjson or arrow. Default: json */
          format?: 'json' | 'ndjson' | 'arrow'
          /** Only these columns, for csv, arrow or parquet; all by default. Accepted: names of columns with commas between */
          columns?: string
        }, Nothing, undefined, {
          200: PolymarketDepthMap
          304: null
          400: Failure<'parameters_invalid' | 'range_too_long'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored' | 'asset_not_stored'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
        }>
      }
      data: {
        /**
         * Raw records of one date, page by page with offsets.
         *
         * Every message as the venue sent it, by event time. Ask again with `offset` raised by `data_count` while `has_more` is true; while the date is being loaded, pages can shift: `market/data/range` does not. Dates before 2026-02-08 are not offered. Also at `/market/data`.
         */
        get: Endpoint<{
          /** The condition id of the market. Accepted: 64 hexadecimal digits, with or without 0x */
          condition_id: string
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date: string
          /** One outcome token of the market: market/coverage and lookup/slug list them. Accepted: up to 78 decimal digits */
          asset_id?: string
          /** Entries to skip. Accepted: a whole number from 0 to 9007199254740991. Default: 0 */
          offset?: number
          /** Records in a page, at most. Accepted: a whole number from 1 to 100000. Default: 10000 */
          limit?: number
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
          /** Format of the answer; by default from the header Accept. Accepted: json or ndjson. Default: json */
          format?: 'json' | 'ndjson'
        }, Nothing, undefined, {
          200: PolymarketDatePage
          304: null
          400: Failure<'parameters_invalid' | 'date_too_early'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored' | 'asset_not_stored'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
        }>
        range: {
          /**
           * Raw records of a time range, page by page with cursors.
           *
           * Every message as the venue sent it, by event time. Repeat the query with `cursor` set to `next_cursor` until that is null; only `limit` may change. A cursor stays exact while data is added after it, and is refused (`cursor_stale`) once records before it in its date have changed. Ranges from before 2026-02-08 are not offered. Also at `/market/data/range`.
           */
          get: Endpoint<{
            /** The condition id of the market. Accepted: 64 hexadecimal digits, with or without 0x */
            condition_id: string
            /** Lower bound, inclusive. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
            start_timestamp: number | string
            /** Upper bound, inclusive; a date or a second counts as a whole. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
            end_timestamp: number | string
            /** One outcome token of the market: market/coverage and lookup/slug list them. Accepted: up to 78 decimal digits */
            asset_id?: string
            /** Records in a page, at most. Accepted: a whole number from 1 to 100000. Default: 10000 */
            limit?: number
            /** Where the page begins; the beginning by default. Accepted: the next_cursor of the page before */
            cursor?: string
            /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
            source?: string
            /** Format of the answer; by default from the header Accept. Accepted: json or ndjson. Default: json */
            format?: 'json' | 'ndjson'
          }, Nothing, undefined, {
            200: PolymarketRangePage
            304: null
            400: Failure<'parameters_invalid' | 'date_too_early' | 'cursor_invalid' | 'cursor_stale'>
            401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
            403: Failure<'scope_missing'>
            404: Failure<'market_not_stored' | 'asset_not_stored'>
            414: Failure<'url_too_long'>
            429: Failure<'quota_exceeded' | 'rate_limited'>
            500: Failure<'block_corrupt' | 'internal'>
            503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
          }>
        }
      }
      list: {
        /** Stored markets, page by page with offsets */
        get: Endpoint<{
          /** Only markets whose id begins with this; all if empty. Accepted: up to 64 hexadecimal digits, with or without 0x */
          prefix?: string
          /** Entries to skip. Accepted: a whole number from 0 to 9007199254740991. Default: 0 */
          offset?: number
          /** Markets in a page, at most. Accepted: a whole number from 1 to 1000. Default: 100 */
          limit?: number
          /** Whether to return title, event, outcomes, dates and records of each. Accepted: true or false. Default: false */
          details?: 'true' | 'false'
        }, Nothing, undefined, {
          200: MarketList
          304: null
          400: Failure<'parameters_invalid'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable'>
        }>
      }
      'date-range': {
        /** First and last stored date of a market */
        get: Endpoint<{
          /** The condition id of the market. Accepted: 64 hexadecimal digits, with or without 0x */
          condition_id: string
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
        }, Nothing, undefined, {
          200: PolymarketDateRange
          304: null
          400: Failure<'parameters_invalid'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable'>
        }>
      }
      coverage: {
        /**
         * What is stored of a market, date by date, and what is known of its completeness.
         *
         * Does not count as a call.
         */
        get: Endpoint<{
          /** The condition id of the market. Accepted: 64 hexadecimal digits, with or without 0x */
          condition_id: string
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
        }, Nothing, undefined, {
          200: PolymarketCoverage
          304: null
          400: Failure<'parameters_invalid'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable'>
        }>
      }
      info: {
        /**
         * Metadata of a market: title, event, outcomes, times, result, rules.
         *
         * From loaded metadata. Unknown fields are null. Does not count as a call.
         */
        get: Endpoint<{
          /** The condition id of the market. Accepted: 64 hexadecimal digits, with or without 0x */
          condition_id: string
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
        }, Nothing, undefined, {
          200: PolymarketMarketInfo
          304: null
          400: Failure<'parameters_invalid'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable'>
        }>
      }
    }
    calendar: {
      /**
       * What is stored of the venue, date by date, and whether something is missing.
       *
       * Every date from the first to the last, also dates without data. Does not count as a call.
       */
      get: Endpoint<{
        /** The first UTC day; the first stored one unless given. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
        from?: string
        /** The last UTC day, at most 3660 days in all; the last stored one unless given. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
        to?: string
      }, Nothing, undefined, {
        200: PolymarketCalendar
        304: null
        400: Failure<'parameters_invalid'>
        401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
        403: Failure<'scope_missing'>
        414: Failure<'url_too_long'>
        429: Failure<'quota_exceeded' | 'rate_limited'>
        500: Failure<'block_corrupt' | 'internal'>
        503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable'>
      }>
    }
    markets: {
      active: {
        /**
         * The busiest markets of a date.
         *
         * Ordered by records, trades or contracts traded, equal ones by their ids; or all by their ids. With `q` only the markets that have its words, as in a search. Does not count as a call.
         */
        get: Endpoint<{
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date: string
          /** What to order by: the busiest first, or `market` for the order of the ids. Accepted: records, trades, volume or market. Default: records */
          by?: 'records' | 'trades' | 'volume' | 'market'
          /** Words: each must begin a word of the market. In any order and case, with or without accents. Accepted: up to 200 characters with a letter or digit among them */
          q?: string
          /** Entries to skip. Accepted: a whole number from 0 to 9007199254740991. Default: 0 */
          offset?: number
          /** Markets in the answer, at most. Accepted: a whole number from 1 to 1000. Default: 20 */
          limit?: number
        }, Nothing, undefined, {
          200: ActiveMarkets
          304: null
          400: Failure<'parameters_invalid'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable'>
        }>
      }
      'orderbook-summary': {
        /**
         * The same of up to 200 books: top of book of a day or window, in buckets with candles.
         *
         * Give books or event. Books are in the requested order, those of an event by market. If nothing is stored of a book, its entry has `error`, other formats have no rows of it, and the header `x-errors` names it; 404 if all books are missing. Counts as one call for each book that has data. Long answers are streamed; an error breaks the connection.
         */
        get: Endpoint<{
          /** Books, each a condition id, a colon and an outcome token: at most 200, with commas between. Accepted: 1 to 200 books with commas between, each CONDITION:ASSET, which are 64 hexadecimal digits, with or without 0x, and up to 78 decimal digits */
          books?: string
          /** An event instead of a list: its ticker on Kalshi, its slug on Polymarket. Accepted: 1 to 200 characters of ASCII without blanks */
          event?: string
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date?: string
          /** Lower bound, inclusive. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          start_timestamp?: number | string
          /** Upper bound, inclusive; a date or a second counts as a whole. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          end_timestamp?: number | string
          /** Length of a bucket, s. Accepted: a whole number from 1 to 3600. Default: 60 */
          resolution?: number
          /** Which buckets without a quote to return: those while the book is known, none, or all to the end. Accepted: observed, none or range. Default: observed */
          fill?: 'observed' | 'none' | 'range'
          /** Only rows in which the trust of the book is one of these; all by default. Accepted: 1 to 4 trusts with commas between, each established, observed, doubtful or lost */
          trust?: string
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
          /** Format of the answer; by default from the header Accept. Accepted: json, ndjson, csv, arrow or parquet. Default: json */
          format?: 'json' | 'ndjson' | 'csv' | 'arrow' | 'parquet'
          /** Only these columns, for csv, arrow or parquet; all by default. Accepted: names of columns with commas between */
          columns?: string
        }, Nothing, undefined, {
          200: PolymarketSummaryOfMany
          304: null
          400: Failure<'parameters_invalid' | 'range_too_long'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored' | 'event_not_found'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
        }>
      }
      'trade-summary': {
        /**
         * The same of up to 200 books: trades of a day or window, in buckets with candle and volumes.
         *
         * Give books or event. Books are in the requested order, those of an event by market. If nothing is stored of a book, its entry has `error`, other formats have no rows of it, and the header `x-errors` names it; 404 if all books are missing. Counts as one call for each book that has data. Long answers are streamed; an error breaks the connection.
         */
        get: Endpoint<{
          /** Books, each a condition id, a colon and an outcome token: at most 200, with commas between. Accepted: 1 to 200 books with commas between, each CONDITION:ASSET, which are 64 hexadecimal digits, with or without 0x, and up to 78 decimal digits */
          books?: string
          /** An event instead of a list: its ticker on Kalshi, its slug on Polymarket. Accepted: 1 to 200 characters of ASCII without blanks */
          event?: string
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date?: string
          /** Lower bound, inclusive. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          start_timestamp?: number | string
          /** Upper bound, inclusive; a date or a second counts as a whole. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          end_timestamp?: number | string
          /** Length of a bucket, s. Accepted: a whole number from 1 to 3600. Default: 60 */
          resolution?: number
          /** Which buckets without a trade to return: none, or all of the stored dates. Accepted: none or range. Default: none */
          fill?: 'none' | 'range'
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
          /** Format of the answer; by default from the header Accept. Accepted: json, ndjson, csv, arrow or parquet. Default: json */
          format?: 'json' | 'ndjson' | 'csv' | 'arrow' | 'parquet'
          /** Only these columns, for csv, arrow or parquet; all by default. Accepted: names of columns with commas between */
          columns?: string
        }, Nothing, undefined, {
          200: PolymarketTradeSummaryOfMany
          304: null
          400: Failure<'parameters_invalid' | 'range_too_long'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored' | 'event_not_found'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
        }>
      }
      'depth-summary': {
        /**
         * The same of up to 200 books: levels and depth of a book over a day or window, in buckets.
         *
         * Give books or event. Books are in the requested order, those of an event by market. If nothing is stored of a book, its entry has `error`, other formats have no rows of it, and the header `x-errors` names it; 404 if all books are missing. Counts as one call for each book that has data. Long answers are streamed; an error breaks the connection.
         */
        get: Endpoint<{
          /** Books, each a condition id, a colon and an outcome token: at most 200, with commas between. Accepted: 1 to 200 books with commas between, each CONDITION:ASSET, which are 64 hexadecimal digits, with or without 0x, and up to 78 decimal digits */
          books?: string
          /** An event instead of a list: its ticker on Kalshi, its slug on Polymarket. Accepted: 1 to 200 characters of ASCII without blanks */
          event?: string
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date?: string
          /** Lower bound, inclusive. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          start_timestamp?: number | string
          /** Upper bound, inclusive; a date or a second counts as a whole. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          end_timestamp?: number | string
          /** Length of a bucket, s. Accepted: a whole number from 1 to 3600. Default: 60 */
          resolution?: number
          /** Which buckets without a quote to return: those while the book is known, none, or all to the end. Accepted: observed, none or range. Default: observed */
          fill?: 'observed' | 'none' | 'range'
          /** Only rows in which the trust of the book is one of these; all by default. Accepted: 1 to 4 trusts with commas between, each established, observed, doubtful or lost */
          trust?: string
          /** Levels of a side, at most, the best first. Accepted: a whole number from 1 to 100. Default: 10 */
          levels?: number
          /** Distances from mid in dollars: the answer has the contracts within each. Accepted: up to 8 different decimals from 0 to 1 with commas between, each with at most six places. Default: 0.01,0.02,0.05,0.1 */
          bands?: string
          /** Numbers of contracts: the answer has what buying and selling so many would cost; none by default. Accepted: up to 8 different decimals above 0 and up to 1000000000 with commas between, each with at most six places */
          sizes?: string
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
          /** Format of the answer; by default from the header Accept. Accepted: json, ndjson, csv, arrow or parquet. Default: json */
          format?: 'json' | 'ndjson' | 'csv' | 'arrow' | 'parquet'
          /** Only these columns, for csv, arrow or parquet; all by default. Accepted: names of columns with commas between */
          columns?: string
        }, Nothing, undefined, {
          200: PolymarketDepthOfMany
          304: null
          400: Failure<'parameters_invalid' | 'range_too_long'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored' | 'event_not_found'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
        }>
      }
      book: {
        /**
         * The same of up to 200 books: one book at an instant.
         *
         * Give books or event. Books are in the requested order, those of an event by market. If nothing is stored of a book, its entry has `error`, other formats have no rows of it, and the header `x-errors` names it; 404 if all books are missing. Counts as one call for each book that has data. Long answers are streamed; an error breaks the connection.
         */
        get: Endpoint<{
          /** Books, each a condition id, a colon and an outcome token: at most 200, with commas between. Accepted: 1 to 200 books with commas between, each CONDITION:ASSET, which are 64 hexadecimal digits, with or without 0x, and up to 78 decimal digits */
          books?: string
          /** An event instead of a list: its ticker on Kalshi, its slug on Polymarket. Accepted: 1 to 200 characters of ASCII without blanks */
          event?: string
          /** The instant; now by default. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          timestamp?: number | string
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date?: string
          /** The place of a record in the date: its `offset` in raw data without `asset_id`. Accepted: a whole number from 0 to 9007199254740991 */
          record?: number
          /** Levels of a side, at most; all by default. Accepted: a whole number from 1 to 10000 */
          depth?: number
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
        }, Nothing, undefined, {
          200: PolymarketBookOfMany
          304: null
          400: Failure<'parameters_invalid'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored' | 'event_not_found'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
        }>
      }
    }
    series: {
      /**
       * Categories and series of the venue, with their numbers of events.
       *
       * Counted from stored metadata. On Kalshi, an event that names no series belongs to the series that its ticker begins with, up to the first dash. On Polymarket, an event without a category has its first tag as the category. Does not count as a call.
       */
      get: Endpoint<Nothing, Nothing, undefined, {
        200: SeriesList
        304: null
        400: Failure<'parameters_invalid'>
        401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
        403: Failure<'scope_missing'>
        414: Failure<'url_too_long'>
        429: Failure<'quota_exceeded' | 'rate_limited'>
        500: Failure<'block_corrupt' | 'internal'>
        503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable'>
      }>
    }
    events: {
      /**
       * Events that the venue describes, of a series or a category.
       *
       * Ascending by id. The parameter `event` of requests about many books names one. Does not count as a call.
       */
      get: Endpoint<{
        /** Only events of this series, by its id. Accepted: 1 to 200 characters */
        series?: string
        /** Only events of this category. Accepted: 1 to 200 characters */
        category?: string
        /** Entries to skip. Accepted: a whole number from 0 to 9007199254740991. Default: 0 */
        offset?: number
        /** Events in the answer, at most. Accepted: a whole number from 1 to 1000. Default: 100 */
        limit?: number
      }, Nothing, undefined, {
        200: EventList
        304: null
        400: Failure<'parameters_invalid'>
        401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
        403: Failure<'scope_missing'>
        414: Failure<'url_too_long'>
        429: Failure<'quota_exceeded' | 'rate_limited'>
        500: Failure<'block_corrupt' | 'internal'>
        503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable'>
      }>
    }
    files: {
      /**
       * The files of a date, of each stored market: sizes and digests.
       *
       * Markets ascending. Files are made at the first request, so a page may be shorter than `limit`: request pages while `has_more` is true. A file has the same bytes as long as the stored records of its day are the same. No records before 2026-02-08.
       */
      get: Endpoint<{
        /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
        date: string
        /** The condition id of the market. Accepted: 64 hexadecimal digits, with or without 0x */
        condition_id?: string
        /** Markets in a page, at most. Accepted: a whole number from 1 to 1000. Default: 100 */
        limit?: number
        /** Where the page begins; the beginning by default. Accepted: the next_cursor of the page before */
        cursor?: string
      }, Nothing, undefined, {
        200: FilesOfDate
        304: null
        400: Failure<'parameters_invalid' | 'cursor_invalid'>
        401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
        403: Failure<'scope_missing'>
        404: Failure<'market_not_stored'>
        414: Failure<'url_too_long'>
        429: Failure<'quota_exceeded' | 'rate_limited'>
        500: Failure<'block_corrupt' | 'internal'>
        503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost' | 'disk_full'>
      }>
      ':date': {
        ':market': {
          ':name': {
            /**
             * A file of a day of a market, or a part of it.
             *
             * The records as lines of JSON, packed with zstd; the seconds with a quote of all books of the market, as `orderbook-summary` returns them with `resolution=1&fill=none`; or the trades, as `trades` returns them. The ETag is the SHA-256 of the bytes. Range requests one range of bytes, also with If-Range. There are no records before 2026-02-08.
             */
            get: Endpoint<Nothing, {
              /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
              date: string
              /** The condition id of the market. Accepted: 64 hexadecimal digits, with or without 0x */
              market: string
              /** Which of the files. Accepted: records.ndjson.zst, candles-1s.parquet or trades.parquet */
              name: 'records.ndjson.zst' | 'candles-1s.parquet' | 'trades.parquet'
            }, undefined, {
              200: string
              206: string
              304: null
              400: Failure<'parameters_invalid' | 'date_too_early'>
              401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
              403: Failure<'scope_missing'>
              404: Failure<'market_not_stored' | 'date_not_stored'>
              414: Failure<'url_too_long'>
              416: Failure<'range_not_satisfiable'>
              429: Failure<'quota_exceeded' | 'rate_limited'>
              500: Failure<'block_corrupt' | 'internal'>
              503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost' | 'disk_full'>
            }>
          }
        }
      }
    }
  }
  kalshi: {
    market: {
      'orderbook-summary': {
        /**
         * Top of book of a day or window, in buckets with candles.
         *
         * Give `date`, or `start_timestamp` with `end_timestamp`: it may have at most 1,000,000 buckets. Prices are dollars (0 to 1), sizes contracts. Long answers are streamed; an error breaks the connection.
         */
        get: Endpoint<{
          /** The ticker of the market, in upper or lower case. Accepted: 1 to 128 characters of letters, digits, "-", "." and "_" */
          ticker: string
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date?: string
          /** Lower bound, inclusive. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          start_timestamp?: number | string
          /** Upper bound, inclusive; a date or a second counts as a whole. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          end_timestamp?: number | string
          /** Length of a bucket, s. Accepted: a whole number from 1 to 3600. Default: 60 */
          resolution?: number
          /** Which buckets without a quote to return: those while the book is known, none, or all to the end. Accepted: observed, none or range. Default: observed */
          fill?: 'observed' | 'none' | 'range'
          /** Only rows in which the trust of the book is one of these; all by default. Accepted: 1 to 4 trusts with commas between, each established, observed, doubtful or lost */
          trust?: string
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
          /** Format of the answer; by default from the header Accept. Accepted: json, ndjson, csv, arrow or parquet. Default: json */
          format?: 'json' | 'ndjson' | 'csv' | 'arrow' | 'parquet'
          /** Only these columns, for csv, arrow or parquet; all by default. Accepted: names of columns with commas between */
          columns?: string
        }, Nothing, undefined, {
          200: KalshiSummary
          304: null
          400: Failure<'parameters_invalid' | 'range_too_long'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
        }>
      }
      trades: {
        /**
         * Trades of a day or window, page by page with cursors.
         *
         * Give `date`, or `start_timestamp` with `end_timestamp`. Repeat the query with `cursor` set to `next_cursor` until that is null; only `limit` and the format may change. Prices are dollars (0 to 1), sizes contracts. A trade whose price or size cannot be read is not listed: the raw records have it.
         */
        get: Endpoint<{
          /** The ticker of the market, in upper or lower case. Accepted: 1 to 128 characters of letters, digits, "-", "." and "_" */
          ticker: string
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date?: string
          /** Lower bound, inclusive. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          start_timestamp?: number | string
          /** Upper bound, inclusive; a date or a second counts as a whole. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          end_timestamp?: number | string
          /** Trades in a page, at most. Accepted: a whole number from 1 to 100000. Default: 10000 */
          limit?: number
          /** Where the page begins; the beginning by default. Accepted: the next_cursor of the page before */
          cursor?: string
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
          /** Format of the answer; by default from the header Accept. Accepted: json, ndjson, csv, arrow or parquet. Default: json */
          format?: 'json' | 'ndjson' | 'csv' | 'arrow' | 'parquet'
          /** Only these columns, for csv, arrow or parquet; all by default. Accepted: names of columns with commas between */
          columns?: string
        }, Nothing, undefined, {
          200: KalshiTrades
          304: null
          400: Failure<'parameters_invalid' | 'cursor_invalid' | 'cursor_stale'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
        }>
      }
      'trade-summary': {
        /**
         * Trades of a day or window, in buckets with candle and volumes.
         *
         * Give `date`, or `start_timestamp` with `end_timestamp`: it may have at most 1,000,000 buckets. Prices are dollars (0 to 1), sizes contracts; sums are exact. Trades are those of `market/trades`.
         */
        get: Endpoint<{
          /** The ticker of the market, in upper or lower case. Accepted: 1 to 128 characters of letters, digits, "-", "." and "_" */
          ticker: string
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date?: string
          /** Lower bound, inclusive. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          start_timestamp?: number | string
          /** Upper bound, inclusive; a date or a second counts as a whole. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          end_timestamp?: number | string
          /** Length of a bucket, s. Accepted: a whole number from 1 to 3600. Default: 60 */
          resolution?: number
          /** Which buckets without a trade to return: none, or all of the stored dates. Accepted: none or range. Default: none */
          fill?: 'none' | 'range'
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
          /** Format of the answer; by default from the header Accept. Accepted: json, ndjson, csv, arrow or parquet. Default: json */
          format?: 'json' | 'ndjson' | 'csv' | 'arrow' | 'parquet'
          /** Only these columns, for csv, arrow or parquet; all by default. Accepted: names of columns with commas between */
          columns?: string
        }, Nothing, undefined, {
          200: KalshiTradeSummary
          304: null
          400: Failure<'parameters_invalid' | 'range_too_long'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
        }>
      }
      book: {
        /**
         * One book at an instant.
         *
         * Every record of the book up to `timestamp`, or up to the record at a place of a `date`, is applied. If nothing is stored of that day, it is the closing book of the latest stored day before: `as_of` has the time of its last record.
         */
        get: Endpoint<{
          /** The ticker of the market, in upper or lower case. Accepted: 1 to 128 characters of letters, digits, "-", "." and "_" */
          ticker: string
          /** The instant; now by default. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          timestamp?: number | string
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date?: string
          /** The place of a record in the date: its `offset` in raw data without `asset_id`. Accepted: a whole number from 0 to 9007199254740991 */
          record?: number
          /** Levels of a side, at most; all by default. Accepted: a whole number from 1 to 10000 */
          depth?: number
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
        }, Nothing, undefined, {
          200: KalshiBook
          304: null
          400: Failure<'parameters_invalid'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
        }>
        changes: {
          /**
           * The levels that each record of a book changes.
           *
           * Give `start_timestamp` with `end_timestamp`, or `date`: then `limit` records of it from `record` on are read. A snapshot has rows for the levels that it changes. A gap has rows for the levels that it removes, or one row without a level if it removes none. Setting each level to `after` turns the book before the record into the book after it. Setting the levels to `before` in reverse order undoes that.
           */
          get: Endpoint<{
            /** The ticker of the market, in upper or lower case. Accepted: 1 to 128 characters of letters, digits, "-", "." and "_" */
            ticker: string
            /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
            date?: string
            /** The place of a record in the date: its `offset` in raw data without `asset_id`. Accepted: a whole number from 0 to 9007199254740991 */
            record?: number
            /** Records of the date from `record` on, counted over all books; 16384 by default. Accepted: a whole number from 1 to 100000 */
            limit?: number
            /** Lower bound, inclusive. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
            start_timestamp?: number | string
            /** Upper bound, inclusive; a date or a second counts as a whole. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
            end_timestamp?: number | string
            /** Only rows in which the trust of the book is one of these; all by default. Accepted: 1 to 4 trusts with commas between, each established, observed, doubtful or lost */
            trust?: string
            /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
            source?: string
            /** Format of the answer; by default from the header Accept. Accepted: json, ndjson, csv, arrow or parquet. Default: json */
            format?: 'json' | 'ndjson' | 'csv' | 'arrow' | 'parquet'
            /** Only these columns, for csv, arrow or parquet; all by default. Accepted: names of columns with commas between */
            columns?: string
          }, Nothing, undefined, {
            200: KalshiBookChanges
            304: null
            400: Failure<'parameters_invalid'>
            401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
            403: Failure<'scope_missing'>
            404: Failure<'market_not_stored'>
            414: Failure<'url_too_long'>
            429: Failure<'quota_exceeded' | 'rate_limited'>
            500: Failure<'block_corrupt' | 'internal'>
            503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
          }>
        }
      }
      'depth-summary': {
        /**
         * Levels and depth of a book over a day or window, in buckets.
         *
         * The buckets of `orderbook-summary`, each with the book at its end. It has the known levels, also before a snapshot. The lists of `bands` and `sizes` are in the requested order; in flat formats each is a column, such as `bid_depth_within_0.01` or `buy_price_500`, and levels are `bid_price_1`, `bid_size_1` and so on.
         */
        get: Endpoint<{
          /** The ticker of the market, in upper or lower case. Accepted: 1 to 128 characters of letters, digits, "-", "." and "_" */
          ticker: string
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date?: string
          /** Lower bound, inclusive. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          start_timestamp?: number | string
          /** Upper bound, inclusive; a date or a second counts as a whole. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          end_timestamp?: number | string
          /** Length of a bucket, s. Accepted: a whole number from 1 to 3600. Default: 60 */
          resolution?: number
          /** Which buckets without a quote to return: those while the book is known, none, or all to the end. Accepted: observed, none or range. Default: observed */
          fill?: 'observed' | 'none' | 'range'
          /** Only rows in which the trust of the book is one of these; all by default. Accepted: 1 to 4 trusts with commas between, each established, observed, doubtful or lost */
          trust?: string
          /** Levels of a side, at most, the best first. Accepted: a whole number from 1 to 100. Default: 10 */
          levels?: number
          /** Distances from mid in dollars: the answer has the contracts within each. Accepted: up to 8 different decimals from 0 to 1 with commas between, each with at most six places. Default: 0.01,0.02,0.05,0.1 */
          bands?: string
          /** Numbers of contracts: the answer has what buying and selling so many would cost; none by default. Accepted: up to 8 different decimals above 0 and up to 1000000000 with commas between, each with at most six places */
          sizes?: string
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
          /** Format of the answer; by default from the header Accept. Accepted: json, ndjson, csv, arrow or parquet. Default: json */
          format?: 'json' | 'ndjson' | 'csv' | 'arrow' | 'parquet'
          /** Only these columns, for csv, arrow or parquet; all by default. Accepted: names of columns with commas between */
          columns?: string
        }, Nothing, undefined, {
          200: KalshiDepth
          304: null
          400: Failure<'parameters_invalid' | 'range_too_long'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
        }>
      }
      'depth-map': {
        /**
         * Sizes over price and time.
         *
         * Columns of time begin at the start of the window. JSON and NDJSON have runs of columns of one exact size. Arrow has a row for each step of price with any size: `price` and `sizes`, a list of fixed length of 32-bit floats, one a column; `start_ms`, `resolution_ms`, `columns`, `price_step` and `known` are metadata of the schema. At most 4,000,000 cells.
         */
        get: Endpoint<{
          /** The ticker of the market, in upper or lower case. Accepted: 1 to 128 characters of letters, digits, "-", "." and "_" */
          ticker: string
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date?: string
          /** Lower bound, inclusive. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          start_timestamp?: number | string
          /** Upper bound, inclusive; a date or a second counts as a whole. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          end_timestamp?: number | string
          /** Length of a column of time, ms. Accepted: 100, 250 or a whole number of seconds up to 900000, in ms. Default: 60000 */
          resolution_ms?: string
          /** Height of a row, dollars: sizes within one step add up. Accepted: a decimal from 0.0001 to 0.1 with at most six places. Default: 0.01 */
          price_step?: string
          /** Which size of a column: the largest, the mean over time, or the last. Accepted: max, mean or last. Default: max */
          aggregate?: 'max' | 'mean' | 'last'
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
          /** Format of the answer; by default from the header Accept. Accepted: json, ndjson or arrow. Default: json */
          format?: 'json' | 'ndjson' | 'arrow'
          /** Only these columns, for csv, arrow or parquet; all by default. Accepted: names of columns with commas between */
          columns?: string
        }, Nothing, undefined, {
          200: KalshiDepthMap
          304: null
          400: Failure<'parameters_invalid' | 'range_too_long'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
        }>
      }
      data: {
        /**
         * Raw records of one date, page by page with offsets.
         *
         * Every message as the venue sent it, by event time. Ask again with `offset` raised by `data_count` while `has_more` is true; while the date is being loaded, pages can shift: `market/data/range` does not.
         */
        get: Endpoint<{
          /** The ticker of the market, in upper or lower case. Accepted: 1 to 128 characters of letters, digits, "-", "." and "_" */
          ticker: string
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date: string
          /** Entries to skip. Accepted: a whole number from 0 to 9007199254740991. Default: 0 */
          offset?: number
          /** Records in a page, at most. Accepted: a whole number from 1 to 100000. Default: 10000 */
          limit?: number
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
          /** Format of the answer; by default from the header Accept. Accepted: json or ndjson. Default: json */
          format?: 'json' | 'ndjson'
        }, Nothing, undefined, {
          200: KalshiDatePage
          304: null
          400: Failure<'parameters_invalid'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
        }>
        range: {
          /**
           * Raw records of a time range, page by page with cursors.
           *
           * Every message as the venue sent it, by event time. Repeat the query with `cursor` set to `next_cursor` until that is null; only `limit` may change. A cursor stays exact while data is added after it, and is refused (`cursor_stale`) once records before it in its date have changed.
           */
          get: Endpoint<{
            /** The ticker of the market, in upper or lower case. Accepted: 1 to 128 characters of letters, digits, "-", "." and "_" */
            ticker: string
            /** Lower bound, inclusive. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
            start_timestamp: number | string
            /** Upper bound, inclusive; a date or a second counts as a whole. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
            end_timestamp: number | string
            /** Records in a page, at most. Accepted: a whole number from 1 to 100000. Default: 10000 */
            limit?: number
            /** Where the page begins; the beginning by default. Accepted: the next_cursor of the page before */
            cursor?: string
            /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
            source?: string
            /** Format of the answer; by default from the header Accept. Accepted: json or ndjson. Default: json */
            format?: 'json' | 'ndjson'
          }, Nothing, undefined, {
            200: KalshiRangePage
            304: null
            400: Failure<'parameters_invalid' | 'cursor_invalid' | 'cursor_stale'>
            401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
            403: Failure<'scope_missing'>
            404: Failure<'market_not_stored'>
            414: Failure<'url_too_long'>
            429: Failure<'quota_exceeded' | 'rate_limited'>
            500: Failure<'block_corrupt' | 'internal'>
            503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
          }>
        }
      }
      list: {
        /** Stored markets, page by page with offsets */
        get: Endpoint<{
          /** Only markets whose ticker begins with this; all if empty. Accepted: up to 128 characters of letters, digits, "-", "." and "_" */
          prefix?: string
          /** Entries to skip. Accepted: a whole number from 0 to 9007199254740991. Default: 0 */
          offset?: number
          /** Markets in a page, at most. Accepted: a whole number from 1 to 1000. Default: 100 */
          limit?: number
          /** Whether to return title, event, outcomes, dates and records of each. Accepted: true or false. Default: false */
          details?: 'true' | 'false'
        }, Nothing, undefined, {
          200: MarketList
          304: null
          400: Failure<'parameters_invalid'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable'>
        }>
      }
      'date-range': {
        /** First and last stored date of a market */
        get: Endpoint<{
          /** The ticker of the market, in upper or lower case. Accepted: 1 to 128 characters of letters, digits, "-", "." and "_" */
          ticker: string
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
        }, Nothing, undefined, {
          200: KalshiDateRange
          304: null
          400: Failure<'parameters_invalid'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable'>
        }>
      }
      coverage: {
        /**
         * What is stored of a market, date by date, and what is known of its completeness.
         *
         * Does not count as a call.
         */
        get: Endpoint<{
          /** The ticker of the market, in upper or lower case. Accepted: 1 to 128 characters of letters, digits, "-", "." and "_" */
          ticker: string
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
        }, Nothing, undefined, {
          200: KalshiCoverage
          304: null
          400: Failure<'parameters_invalid'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable'>
        }>
      }
      info: {
        /**
         * Metadata of a market: title, event, outcomes, times, result, rules.
         *
         * From loaded metadata. Unknown fields are null. Does not count as a call.
         */
        get: Endpoint<{
          /** The ticker of the market, in upper or lower case. Accepted: 1 to 128 characters of letters, digits, "-", "." and "_" */
          ticker: string
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
        }, Nothing, undefined, {
          200: KalshiMarketInfo
          304: null
          400: Failure<'parameters_invalid'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable'>
        }>
      }
    }
    calendar: {
      /**
       * What is stored of the venue, date by date, and whether something is missing.
       *
       * Every date from the first to the last, also dates without data. Does not count as a call.
       */
      get: Endpoint<{
        /** The first UTC day; the first stored one unless given. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
        from?: string
        /** The last UTC day, at most 3660 days in all; the last stored one unless given. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
        to?: string
      }, Nothing, undefined, {
        200: KalshiCalendar
        304: null
        400: Failure<'parameters_invalid'>
        401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
        403: Failure<'scope_missing'>
        414: Failure<'url_too_long'>
        429: Failure<'quota_exceeded' | 'rate_limited'>
        500: Failure<'block_corrupt' | 'internal'>
        503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable'>
      }>
    }
    markets: {
      active: {
        /**
         * The busiest markets of a date.
         *
         * Ordered by records, trades or contracts traded, equal ones by their ids; or all by their ids. With `q` only the markets that have its words, as in a search. Does not count as a call.
         */
        get: Endpoint<{
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date: string
          /** What to order by: the busiest first, or `market` for the order of the ids. Accepted: records, trades, volume or market. Default: records */
          by?: 'records' | 'trades' | 'volume' | 'market'
          /** Words: each must begin a word of the market. In any order and case, with or without accents. Accepted: up to 200 characters with a letter or digit among them */
          q?: string
          /** Entries to skip. Accepted: a whole number from 0 to 9007199254740991. Default: 0 */
          offset?: number
          /** Markets in the answer, at most. Accepted: a whole number from 1 to 1000. Default: 20 */
          limit?: number
        }, Nothing, undefined, {
          200: ActiveMarkets
          304: null
          400: Failure<'parameters_invalid'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable'>
        }>
      }
      'orderbook-summary': {
        /**
         * The same of up to 200 books: top of book of a day or window, in buckets with candles.
         *
         * Give tickers or event. Books are in the requested order, those of an event by market. If nothing is stored of a book, its entry has `error`, other formats have no rows of it, and the header `x-errors` names it; 404 if all books are missing. Counts as one call for each book that has data. Long answers are streamed; an error breaks the connection.
         */
        get: Endpoint<{
          /** Markets, at most 200, with commas between. Accepted: 1 to 200 tickers with commas between, each 1 to 128 characters of letters, digits, "-", "." and "_" */
          tickers?: string
          /** An event instead of a list: its ticker on Kalshi, its slug on Polymarket. Accepted: 1 to 200 characters of ASCII without blanks */
          event?: string
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date?: string
          /** Lower bound, inclusive. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          start_timestamp?: number | string
          /** Upper bound, inclusive; a date or a second counts as a whole. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          end_timestamp?: number | string
          /** Length of a bucket, s. Accepted: a whole number from 1 to 3600. Default: 60 */
          resolution?: number
          /** Which buckets without a quote to return: those while the book is known, none, or all to the end. Accepted: observed, none or range. Default: observed */
          fill?: 'observed' | 'none' | 'range'
          /** Only rows in which the trust of the book is one of these; all by default. Accepted: 1 to 4 trusts with commas between, each established, observed, doubtful or lost */
          trust?: string
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
          /** Format of the answer; by default from the header Accept. Accepted: json, ndjson, csv, arrow or parquet. Default: json */
          format?: 'json' | 'ndjson' | 'csv' | 'arrow' | 'parquet'
          /** Only these columns, for csv, arrow or parquet; all by default. Accepted: names of columns with commas between */
          columns?: string
        }, Nothing, undefined, {
          200: KalshiSummaryOfMany
          304: null
          400: Failure<'parameters_invalid' | 'range_too_long'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored' | 'event_not_found'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
        }>
      }
      'trade-summary': {
        /**
         * The same of up to 200 books: trades of a day or window, in buckets with candle and volumes.
         *
         * Give tickers or event. Books are in the requested order, those of an event by market. If nothing is stored of a book, its entry has `error`, other formats have no rows of it, and the header `x-errors` names it; 404 if all books are missing. Counts as one call for each book that has data. Long answers are streamed; an error breaks the connection.
         */
        get: Endpoint<{
          /** Markets, at most 200, with commas between. Accepted: 1 to 200 tickers with commas between, each 1 to 128 characters of letters, digits, "-", "." and "_" */
          tickers?: string
          /** An event instead of a list: its ticker on Kalshi, its slug on Polymarket. Accepted: 1 to 200 characters of ASCII without blanks */
          event?: string
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date?: string
          /** Lower bound, inclusive. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          start_timestamp?: number | string
          /** Upper bound, inclusive; a date or a second counts as a whole. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          end_timestamp?: number | string
          /** Length of a bucket, s. Accepted: a whole number from 1 to 3600. Default: 60 */
          resolution?: number
          /** Which buckets without a trade to return: none, or all of the stored dates. Accepted: none or range. Default: none */
          fill?: 'none' | 'range'
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
          /** Format of the answer; by default from the header Accept. Accepted: json, ndjson, csv, arrow or parquet. Default: json */
          format?: 'json' | 'ndjson' | 'csv' | 'arrow' | 'parquet'
          /** Only these columns, for csv, arrow or parquet; all by default. Accepted: names of columns with commas between */
          columns?: string
        }, Nothing, undefined, {
          200: KalshiTradeSummaryOfMany
          304: null
          400: Failure<'parameters_invalid' | 'range_too_long'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored' | 'event_not_found'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
        }>
      }
      'depth-summary': {
        /**
         * The same of up to 200 books: levels and depth of a book over a day or window, in buckets.
         *
         * Give tickers or event. Books are in the requested order, those of an event by market. If nothing is stored of a book, its entry has `error`, other formats have no rows of it, and the header `x-errors` names it; 404 if all books are missing. Counts as one call for each book that has data. Long answers are streamed; an error breaks the connection.
         */
        get: Endpoint<{
          /** Markets, at most 200, with commas between. Accepted: 1 to 200 tickers with commas between, each 1 to 128 characters of letters, digits, "-", "." and "_" */
          tickers?: string
          /** An event instead of a list: its ticker on Kalshi, its slug on Polymarket. Accepted: 1 to 200 characters of ASCII without blanks */
          event?: string
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date?: string
          /** Lower bound, inclusive. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          start_timestamp?: number | string
          /** Upper bound, inclusive; a date or a second counts as a whole. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          end_timestamp?: number | string
          /** Length of a bucket, s. Accepted: a whole number from 1 to 3600. Default: 60 */
          resolution?: number
          /** Which buckets without a quote to return: those while the book is known, none, or all to the end. Accepted: observed, none or range. Default: observed */
          fill?: 'observed' | 'none' | 'range'
          /** Only rows in which the trust of the book is one of these; all by default. Accepted: 1 to 4 trusts with commas between, each established, observed, doubtful or lost */
          trust?: string
          /** Levels of a side, at most, the best first. Accepted: a whole number from 1 to 100. Default: 10 */
          levels?: number
          /** Distances from mid in dollars: the answer has the contracts within each. Accepted: up to 8 different decimals from 0 to 1 with commas between, each with at most six places. Default: 0.01,0.02,0.05,0.1 */
          bands?: string
          /** Numbers of contracts: the answer has what buying and selling so many would cost; none by default. Accepted: up to 8 different decimals above 0 and up to 1000000000 with commas between, each with at most six places */
          sizes?: string
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
          /** Format of the answer; by default from the header Accept. Accepted: json, ndjson, csv, arrow or parquet. Default: json */
          format?: 'json' | 'ndjson' | 'csv' | 'arrow' | 'parquet'
          /** Only these columns, for csv, arrow or parquet; all by default. Accepted: names of columns with commas between */
          columns?: string
        }, Nothing, undefined, {
          200: KalshiDepthOfMany
          304: null
          400: Failure<'parameters_invalid' | 'range_too_long'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored' | 'event_not_found'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
        }>
      }
      book: {
        /**
         * The same of up to 200 books: one book at an instant.
         *
         * Give tickers or event. Books are in the requested order, those of an event by market. If nothing is stored of a book, its entry has `error`, other formats have no rows of it, and the header `x-errors` names it; 404 if all books are missing. Counts as one call for each book that has data. Long answers are streamed; an error breaks the connection.
         */
        get: Endpoint<{
          /** Markets, at most 200, with commas between. Accepted: 1 to 200 tickers with commas between, each 1 to 128 characters of letters, digits, "-", "." and "_" */
          tickers?: string
          /** An event instead of a list: its ticker on Kalshi, its slug on Polymarket. Accepted: 1 to 200 characters of ASCII without blanks */
          event?: string
          /** The instant; now by default. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
          timestamp?: number | string
          /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
          date?: string
          /** The place of a record in the date: its `offset` in raw data without `asset_id`. Accepted: a whole number from 0 to 9007199254740991 */
          record?: number
          /** Levels of a side, at most; all by default. Accepted: a whole number from 1 to 10000 */
          depth?: number
          /** Only one source: own (your own recordings), or an archive by its name. Accepted: own, or the name of an archive as market/coverage has it */
          source?: string
        }, Nothing, undefined, {
          200: KalshiBookOfMany
          304: null
          400: Failure<'parameters_invalid'>
          401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
          403: Failure<'scope_missing'>
          404: Failure<'market_not_stored' | 'event_not_found'>
          414: Failure<'url_too_long'>
          429: Failure<'quota_exceeded' | 'rate_limited'>
          500: Failure<'block_corrupt' | 'internal'>
          503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost'>
        }>
      }
    }
    series: {
      /**
       * Categories and series of the venue, with their numbers of events.
       *
       * Counted from stored metadata. On Kalshi, an event that names no series belongs to the series that its ticker begins with, up to the first dash. On Polymarket, an event without a category has its first tag as the category. Does not count as a call.
       */
      get: Endpoint<Nothing, Nothing, undefined, {
        200: SeriesList
        304: null
        400: Failure<'parameters_invalid'>
        401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
        403: Failure<'scope_missing'>
        414: Failure<'url_too_long'>
        429: Failure<'quota_exceeded' | 'rate_limited'>
        500: Failure<'block_corrupt' | 'internal'>
        503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable'>
      }>
    }
    events: {
      /**
       * Events that the venue describes, of a series or a category.
       *
       * Ascending by id. The parameter `event` of requests about many books names one. Does not count as a call.
       */
      get: Endpoint<{
        /** Only events of this series, by its id. Accepted: 1 to 200 characters */
        series?: string
        /** Only events of this category. Accepted: 1 to 200 characters */
        category?: string
        /** Entries to skip. Accepted: a whole number from 0 to 9007199254740991. Default: 0 */
        offset?: number
        /** Events in the answer, at most. Accepted: a whole number from 1 to 1000. Default: 100 */
        limit?: number
      }, Nothing, undefined, {
        200: EventList
        304: null
        400: Failure<'parameters_invalid'>
        401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
        403: Failure<'scope_missing'>
        414: Failure<'url_too_long'>
        429: Failure<'quota_exceeded' | 'rate_limited'>
        500: Failure<'block_corrupt' | 'internal'>
        503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable'>
      }>
    }
    files: {
      /**
       * The files of a date, of each stored market: sizes and digests.
       *
       * Markets ascending. Files are made at the first request, so a page may be shorter than `limit`: request pages while `has_more` is true. A file has the same bytes as long as the stored records of its day are the same.
       */
      get: Endpoint<{
        /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
        date: string
        /** The ticker of the market, in upper or lower case. Accepted: 1 to 128 characters of letters, digits, "-", "." and "_" */
        ticker?: string
        /** Markets in a page, at most. Accepted: a whole number from 1 to 1000. Default: 100 */
        limit?: number
        /** Where the page begins; the beginning by default. Accepted: the next_cursor of the page before */
        cursor?: string
      }, Nothing, undefined, {
        200: FilesOfDate
        304: null
        400: Failure<'parameters_invalid' | 'cursor_invalid'>
        401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
        403: Failure<'scope_missing'>
        404: Failure<'market_not_stored'>
        414: Failure<'url_too_long'>
        429: Failure<'quota_exceeded' | 'rate_limited'>
        500: Failure<'block_corrupt' | 'internal'>
        503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost' | 'disk_full'>
      }>
      ':date': {
        ':market': {
          ':name': {
            /**
             * A file of a day of a market, or a part of it.
             *
             * The records as lines of JSON, packed with zstd; the seconds with a quote of all books of the market, as `orderbook-summary` returns them with `resolution=1&fill=none`; or the trades, as `trades` returns them. The ETag is the SHA-256 of the bytes. Range requests one range of bytes, also with If-Range.
             */
            get: Endpoint<Nothing, {
              /** A UTC day. Accepted: a UTC date written YYYY-MM-DD, from 1970-01-01 on */
              date: string
              /** The ticker of the market, in upper or lower case. Accepted: 1 to 128 characters of letters, digits, "-", "." and "_" */
              market: string
              /** Which of the files. Accepted: records.ndjson.zst, candles-1s.parquet or trades.parquet */
              name: 'records.ndjson.zst' | 'candles-1s.parquet' | 'trades.parquet'
            }, undefined, {
              200: string
              206: string
              304: null
              400: Failure<'parameters_invalid' | 'date_too_early'>
              401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
              403: Failure<'scope_missing'>
              404: Failure<'market_not_stored' | 'date_not_stored'>
              414: Failure<'url_too_long'>
              416: Failure<'range_not_satisfiable'>
              429: Failure<'quota_exceeded' | 'rate_limited'>
              500: Failure<'block_corrupt' | 'internal'>
              503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded' | 'work_lost' | 'disk_full'>
            }>
          }
        }
      }
    }
  }
  search: {
    /**
     * Markets of both venues by their words.
     *
     * Every word must begin a word of id, slug, title, event or outcome. First the market with this id, then those whose id begins with the text, then by the newest stored date. Without metadata, markets are found only by their ids. Does not count as a call.
     */
    get: Endpoint<{
      /** Words: each must begin a word of the market. In any order and case, with or without accents. Accepted: up to 200 characters with a letter or digit among them */
      q: string
      /** Only markets of this venue. Accepted: polymarket or kalshi */
      venue?: 'polymarket' | 'kalshi'
      /** Markets in the answer, at most. Accepted: a whole number from 1 to 100. Default: 20 */
      limit?: number
    }, Nothing, undefined, {
      200: Search
      304: null
      400: Failure<'parameters_invalid'>
      401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
      403: Failure<'scope_missing'>
      414: Failure<'url_too_long'>
      429: Failure<'quota_exceeded' | 'rate_limited'>
      500: Failure<'block_corrupt' | 'internal'>
      503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable'>
    }>
  }
  stream: {
    /**
     * Markets as they grow.
     *
     * Sends records, trades, quotes and books of up to 200 markets as they are committed, over WebSocket or as server-sent events. It begins with the present state; with `after` it continues where an earlier connection ended. Each message has `venue`, `market`, `channel` and `position`.
     */
    get: Endpoint<{
      /** The channels of each market, with commas between. Accepted: 1 to 4 channels with commas between, each records, trades, book or quotes */
      channels: string
      /** Markets of both venues, at most 200, with commas between. Accepted: 1 to 200 markets with commas between, each kalshi:TICKER or polymarket:CONDITION, which is 64 hexadecimal digits, with or without 0x */
      markets?: string
      /** An event instead of a list: all of its markets. Accepted: kalshi:TICKER or polymarket:SLUG */
      event?: string
      /** Continues after the message with this position, without loss or repetition. The header `Last-Event-ID` has the same meaning, and takes precedence. Accepted: the position of a message of the same stream */
      after?: string
      /** The API key, for programs that cannot send it as a header. It is in no log. Accepted: an API key */
      key?: string
    }, Nothing, undefined, {
      101: null
      200: string
      400: Failure<'parameters_invalid' | 'cursor_invalid'>
      401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
      403: Failure<'scope_missing'>
      404: Failure<'market_not_stored' | 'event_not_found'>
      414: Failure<'url_too_long'>
      426: Failure<'upgrade_required'>
      429: Failure<'quota_exceeded' | 'rate_limited' | 'connections_exceeded'>
      500: Failure<'internal'>
      503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded'>
    }>
  }
  replay: {
    polymarket: {
      ws: {
        market: {
          /**
           * A replay in the protocol of Polymarket's market channel.
           *
           * A program written for Polymarket's market channel connects to this address instead. It receives the book at `from` of each market that it subscribes to, then the stored messages up to `to`. A gap closes the connection with 1012, the end with 1000.
           */
          get: Endpoint<{
            /** Start of the replay: records after this moment; for a date, all of its records. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
            from: number | string
            /** End of the replay, inclusive; a date or a second counts as a whole. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
            to: number | string
            /** 1 is real time, 60 a minute in a second, 0 as fast as the client takes it. Accepted: a number from 0 to 10000, with up to three decimals. Default: 1 */
            speed?: string
            /** The API key, for programs that cannot send it as a header. It is in no log. Accepted: an API key */
            key?: string
          }, Nothing, undefined, {
            101: null
            400: Failure<'parameters_invalid'>
            401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
            403: Failure<'scope_missing'>
            414: Failure<'url_too_long'>
            426: Failure<'upgrade_required'>
            429: Failure<'quota_exceeded' | 'rate_limited' | 'connections_exceeded'>
            500: Failure<'internal'>
            503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded'>
          }>
        }
      }
    }
    kalshi: {
      'trade-api': {
        ws: {
          v2: {
            /**
             * A replay in the protocol of Kalshi's WebSocket.
             *
             * A program written for Kalshi's WebSocket connects to this address instead. It receives the book at `from` of each market that it subscribes to, then the stored messages up to `to`. A gap closes the connection with 1012, the end with 1000.
             */
            get: Endpoint<{
              /** Start of the replay: records after this moment; for a date, all of its records. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
              from: number | string
              /** End of the replay, inclusive; a date or a second counts as a whole. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
              to: number | string
              /** 1 is real time, 60 a minute in a second, 0 as fast as the client takes it. Accepted: a number from 0 to 10000, with up to three decimals. Default: 1 */
              speed?: string
              /** The API key, for programs that cannot send it as a header. It is in no log. Accepted: an API key */
              key?: string
            }, Nothing, undefined, {
              101: null
              400: Failure<'parameters_invalid'>
              401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
              403: Failure<'scope_missing'>
              414: Failure<'url_too_long'>
              426: Failure<'upgrade_required'>
              429: Failure<'quota_exceeded' | 'rate_limited' | 'connections_exceeded'>
              500: Failure<'internal'>
              503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded'>
            }>
          }
        }
      }
    }
    /**
     * Records of many markets of both venues, in one order and at any speed.
     *
     * Each message is a record as in raw data, with `venue` and `market` in front. The connection closes with 1000 when all is sent. Server-sent events end with an event `close`, and continue from `Last-Event-ID`.
     */
    get: Endpoint<{
      /** Start of the replay: records after this moment; for a date, all of its records. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
      from: number | string
      /** End of the replay, inclusive; a date or a second counts as a whole. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
      to: number | string
      /** 1 is real time, 60 a minute in a second, 0 as fast as the client takes it. Accepted: a number from 0 to 10000, with up to three decimals. Default: 1 */
      speed?: string
      /** Markets of both venues, at most 200, with commas between. Accepted: 1 to 200 markets with commas between, each kalshi:TICKER or polymarket:CONDITION, which is 64 hexadecimal digits, with or without 0x */
      markets?: string
      /** An event instead of a list: all of its markets. Accepted: kalshi:TICKER or polymarket:SLUG */
      event?: string
      /** The API key, for programs that cannot send it as a header. It is in no log. Accepted: an API key */
      key?: string
    }, Nothing, undefined, {
      101: null
      200: string
      400: Failure<'parameters_invalid'>
      401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired' | 'ticket_invalid'>
      403: Failure<'scope_missing'>
      404: Failure<'market_not_stored' | 'event_not_found'>
      414: Failure<'url_too_long'>
      426: Failure<'upgrade_required'>
      429: Failure<'quota_exceeded' | 'rate_limited' | 'connections_exceeded'>
      500: Failure<'internal'>
      503: Failure<'accounts_unavailable' | 'store_unavailable' | 'blocks_unavailable' | 'overloaded'>
    }>
  }
  'download-tickets': {
    /**
     * A link to data that works for 60 s without a key, for browsers.
     *
     * Each use counts for the key that it was made with. It is valid for this path and query only.
     */
    post: Endpoint<Nothing, Nothing, {
      /** The target of the link. Accepted: the path of a data endpoint with its query, of up to 8000 characters */
      path: string
    }, {
      200: DownloadTicket
      400: Failure<'parameters_invalid' | 'body_invalid'>
      401: Failure<'key_missing' | 'key_unknown' | 'key_revoked' | 'key_expired'>
      413: Failure<'body_too_large'>
      414: Failure<'url_too_long'>
      415: Failure<'body_type_unknown'>
      500: Failure<'internal'>
      503: Failure<'accounts_unavailable' | 'store_unavailable'>
    }>
  }
  lookup: {
    slug: {
      /**
       * The condition ids and tokens behind a Polymarket slug.
       *
       * Looks for an event slug first, then for a market slug, then for both in lower case. Also at `/polymarket/lookup/slug`.
       */
      get: Endpoint<{
        /** A slug or a whole event address; the last path segment counts. Accepted: a slug (up to 900 letters, digits, "-", "_", "."; not "." or "..") or the address of an event page */
        slug: string
      }, Nothing, undefined, {
        200: SlugLookup
        400: Failure<'parameters_invalid'>
        404: Failure<'slug_not_found'>
        414: Failure<'url_too_long'>
        500: Failure<'block_corrupt' | 'internal'>
        503: Failure<'overloaded' | 'store_unavailable'>
      }>
    }
  }
  keys: {
    /**
     * Make an API key.
     *
     * Give each field in the JSON body or in the query; `user_id` and `name` are required. The secret is shown once.
     */
    post: Endpoint<{
      /** The user that the key belongs to. Accepted: 1 to 200 characters without control characters; not "." or "..", which cannot be used in the path /user/{user_id} */
      user_id?: string
      /** What the key is for. Accepted: 1 to 200 characters without control characters */
      name?: string
      /** When the key expires; never by default. Accepted: a future time with its zone, such as 2027-01-31T00:00:00Z, before the year 10000 in UTC */
      expires_at?: string
      /** The venues that the key may read; all by default. In a body it may be a list. Accepted: polymarket or kalshi, or both with a comma between */
      scopes?: string
    }, Nothing, {
      /** The user that the key belongs to. Accepted: 1 to 200 characters without control characters; not "." or "..", which cannot be used in the path /user/{user_id} */
      user_id?: string
      /** What the key is for. Accepted: 1 to 200 characters without control characters */
      name?: string
      /** When the key expires; never by default. Accepted: a future time with its zone, such as 2027-01-31T00:00:00Z, before the year 10000 in UTC */
      expires_at?: string
      /** The venues that the key may read; all by default. In a body it may be a list. Accepted: polymarket or kalshi, or both with a comma between */
      scopes?: string | string[]
    } | undefined, {
      200: CreatedKey
      400: Failure<'parameters_invalid' | 'body_invalid'>
      401: Failure<'admin_token_missing'>
      403: Failure<'admin_token_wrong' | 'management_closed'>
      413: Failure<'body_too_large'>
      414: Failure<'url_too_long'>
      415: Failure<'body_type_unknown'>
      500: Failure<'internal'>
      503: Failure<'accounts_unavailable'>
    }>
    /** The keys of a user, revoked ones too */
    get: Endpoint<{
      /** The user: an id of your choosing. Accepted: 1 to 200 characters without control characters */
      user_id: string
      /** Keys to skip. Accepted: a whole number from 0 to 9007199254740991. Default: 0 */
      offset?: number
      /** Keys, at most. Accepted: a whole number from 1 to 10000. Default: 1000 */
      limit?: number
    }, Nothing, undefined, {
      200: KeyList
      400: Failure<'parameters_invalid'>
      401: Failure<'admin_token_missing'>
      403: Failure<'admin_token_wrong' | 'management_closed'>
      414: Failure<'url_too_long'>
      500: Failure<'internal'>
      503: Failure<'accounts_unavailable'>
    }>
    ':key_id': {
      /**
       * Revoke a key.
       *
       * It stops working within a second, and stays in the list.
       */
      delete: Endpoint<{
        /** The user: an id of your choosing. Accepted: 1 to 200 characters without control characters */
        user_id: string
      }, {
        /** The id of the key. Accepted: the id of a key, as in the list of keys */
        key_id: string
      }, undefined, {
        200: RevokedKey
        400: Failure<'parameters_invalid'>
        401: Failure<'admin_token_missing'>
        403: Failure<'admin_token_wrong' | 'management_closed'>
        404: Failure<'key_not_found'>
        414: Failure<'url_too_long'>
        500: Failure<'internal'>
        503: Failure<'accounts_unavailable'>
      }>
      rotate: {
        /**
         * Give a key a new secret.
         *
         * Everything else of the key stays the same. The old secret stops working within a second.
         */
        post: Endpoint<{
          /** The user: an id of your choosing. Accepted: 1 to 200 characters without control characters */
          user_id: string
        }, {
          /** The id of the key. Accepted: the id of a key, as in the list of keys */
          key_id: string
        }, undefined, {
          200: CreatedKey
          400: Failure<'parameters_invalid'>
          401: Failure<'admin_token_missing'>
          403: Failure<'admin_token_wrong' | 'management_closed'>
          404: Failure<'key_not_found'>
          414: Failure<'url_too_long'>
          500: Failure<'internal'>
          503: Failure<'accounts_unavailable'>
        }>
      }
      'last-used': {
        /** When a key was last used */
        get: Endpoint<Nothing, {
          /** The id of the key. Accepted: the id of a key, as in the list of keys */
          key_id: string
        }, undefined, {
          200: KeyLastUsed
          400: Failure<'parameters_invalid'>
          401: Failure<'admin_token_missing'>
          403: Failure<'admin_token_wrong' | 'management_closed'>
          404: Failure<'key_not_found'>
          414: Failure<'url_too_long'>
          500: Failure<'internal'>
          503: Failure<'accounts_unavailable'>
        }>
      }
      name: {
        /** The name of a key */
        get: Endpoint<Nothing, {
          /** The id of the key. Accepted: the id of a key, as in the list of keys */
          key_id: string
        }, undefined, {
          200: KeyName
          400: Failure<'parameters_invalid'>
          401: Failure<'admin_token_missing'>
          403: Failure<'admin_token_wrong' | 'management_closed'>
          404: Failure<'key_not_found'>
          414: Failure<'url_too_long'>
          500: Failure<'internal'>
          503: Failure<'accounts_unavailable'>
        }>
      }
    }
  }
  usage: {
    /**
     * Calls of this month, and the limits of the plan.
     *
     * A call is an answer with 2xx, 304 or 101 of an endpoint that counts. Months are in UTC.
     */
    get: Endpoint<{
      /** The user: an id of your choosing. Accepted: 1 to 200 characters without control characters */
      user_id: string
    }, Nothing, undefined, {
      200: Usage
      400: Failure<'parameters_invalid'>
      401: Failure<'admin_token_missing'>
      403: Failure<'admin_token_wrong' | 'management_closed'>
      414: Failure<'url_too_long'>
      500: Failure<'internal'>
      503: Failure<'accounts_unavailable'>
    }>
  }
  user: {
    ':user_id': {
      requests: {
        count: {
          /** The number of all requests of a user */
          get: Endpoint<Nothing, {
            /** The user: an id of your choosing. Accepted: 1 to 200 characters without control characters */
            user_id: string
          }, undefined, {
            200: RequestCount
            400: Failure<'parameters_invalid'>
            401: Failure<'admin_token_missing'>
            403: Failure<'admin_token_wrong' | 'management_closed'>
            414: Failure<'url_too_long'>
            500: Failure<'internal'>
            503: Failure<'accounts_unavailable'>
          }>
          timeframe: {
            /**
             * Requests of a user by hour.
             *
             * The UTC hours that the range touches and that had requests, each counted as a whole, earliest first.
             */
            get: Endpoint<{
              /** The first moment. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
              start_time: number | string
              /** The last moment. Accepted: Unix seconds (below 1e11), milliseconds (below 1e14) or microseconds, a time such as 2026-11-21T13:00:00Z, or a date, of the years 1970 to 9999 in UTC */
              end_time: number | string
            }, {
              /** The user: an id of your choosing. Accepted: 1 to 200 characters without control characters */
              user_id: string
            }, undefined, {
              200: HourCounts
              400: Failure<'parameters_invalid' | 'range_too_long'>
              401: Failure<'admin_token_missing'>
              403: Failure<'admin_token_wrong' | 'management_closed'>
              414: Failure<'url_too_long'>
              500: Failure<'internal'>
              503: Failure<'accounts_unavailable'>
            }>
          }
        }
        recent: {
          /** The newest requests of a user, the newest first */
          get: Endpoint<{
            /** Requests, at most. Accepted: a whole number from 1 to 100. Default: 10 */
            limit?: number
          }, {
            /** The user: an id of your choosing. Accepted: 1 to 200 characters without control characters */
            user_id: string
          }, undefined, {
            200: RecentRequests
            400: Failure<'parameters_invalid'>
            401: Failure<'admin_token_missing'>
            403: Failure<'admin_token_wrong' | 'management_closed'>
            414: Failure<'url_too_long'>
            500: Failure<'internal'>
            503: Failure<'accounts_unavailable'>
          }>
        }
      }
    }
  }
  stats: {
    /**
     * Users, keys and requests, in total and in the last 24 hours.
     *
     * total_requests counts requests with a valid key, api_calls those that count for plans, refused answers with 429, and failed answers with 5xx. The last 24 hours are the current hour and the 23 before it.
     */
    get: Endpoint<Nothing, Nothing, undefined, {
      200: Stats
      400: Failure<'parameters_invalid'>
      401: Failure<'admin_token_missing'>
      403: Failure<'admin_token_wrong' | 'management_closed'>
      414: Failure<'url_too_long'>
      500: Failure<'internal'>
      503: Failure<'accounts_unavailable'>
    }>
    'popular-markets': {
      /** The markets with most requests */
      get: Endpoint<{
        /** Markets, at most. Accepted: a whole number from 1 to 1000. Default: 20 */
        limit?: number
        /** UTC days, today included. Accepted: a whole number from 1 to 365. Default: 30 */
        days?: number
      }, Nothing, undefined, {
        200: PopularMarkets
        400: Failure<'parameters_invalid'>
        401: Failure<'admin_token_missing'>
        403: Failure<'admin_token_wrong' | 'management_closed'>
        414: Failure<'url_too_long'>
        500: Failure<'internal'>
        503: Failure<'accounts_unavailable'>
      }>
    }
  }
  subscriptions: {
    checkout: {
      /** A page where the user pays for a plan */
      post: Endpoint<Nothing, Nothing, {
        /** The user: an id of your choosing. Accepted: 1 to 200 characters without control characters; not "." or "..", which cannot be used in the path /user/{user_id} */
        user_id: string
        /** Where bills are sent. Accepted: an e-mail address */
        email: string
        /** Where the browser goes after the payment. Accepted: an http or https address of up to 2000 characters */
        success_url: string
        /** Where the browser goes if the user cancels. Accepted: an http or https address of up to 2000 characters */
        cancel_url: string
        /** The plan to pay for. Accepted: a plan that has a price. Default: starter */
        tier?: string
      }, {
        200: Checkout
        400: Failure<'parameters_invalid' | 'plan_not_sold' | 'body_invalid'>
        401: Failure<'admin_token_missing'>
        403: Failure<'admin_token_wrong' | 'management_closed'>
        409: Failure<'subscription_exists'>
        413: Failure<'body_too_large'>
        414: Failure<'url_too_long'>
        415: Failure<'body_type_unknown'>
        500: Failure<'internal'>
        503: Failure<'accounts_unavailable' | 'billing_not_configured' | 'billing_unavailable'>
      }>
    }
    portal: {
      /** A page where the user changes or ends its subscription */
      post: Endpoint<Nothing, Nothing, {
        /** The user: an id of your choosing. Accepted: 1 to 200 characters without control characters */
        user_id: string
        /** Where the browser goes afterwards. Accepted: an http or https address of up to 2000 characters */
        return_url: string
      }, {
        200: Portal
        400: Failure<'parameters_invalid' | 'body_invalid'>
        401: Failure<'admin_token_missing'>
        403: Failure<'admin_token_wrong' | 'management_closed'>
        404: Failure<'subscription_not_found'>
        413: Failure<'body_too_large'>
        414: Failure<'url_too_long'>
        415: Failure<'body_type_unknown'>
        500: Failure<'internal'>
        503: Failure<'accounts_unavailable' | 'billing_not_configured' | 'billing_unavailable'>
      }>
    }
    status: {
      /**
       * The subscription of a user.
       *
       * The last subscription, even if it has ended. `tier` is the current plan.
       */
      get: Endpoint<{
        /** The user: an id of your choosing. Accepted: 1 to 200 characters without control characters */
        user_id: string
      }, Nothing, undefined, {
        200: SubscriptionStatus
        400: Failure<'parameters_invalid'>
        401: Failure<'admin_token_missing'>
        403: Failure<'admin_token_wrong' | 'management_closed'>
        414: Failure<'url_too_long'>
        500: Failure<'internal'>
        503: Failure<'accounts_unavailable' | 'billing_not_configured'>
      }>
    }
  }
  webhooks: {
    stripe: {
      /**
       * Events of Stripe.
       *
       * Signed by Stripe. A repeated event changes nothing, and a late one does not undo a newer one.
       */
      post: Endpoint<Nothing, Nothing, Record<string, unknown>, {
        200: WebhookReceipt
        400: Failure<'parameters_invalid' | 'webhook_signature_invalid' | 'body_invalid'>
        413: Failure<'body_too_large'>
        414: Failure<'url_too_long'>
        500: Failure<'internal'>
        503: Failure<'accounts_unavailable' | 'billing_not_configured' | 'billing_unavailable'>
      }>
    }
  }
  health: {
    /** Whether the server can answer */
    get: Endpoint<Nothing, Nothing, undefined, {
      200: Health
      400: Failure<'parameters_invalid'>
      414: Failure<'url_too_long'>
      500: Failure<'internal'>
      503: Failure<'store_unavailable'>
    }>
  }
  ready: {
    /** Whether a balancer should send requests here */
    get: Endpoint<Nothing, Nothing, undefined, {
      200: Ready
      400: Failure<'parameters_invalid'>
      414: Failure<'url_too_long'>
      500: Failure<'internal'>
      503: Failure<'store_unavailable' | 'blocks_unavailable' | 'overloaded'>
    }>
  }
  monitoring: {
    status: {
      /**
       * State of each component of the service.
       *
       * Always answers 200: read `status`. Every client sees the states. If the server has a monitoring token, only its holder sees the numbers.
       */
      get: Endpoint<Nothing, Nothing, undefined, {
        200: MonitoringStatus
        400: Failure<'parameters_invalid'>
        414: Failure<'url_too_long'>
        500: Failure<'internal'>
      }>
    }
    history: {
      /**
       * How the last 90 days of each venue were recorded.
       *
       * Also the number of failed requests of this process. It names no market.
       */
      get: Endpoint<Nothing, Nothing, undefined, {
        200: MonitoringHistory
        400: Failure<'parameters_invalid'>
        414: Failure<'url_too_long'>
        500: Failure<'block_corrupt' | 'internal'>
        503: Failure<'store_unavailable'>
      }>
    }
  }
  metrics: {
    /**
     * Metrics for Prometheus.
     *
     * If the server has a monitoring token, send it as x-monitoring-token or as Bearer token.
     */
    get: Endpoint<Nothing, Nothing, undefined, {
      200: string
      400: Failure<'parameters_invalid'>
      401: Failure<'monitoring_token_missing'>
      403: Failure<'monitoring_token_wrong'>
      414: Failure<'url_too_long'>
      500: Failure<'internal'>
    }>
  }
}

/** For `treaty<App>(address)` of @elysiajs/eden. */
export type App = Elysia<
  '',
  Elysia['~Singleton'],
  Elysia['~Definitions'],
  Elysia['~Metadata'],
  Endpoints & { api: { v1: Endpoints } }
>
