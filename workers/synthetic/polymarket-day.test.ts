// Replays the Polymarket day with the simplest possible book, and so checks every best price and every hash.

import { describe, expect, test } from 'bun:test'
import { type PrintedLevel, polymarketBookHash } from '../venues/polymarket/book-hash.ts'
import { polymarketDay } from './polymarket-day.ts'
import { polymarketEventPlan } from './polymarket-event.ts'

type Level = { price: string; size: string }
type Entry = { asset_id: string; side: 'BUY' | 'SELL'; hash: string; best_bid: string; best_ask: string } & Level
type Event = {
  event_type: string
  market: string
  asset_id: string
  timestamp: string
  hash: string
  bids: Level[]
  asks: Level[]
  tick_size?: string
  new_tick_size: string
  last_trade_price: string
  price: string
  side: 'BUY' | 'SELL'
  price_changes: Entry[]
}
type Line = { recv_ms: number; event: Event | Event[] }

const DATE = '2026-07-20'
const dayMs = Date.parse(DATE)
const ascending = (side: Map<string, string>): PrintedLevel[] => [...side].sort(([a], [b]) => Number(a) - Number(b))
const printed = (levels: Level[]): PrintedLevel[] => levels.map(({ price, size }) => [price, size])

/** A reader that knows only the messages, the minimum order size and that the market is a neg-risk one. */
class Replay {
  readonly #tokens = new Map<string, { bids: Map<string, string>; asks: Map<string, string> }>()
  readonly #ticks = new Map<string, string>()
  readonly #lastTrades = new Map<string, string>()
  hashes = 0

  apply(event: Event): void {
    if (event.event_type === 'book') this.#book(event)
    if (event.event_type === 'price_change') this.#priceChange(event)
    if (event.event_type === 'tick_size_change') this.#ticks.set(event.market, event.new_tick_size)
    if (event.event_type === 'last_trade_price') this.#lastTrades.set(event.market, Number(event.price).toFixed(3))
  }

  #book(event: Event): void {
    if (event.tick_size !== undefined) {
      this.#ticks.set(event.market, event.tick_size)
      this.#lastTrades.set(event.market, event.last_trade_price)
    }
    const known = this.#tokens.get(event.asset_id)
    const book = { bids: new Map(printed(event.bids)), asks: new Map(printed(event.asks)) }
    expect(printed(event.bids)).toEqual(ascending(book.bids))
    expect(printed(event.asks)).toEqual(ascending(book.asks).reverse())
    // A book message only repeats what the changes before it have reported.
    if (known !== undefined) expect(ascending(known.bids)).toEqual(ascending(book.bids))
    if (known !== undefined) expect(ascending(known.asks)).toEqual(ascending(book.asks))
    this.#tokens.set(event.asset_id, book)
    this.#checkHash(event, event.asset_id, event.hash)
  }

  #priceChange(event: Event): void {
    for (const { asset_id, side, price, size } of event.price_changes) {
      const levels = this.#tokens.get(asset_id)![side === 'BUY' ? 'bids' : 'asks']
      if (size === '0') expect(levels.delete(price)).toBe(true)
      else levels.set(price, size)
    }
    const last = new Map(event.price_changes.map((entry) => [entry.asset_id, entry]))
    expect(last.size).toBe(2)
    for (const [assetId, { hash, best_bid, best_ask }] of last) {
      const { bids, asks } = this.#tokens.get(assetId)!
      expect([best_bid, best_ask]).toEqual([ascending(bids).at(-1)![0], ascending(asks)[0]![0]])
      expect(Number(best_bid)).toBeLessThan(Number(best_ask))
      this.#checkHash(event, assetId, hash)
    }
  }

  #checkHash({ market, timestamp }: Event, assetId: string, hash: string): void {
    const { bids, asks } = this.#tokens.get(assetId)!
    const book = { market, assetId, timestamp, bids: ascending(bids), asks: ascending(asks).reverse() }
    const tickSize = this.#ticks.get(market)!
    const extra = { minOrderSize: '5', tickSize, negRisk: true, lastTradePrice: this.#lastTrades.get(market)! }
    expect(polymarketBookHash(book, extra)).toBe(hash)
    this.hashes++
  }

  expectMirrored([yes, no]: [string, string]): void {
    const mirrored = (levels: Map<string, string>) =>
      ascending(levels).map(
        ([price, size]) => [String((1_000 - Math.round(Number(price) * 1_000)) / 1_000), size] as const,
      )
    const [own, other] = [this.#tokens.get(yes)!, this.#tokens.get(no)!]
    expect(mirrored(own.bids).reverse()).toEqual(ascending(other.asks))
    expect(mirrored(own.asks).reverse()).toEqual(ascending(other.bids))
  }
}

