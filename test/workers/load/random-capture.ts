// Generates small random captures: a few books of both venues over several days, with snapshots, gaps, jitter, steps
// back, stale books and messages without a time. They cover what a recorder may write and the contract describes.

import { Random } from '../../../workers/synthetic/random.ts'

export const TICKERS = ['KXRAND-A', 'KXRAND-B']
export const CONDITION = `0x${'c0'.repeat(32)}`
export const ASSETS = ['101', '202']

const START = Date.parse('2026-08-10T22:00:00Z')
const HASHES = ['', 'ab', `0x${'1a'.repeat(32)}`, `0x${'2b'.repeat(32)}`]
const STEPS_MS = [0, 0, 0, 1, 3, 40, 700, 9_000]

export class RandomCapture {
  readonly random: Random
  /** Whether lines are in an envelope with the recorder's clock. */
  readonly isEnveloped: boolean
  #ms = START
  #seq = 1

  constructor(seed: number, isEnveloped: boolean) {
    this.random = new Random(seed, 'capture')
    this.isEnveloped = isEnveloped
  }

  /** Returns the lines of one recorder, in the order in which it wrote them. */
  lines(count: number): string[] {
    return Array.from({ length: count }, (_, index) => {
      this.#step()
      return index < 2 ? this.#line(this.#snapshot()) : this.#line(this.#message())
    })
  }

  #step(): void {
    const { random } = this
    const leap = random.fraction()
    if (leap < 0.02) this.#ms += random.between(1, 40) * 3_600_000
    else if (leap < 0.04) this.#ms -= random.between(61_000, 7_200_000)
    else this.#ms += random.pick(STEPS_MS)
  }

  #line(message: object): string {
    if (!this.isEnveloped || this.random.chance(0.05)) return JSON.stringify(message)
    return JSON.stringify({ recv_ms: this.#ms + this.random.between(0, 30), event: message })
  }

  #message(): object {
    const { random } = this
    const kind = random.fraction()
    if (kind < 0.06) return this.#snapshot()
    if (kind < 0.08) return this.#gap()
    if (kind < 0.14) return this.#trade()
    return random.chance(0.5) ? this.#kalshiDelta() : this.#priceChange()
  }

  /** The venue's time: exact, early or late by jitter, or hours late. */
  get #venueMs(): number {
    const { random } = this
    return random.chance(0.2) ? this.#ms - random.between(1, 300) : this.#ms
  }

  #kalshi(type: string, msg: object): object {
    // A new connection restarts the numbers.
    if (this.random.chance(0.02)) this.#seq = 1
    return { type, sid: 1, seq: this.#seq++, msg: { market_ticker: this.random.pick(TICKERS), ...msg } }
  }

  #kalshiDelta(): object {
    const { random } = this
    const ms = this.#venueMs
    const micros = random.pick(['', '001', '002'])
    const ts = micros === '' ? {} : { ts: `${new Date(ms).toISOString().slice(0, -1)}${micros}Z` }
    return this.#kalshi('orderbook_delta', {
      price_dollars: random.chance(0.05) ? null : this.#price(),
      delta_fp: `${random.between(-6, 9)}.00`,
      side: random.pick(['yes', 'no']),
      ...(random.chance(0.9) ? { ...ts, ts_ms: ms } : {}),
    })
  }

  #snapshot(): object {
    const { random } = this
    if (random.chance(0.5)) {
      // All snapshots without a level are the same message, whenever they were sent.
      const most = random.pick([1, 4])
      const levels = () =>
        Array.from({ length: random.below(most) }, () => [this.#price(), `${random.between(1, 20)}.00`])
      return this.#kalshi('orderbook_snapshot', { yes_dollars_fp: levels(), no_dollars_fp: levels() })
    }
    const levels = () => Array.from({ length: random.below(4) }, () => ({ price: this.#price(), size: this.#size() }))
    return {
      event_type: 'book',
      market: CONDITION,
      asset_id: random.pick(ASSETS),
      timestamp: String(random.chance(0.3) ? this.#ms - random.between(61_000, 5_000_000) : this.#venueMs),
      bids: levels(),
      asks: levels(),
    }
  }

  #priceChange(): object {
    const { random } = this
    const hasBest = random.chance(0.7)
    const entry = () => ({
      asset_id: random.pick(ASSETS),
      price: this.#price(),
      size: this.#size(),
      side: random.pick(['BUY', 'SELL']),
      ...(hasBest ? { best_bid: random.pick(['', '0', '0.31', '0.2']), best_ask: random.pick(['', '1', '0.8']) } : {}),
    })
    const entries = Array.from({ length: random.between(1, 3) }, entry)
    return { event_type: 'price_change', market: CONDITION, timestamp: String(this.#venueMs), price_changes: entries }
  }

  #trade(): object {
    const { random } = this
    if (random.chance(0.5)) return this.#kalshi('trade', { trade_id: random.hex(8), ts_ms: this.#venueMs })
    const shared = { market: CONDITION, price: this.#price(), timestamp: String(this.#venueMs) }
    if (random.chance(0.3)) return { event_type: 'new_thing', ...shared }
    const hash = { transaction_hash: random.pick(HASHES) }
    return { event_type: 'last_trade_price', asset_id: random.pick(ASSETS), size: this.#size(), ...hash, ...shared }
  }

  #gap(): object {
    const { random } = this
    const msg = { reason: random.pick(['reconnect', 'restart']), from: this.#ms, to: this.#ms }
    if (random.chance(0.5)) return { type: 'gap', venue: 'kalshi', market: random.pick(TICKERS), msg }
    const asset = random.chance(0.5) ? { asset_id: random.pick(ASSETS) } : {}
    return { type: 'gap', venue: 'polymarket', market: CONDITION, ...asset, msg }
  }

  #price(): string {
    const { random } = this
    return random.pick(['0.5', '0.48', '0.4800', '0.3', '0.31', '0.05', '0.999', '0.52', '.7', '0.12345'])
  }

  #size(): string {
    const { random } = this
    return random.chance(0.3) ? '0' : `${random.between(1, 400)}${random.pick(['', '.5', '.25', '.000001'])}`
  }
}
