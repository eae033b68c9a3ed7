// Generates a market as its venue sends it, and as recorders receive it. Each recorder is away now and then, writes its
// gaps, and gets a snapshot after each.

import { expect } from 'bun:test'
import type { Venue } from '../../../storage/venue.ts'
import type { Random } from '../../../workers/synthetic/random.ts'
import { CONDITION } from '../../model/lines.ts'
import { type AnyStore, dateRequest } from '../../support/store.ts'

const TICKER = 'KXCOVER-1'
/** Changes come at multiples of this many ms; recorders come back between them. */
const STEP_MS = 10

type Side = 'bid' | 'ask'
type Change = { ms: number; book: string; side: Side; cents: number; size: number; before: number }
type Row = { timestamp: number; trust: string; best_bid: number | null; best_ask: number | null }

export class RecordedFeed {
  readonly #random: Random
  readonly #venue: Venue
  readonly #startMs: number
  readonly #changes: Change[] = []
  readonly #books: string[]

  constructor(random: Random, venue: Venue) {
    this.#random = random
    this.#venue = venue
    this.#books = venue === 'kalshi' ? [TICKER] : ['A', 'B']
    this.#startMs = Date.parse(random.chance(0.3) ? '2026-08-10T23:58:00Z' : '2026-08-10T12:00:00Z')
    const sizes = new Map<string, number>()
    for (let i = 0, ms = this.#startMs; i < 150; i++) {
      ms += STEP_MS * random.between(1, 400)
      const [book, side] = [random.pick(this.#books), random.pick(['bid', 'ask'] as const)]
      const cents = side === 'bid' ? random.between(40, 49) : random.between(51, 60)
      const key = `${book} ${cents}`
      const before = sizes.get(key) ?? 0
      const size = before > 0 && random.chance(0.4) ? 0 : before + random.between(1, 9)
      sizes.set(key, size)
      this.#changes.push({ ms, book, side, cents, size, before })
    }
  }

  /** Returns the captures of two or three recorders, one or two files each. A recorder's files are segments with the
   *  chance `segmentChance`. */
  captures(segmentChance = 0.7): string[][] {
    const random = this.#random
    return Array.from({ length: random.between(2, 3) }, (_, i) => i).flatMap((i) => {
      const header = random.chance(segmentChance)
        ? [JSON.stringify({ backbook: 'segment', recorder: `host-${i}` })]
        : []
      const lines = this.#recorded(i)
      const cut = random.chance(0.5) ? random.between(1, lines.length - 1) : lines.length
      return [lines.slice(0, cut), lines.slice(cut)]
        .filter((part) => part.length > 0)
        .map((part) => [...header, ...part])
    })
  }

  /** Expects each established bucket to have the venue's best prices at its end. */
  async expectTrue(store: AnyStore): Promise<void> {
    const market = this.#venue === 'kalshi' ? TICKER : CONDITION
    for (const date of await store.dates(this.#venue, market)) {
      for (const book of this.#books) {
        const rows = (await store.summary(dateRequest(this.#venue, market, book, date, 1))) as Row[]
        for (const { timestamp, trust, best_bid, best_ask } of rows) {
          if (trust !== 'established') continue
          const top = this.#topAt(book, timestamp + 999)
          expect({ timestamp, best_bid, best_ask }).toEqual({ timestamp, best_bid: top.bid, best_ask: top.ask })
        }
      }
    }
  }

  /** Returns the lines of a recorder that begins with snapshots and is away three times. No two recorders come back in
   *  the same ms. */
  #recorded(recorder: number): string[] {
    const random = this.#random
    const places = Array.from({ length: 6 }, () => random.between(1, this.#changes.length - 1)).sort((a, b) => a - b)
    const lines = this.#books.map((book) => this.#snapshot(book, this.#startMs + recorder))
    this.#changes.forEach((change, i) => {
      const outage = places.findIndex((place, at) => at % 2 === 0 && i > place && i <= places[at + 1]!)
      if (outage < 0) lines.push(this.#change(change))
      if (outage < 0 || i < places[outage + 1]!) return
      const [fromMs, toMs] = [this.#changes[places[outage]!]!.ms + 1, change.ms + STEP_MS / 2 + recorder]
      lines.push(...this.#gaps(fromMs, toMs), ...this.#books.map((book) => this.#snapshot(book, toMs)))
    })
    return lines
  }

  #gaps(from: number, to: number): string[] {
    const msg = { reason: 'disconnect', from, to }
    if (this.#venue === 'kalshi') return [JSON.stringify({ type: 'gap', venue: 'kalshi', market: TICKER, msg })]
    const gap = { type: 'gap', venue: 'polymarket', market: CONDITION }
    if (this.#random.chance(0.3)) return [JSON.stringify({ ...gap, recv_ms: to, msg })]
    return this.#books.map((asset) => JSON.stringify({ ...gap, asset_id: asset, recv_ms: to, msg }))
  }

  #change({ ms, book, side, cents, size, before }: Change): string {
    const recv = ms + 3
    if (this.#venue === 'polymarket') {
      const entry = { asset_id: book, price: price(cents), size: String(size), side: side === 'bid' ? 'BUY' : 'SELL' }
      const event = { event_type: 'price_change', market: CONDITION, timestamp: String(ms), price_changes: [entry] }
      return JSON.stringify({ recv_ms: recv, event })
    }
    const at = { ts: new Date(ms).toISOString(), ts_ms: ms }
    const no = side === 'ask'
    const change = { price_dollars: price(no ? 100 - cents : cents), delta_fp: String(size - before) }
    const msg = { market_ticker: TICKER, ...change, side: no ? 'no' : 'yes', ...at }
    return JSON.stringify({ recv_ms: recv, event: { type: 'orderbook_delta', sid: 1, msg } })
  }

  #snapshot(book: string, ms: number): string {
    const levels = [...this.#sizesAt(book, ms)].filter(([, size]) => size > 0)
    const of = (isBid: boolean) => levels.filter(([cents]) => cents < 50 === isBid)
    if (this.#venue === 'polymarket') {
      const side = (isBid: boolean) => of(isBid).map(([cents, size]) => ({ price: price(cents), size: String(size) }))
      const sides = { bids: side(true), asks: side(false) }
      const event = { event_type: 'book', market: CONDITION, asset_id: book, timestamp: String(ms), ...sides }
      return JSON.stringify({ recv_ms: ms, event })
    }
    const side = (isBid: boolean) =>
      of(isBid).map(([cents, size]) => [price(isBid ? cents : 100 - cents), String(size)])
    const msg = { market_ticker: TICKER, yes_dollars_fp: side(true), no_dollars_fp: side(false) }
    return JSON.stringify({ recv_ms: ms, event: { type: 'orderbook_snapshot', sid: 1, msg } })
  }

  #sizesAt(book: string, ms: number): Map<number, number> {
    const changes = this.#changes.filter((change) => change.book === book && change.ms <= ms)
    return new Map(changes.map(({ cents, size }) => [cents, size]))
  }

  #topAt(book: string, ms: number): { bid: number | null; ask: number | null } {
    const held = [...this.#sizesAt(book, ms)].filter(([, size]) => size > 0).map(([cents]) => cents)
    const [bids, asks] = [held.filter((cents) => cents < 50), held.filter((cents) => cents > 50)]
    const dollars = (cents: number) => (Number.isFinite(cents) ? cents / 100 : null)
    return { bid: dollars(Math.max(...bids)), ask: dollars(Math.min(...asks)) }
  }
}

const price = (cents: number): string => (cents / 100).toFixed(2)