describe.each([
  { seed: 1, records: 8_000 },
  { seed: 2, records: 1_500 },
])('polymarketDay with seed $seed and $records messages', ({ seed, records }) => {
  const event = polymarketEventPlan(DATE, seed)
  const lines = Array.from(polymarketDay({ date: DATE, seed, records, event }), (line) => JSON.parse(line) as Line)
  const events = lines.flatMap((line) => line.event)
  const of = (type: string) => events.filter(({ event_type }) => event_type === type)

  test('has about as many lines as requested, in the order of receipt, all of one date', () => {
    expect(Math.abs(lines.length - records)).toBeLessThan(records / 50 + 20)
    let receivedMs = dayMs
    for (const { recv_ms } of lines) {
      expect(recv_ms).toBeGreaterThanOrEqual(receivedMs)
      receivedMs = recv_ms
    }
    for (const { timestamp } of events) expect(Number(timestamp)).toBeWithin(dayMs, dayMs + 86_400_000)
  })

  test('agrees with its own best prices and hashes at every message, and mirrors both tokens', () => {
    const replay = new Replay()
    for (const each of events) replay.apply(each)
    expect(replay.hashes).toBe(of('book').length + 2 * of('price_change').length)
    for (const { assetIds } of event.markets) replay.expectMirrored(assetIds)
  })

  test('opens twice with the books of all tokens, deep enough', () => {
    const frames = lines.filter((line): line is { recv_ms: number; event: Event[] } => Array.isArray(line.event))
    expect(frames).toHaveLength(2)
    expect(lines[0]).toBe(frames[0]!)
    for (const { event: books } of frames) {
      expect(books.map(({ asset_id }) => asset_id)).toEqual(event.markets.flatMap(({ assetIds }) => assetIds))
      expect(Math.min(books[0]!.bids.length, books[0]!.asks.length)).toBeGreaterThanOrEqual(30)
    }
  })

  test('sends a price change, then the book, then the prints of a trade', () => {
    for (const [index, line] of lines.entries()) {
      const book = line.event
      if (Array.isArray(book) || book.event_type !== 'book') continue
      const change = lines[index - 1]!.event as Event
      expect(change.timestamp).toBe(book.timestamp)
      expect(change.price_changes.find(({ asset_id }) => asset_id === book.asset_id)!.hash).toBe(book.hash)
      const print = events.find(
        (each) =>
          each.event_type === 'last_trade_price' &&
          each.asset_id === book.asset_id &&
          Number(each.timestamp) > Number(book.timestamp),
      )!
      expect(Number(print.timestamp) - Number(book.timestamp)).toBeLessThan(230)
    }
    expect(of('last_trade_price').length).toBeGreaterThan(records / 100)
  })

  test('refines the tick of one market once, for both tokens', () => {
    expect(of('tick_size_change').map(({ asset_id }) => asset_id)).toEqual(event.markets[2]!.assetIds)
  })
})

test('polymarketDay lets the venue step back a few milliseconds, seldom', () => {
  const event = polymarketEventPlan(DATE, 1)
  const last = new Map<string, number>()
  const steps: number[] = []
  for (const line of polymarketDay({ date: DATE, seed: 1, records: 15_000, event })) {
    const { event: message } = JSON.parse(line) as { event: Event }
    if (message.event_type !== 'price_change') continue
    const atMs = Number(message.timestamp)
    const beforeMs = last.get(message.market) ?? 0
    if (atMs < beforeMs) steps.push(beforeMs - atMs)
    last.set(message.market, atMs)
  }
  expect(steps.length).toBeWithin(1, 30)
  expect(Math.max(...steps)).toBeLessThanOrEqual(6)
})
