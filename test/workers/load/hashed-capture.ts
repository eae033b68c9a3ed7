// Generates small random captures of one Polymarket market whose messages have hashes of its books. Trades come late,
// batches come in several messages, lines are lost, hashes are wrong or missing.

import { createHash } from 'node:crypto'
import { Random } from '../../../workers/synthetic/random.ts'

export const MARKET = `0x${'ab'.repeat(32)}`
const TOKENS = ['9101', '9202'] as const
const STEPS_MS = [1, 2, 7, 30, 120, 900, 4_000]

type Book = { bids: Map<string, string>; asks: Map<string, string> }
type Change = { token: number; side: 'BUY' | 'SELL'; price: string; size: string }

export class HashedCapture {
  readonly #random: Random
  readonly #books: Book[] = TOKENS.map(() => ({ bids: new Map(), asks: new Map() }))
  /** Recipe of the hashes: the venue's oldest, its second (without a last price), its present, or an unknown one. */
  readonly #recipe: 'old' | 'autumn' | 'present' | 'strange'
  readonly #lines: string[] = []
  readonly #late: { ms: number; message: object }[] = []
  #ms = Date.parse('2026-08-10T23:30:00Z')
  #tick = '0.01'
  #lastPrice = ''

  /** Share of snapshots among the messages, 0 to 1. With a small share, the capture does not begin with a snapshot. */
  readonly #snapshotShare: number

  constructor(seed: number, { snapshotShare = 0.05 } = {}) {
    this.#snapshotShare = snapshotShare
    this.#random = new Random(seed, 'hashed capture')
    this.#recipe = this.#random.pick(['old', 'autumn', 'present', 'present', 'present', 'present', 'strange'])
  }

  lines(count: number): string[] {
    if (this.#snapshotShare >= 0.05) for (const token of [0, 1]) this.#snapshot(token)
    while (this.#lines.length < count) this.#step()
    return this.#lines
  }

  #step(): void {
    const random = this.#random
    this.#ms += random.chance(0.003) ? 1_800_000 : random.pick(STEPS_MS)
    for (const { ms, message } of this.#late.splice(0)) {
      if (ms > this.#ms) this.#late.push({ ms, message })
      else this.#send(message)
    }
    const kind = random.fraction()
    if (kind < this.#snapshotShare) this.#snapshot(random.below(2))
    else if (kind < 0.13) this.#trade()
    else if (kind < 0.135) this.#gap()
    else if (kind < 0.14) this.#refine()
    else this.#change()
  }

  #snapshot(token: number): void {
    const { bids, asks } = this.#books[token]!
    const levels = (side: Map<string, string>) => [...side].map(([price, size]) => ({ price, size }))
    const facts = { tick_size: this.#tick, last_trade_price: this.#lastPrice }
    this.#send({
      event_type: 'book',
      ...this.#shared(),
      asset_id: TOKENS[token],
      hash: this.#hash(token),
      bids: levels(bids),
      asks: levels(asks),
      ...(this.#random.chance(0.5) ? facts : {}),
    })
  }

  #change(): void {
    const random = this.#random
    const entries = Array.from({ length: random.between(1, 4) }, (): Change => {
      const token = random.below(2)
      const side = random.pick(['BUY', 'SELL'] as const)
      const cents = side === 'BUY' ? random.between(1, 40) : random.between(50, 90)
      return { token, side, price: String(cents / 100), size: this.#size() }
    })
    for (const { token, side, price, size } of entries) {
      const levels = side === 'BUY' ? this.#books[token]!.bids : this.#books[token]!.asks
      if (size === '0') levels.delete(price)
      else levels.set(price, size)
    }
    const hashes = TOKENS.map((_, token) => this.#hash(token))
    const printed = entries.map(({ token, ...change }) => ({
      ...change,
      asset_id: TOKENS[token],
      ...(hashes[token] === undefined ? {} : { hash: hashes[token] }),
      ...(random.chance(0.02) ? { best_bid: '0.4' } : {}),
    }))
    const cut = random.chance(0.2) ? random.below(printed.length) : 0
    for (const part of [printed.slice(0, cut), printed.slice(cut)]) {
      if (part.length > 0) this.#send({ event_type: 'price_change', ...this.#shared(), price_changes: part })
    }
  }

  /** Changes the last price, which later hashes cover, but sends the trade's message later. */
  #trade(): void {
    const random = this.#random
    const price = String(random.between(300, 330) / 1_000)
    this.#lastPrice = Number(price).toFixed(3)
    const ms = this.#ms + random.pick([40, 200, 900, 2_500])
    const asset_id = TOKENS[random.below(2)]
    const shared = { market: MARKET, asset_id, price, size: '5', timestamp: String(ms) }
    this.#late.push({ ms, message: { event_type: 'last_trade_price', ...shared } })
    this.#change()
  }

  #refine(): void {
    this.#tick = this.#tick === '0.01' ? '0.001' : '0.01'
    for (const asset_id of TOKENS) {
      this.#send({ event_type: 'tick_size_change', ...this.#shared(), asset_id, new_tick_size: this.#tick })
    }
  }

  #gap(): void {
    const asset_id = this.#random.pick([null, ...TOKENS])
    const msg = { from: this.#ms, to: this.#ms, reason: 'reconnect' }
    this.#lines.push(JSON.stringify({ type: 'gap', venue: 'polymarket', market: MARKET, asset_id, msg }))
  }

  #shared = () => ({ market: MARKET, timestamp: String(this.#ms) })

  #size(): string {
    const random = this.#random
    if (random.chance(0.2)) return '0'
    // A size with a trailing zero is rare: venues print none, and a reader cannot check the hash of such a book.
    return random.chance(0.002) ? '12.50' : String(random.between(1, 90_000) / 100)
  }

  #send(message: object): void {
    // A number makes each message unique.
    const event = { ...message, number: this.#lines.length }
    if (this.#random.chance(0.01)) return
    this.#lines.push(JSON.stringify({ recv_ms: this.#ms, event }))
  }

  #hash(token: number): string | undefined {
    const random = this.#random
    if (random.chance(0.05)) return undefined
    if (random.chance(0.02)) return random.hex(40)
    const { bids, asks } = this.#books[token]!
    const side = (levels: Map<string, string>, sign: number) =>
      [...levels]
        .sort(([a], [b]) => sign * (Number(a) - Number(b)))
        .map(([price, size]) => `{"price":"${price}","size":"${size}"}`)
    const ids = `"market":"${MARKET}","asset_id":"${TOKENS[token]}","timestamp":"${this.#ms}","hash":""`
    const text = `{${ids},"bids":[${side(bids, 1)}],"asks":[${side(asks, -1)}]${this.#extra()}}`
    return createHash('sha1').update(text).digest('hex')
  }

  #extra(): string {
    if (this.#recipe === 'old') return ''
    const size = this.#recipe === 'strange' ? '7' : '15'
    const market = `,"min_order_size":"${size}","tick_size":"${this.#tick}","neg_risk":false`
    return this.#recipe === 'autumn' ? market : `${market},"last_trade_price":"${this.#lastPrice}"`
  }
}
