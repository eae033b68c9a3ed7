// Generates the messages of many Kalshi markets, second by second, as text frames of connections with a hundred markets
// each.

import { dateStartMs } from '../../storage/units.ts'
import { Random } from '../../workers/synthetic/random.ts'
import { CAPTURE_DATE } from './synthetic-capture.ts'

export type LiveFrame = { connection: number; text: string; receivedMs: number }

const MARKETS_EACH = 100
/** Latency from the venue to the recorder, ms. */
const LATENCY_MS = 20

export class LiveMessages {
  readonly connectionCount: number
  readonly #random = new Random(1, 'live messages')
  readonly #marketCount: number
  readonly #seqs: number[]
  #second = 0

  constructor(marketCount: number) {
    this.#marketCount = marketCount
    this.connectionCount = Math.ceil(marketCount / MARKETS_EACH)
    this.#seqs = Array.from({ length: this.connectionCount }, () => 0)
  }

  /** Start of the next second, Unix ms. */
  get nowMs(): number {
    return dateStartMs(CAPTURE_DATE) + 43_200_000 + this.#second * 1_000
  }

  /** Returns the initial books. */
  snapshots(): LiveFrame[] {
    const levels = (from: number) => Array.from({ length: 30 }, (_, i) => [`0.${from + i}00`, `${100 + i}.00`])
    const frames = Array.from({ length: this.#marketCount }, (_, market) => {
      const msg = { ...idsOf(market), yes_dollars_fp: levels(10), no_dollars_fp: levels(20) }
      return this.#frame('orderbook_snapshot', market, msg, this.nowMs)
    })
    this.#second++
    return frames
  }

  /** Returns changes of books, for randomly chosen markets. */
  nextSecond(count: number): LiveFrame[] {
    const random = this.#random
    const frames = Array.from({ length: count }, (_, i) => {
      const market = random.below(this.#marketCount)
      const ms = this.nowMs + Math.floor((i * 1_000) / count)
      const change = {
        price_dollars: `0.${random.between(10, 99)}00`,
        delta_fp: `${random.between(-100, 100)}.00`,
        side: random.chance(0.5) ? 'yes' : 'no',
      }
      const ts = `${new Date(ms).toISOString().slice(0, -1)}${random.between(100, 999)}Z`
      return this.#frame('orderbook_delta', market, { ...idsOf(market), ...change, ts, ts_ms: ms }, ms)
    })
    this.#second++
    return frames
  }

  #frame(type: string, market: number, msg: object, ms: number): LiveFrame {
    const connection = Math.floor(market / MARKETS_EACH)
    const seq = ++this.#seqs[connection]!
    return { connection, text: JSON.stringify({ type, sid: 1, seq, msg }), receivedMs: ms + LATENCY_MS }
  }
}

const idsOf = (market: number) => ({
  market_ticker: `KXLIVE-26JUL20-T${String(market).padStart(5, '0')}`,
  market_id: `5a6f0d2e-0c1b-4c39-9d5e-${String(market).padStart(12, '0')}`,
})
