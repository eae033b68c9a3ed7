// Messages of the live stream. docs/stream.md of the server says what each means.

import type { KalshiRecord, KalshiTrade, PolymarketRecord, PolymarketTrade } from './api.js'

export type Channel = 'records' | 'trades' | 'book' | 'quotes'

type Place<Name extends Channel> = { venue: 'kalshi' | 'polymarket'; market: string; channel: Name; position: string }
/** Names the book: by `ticker` on Kalshi, by `asset_id` on Polymarket. */
type OfBook = {
  ticker?: string
  asset_id?: string | null
  timestamp: number | null
  date?: string
  record?: number | null
}
type Trust = 'established' | 'observed' | 'doubtful' | 'lost'
export type Level = [price: number, size: number]
export type Change = { side: 'bid' | 'ask'; price: number; before: number; after: number }

/** The next record: its date (null if nothing is stored) and its number within that date. */
type Next = { date: string | null; record: number }
export type Begin = Place<Channel> & Next & { type: 'begin' }
/** `changed` is the first merged record if the reason is `late_records`. */
export type Reset = Place<Channel> &
  Next & {
    type: 'reset'
    reason: 'late_records' | 'earlier_days_changed' | 'removed'
    changed: { date: string; record: number } | null
  }
export type RecordMessage = Place<'records'> & (KalshiRecord | PolymarketRecord)
export type TradeMessage = Place<'trades'> & { type: 'trade' } & (KalshiTrade | PolymarketTrade)
export type BookMessage = Place<'book'> & OfBook & { type: 'book'; trust: Trust; bids: Level[]; asks: Level[] }
export type ChangeMessage = Place<'book'> & OfBook & { type: 'level' | 'snapshot'; changes: Change[] }
export type QuoteMessage = Place<'quotes'> &
  OfBook & {
    type: 'quote'
    best_bid: number | null
    best_bid_size: number
    best_ask: number | null
    best_ask_size: number
    trust: Trust
    open?: boolean
  }
export type GapMessage = Place<'trades' | 'book' | 'quotes'> &
  OfBook & { type: 'gap'; reason: string; from: number | null; to: number | null }

export type Message =
  | Begin
  | Reset
  | RecordMessage
  | TradeMessage
  | BookMessage
  | ChangeMessage
  | QuoteMessage
  | GapMessage

/** What a connection delivers: a message, or the notice `slow` if this client reads too slowly. */
export type Carried = { type: string; position?: string }
