// A market of Kalshi that grows while a stream follows it: first a snapshot, then a better bid each time.

import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { SmallDemo } from './small-demo.ts'

const NOON_MS = Date.parse('2026-08-10T12:00:00Z')

export class GrowingMarket {
  readonly ticker = `KXGROW${randomUUID().slice(0, 8).toUpperCase()}-1`
  readonly #demo: SmallDemo
  #bids = 0

  constructor(demo: SmallDemo) {
    this.#demo = demo
  }

  /** Commits one more record. */
  async grow(): Promise<void> {
    const { seq, type, msg } = this.#next()
    const event = { type, sid: 1, seq, msg: { market_ticker: this.ticker, ...msg } }
    const path = join(this.#demo.folder, `${this.ticker}.ndjson`)
    await Bun.write(path, `${JSON.stringify({ recv_ms: NOON_MS + seq, event })}\n`)
    const child = Bun.spawn([...JSON.parse(this.#demo.env['CLIENT_TEST_INGEST']!), path], { stdout: 'ignore' })
    if ((await child.exited) !== 0) throw new Error(`${this.ticker} does not grow`)
  }

  #next() {
    const seq = ++this.#bids
    const book = { yes_dollars_fp: [['0.40', '5.00']], no_dollars_fp: [['0.30', '5.00']] }
    if (seq === 1) return { seq, type: 'orderbook_snapshot', msg: book }
    const bid = { price_dollars: `0.${39 + seq}`, delta_fp: '1.00', side: 'yes', ts_ms: NOON_MS + seq }
    return { seq, type: 'orderbook_delta', msg: bid }
  }
}
