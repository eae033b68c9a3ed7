// One WebSocket connection to Kalshi as a recorder stores it: turns a market's activity into lines. Snapshots and
// deltas of all markets share subscription 1 and its sequence, trades share subscription 2; a new connection counts
// from 1 again.

import { type BidLadder, DOLLAR_MILLI } from './bid-ladder.ts'
import type { Activity, Fill, LevelChange, MarketModel } from './market-model.ts'
import type { Random } from './random.ts'

export type KalshiMarket = { ticker: string; id: string; model: MarketModel }

const BOOK_SID = 1
const TRADE_SID = 2
const TRADE_FIRST_SHARE = 0.07

/** Printed prices such as '0.4100', by price in 1e-3 dollars. */
const PRICES = Array.from({ length: DOLLAR_MILLI + 1 }, (_, milli) => (milli / DOLLAR_MILLI).toFixed(4))

export class KalshiFeed {
  readonly #random: Random
  #bookSequence = 0
  #tradeSequence = 0
  #receivedMs = 0

  constructor(random: Random) {
    this.#random = random
  }

  reconnect(): void {
    this.#bookSequence = 0
    this.#tradeSequence = 0
  }

  /** Returns the line of a snapshot of the whole book. The message itself has no time. */
  snapshot(market: KalshiMarket, atMs: number): string {
    const yes = levelsField('yes_dollars_fp', market.model.yes)
    const no = levelsField('no_dollars_fp', market.model.no)
    return this.#snapshotLine(market, atMs, yes + no)
  }

  /** Returns the line of the message that the venue sends when a market has closed. */
  emptySnapshot(market: KalshiMarket, atMs: number): string {
    return this.#snapshotLine(market, atMs, '')
  }

  /** Returns the lines of an activity: a delta for every change and a trade for every fill. All have the same time. */
  activity(market: KalshiMarket, { changes, fills }: Activity, atUs: number): string[] {
    const atMs = Math.floor(atUs / 1_000)
    const time = timeText(atUs)
    const lines: string[] = []
    const tradeFirst = fills.length > 0 && this.#random.chance(TRADE_FIRST_SHARE)
    if (tradeFirst) for (const fill of fills) lines.push(this.#trade(market, fill, atMs))
    for (const change of changes) lines.push(this.#delta(market, change, atMs, time))
    if (!tradeFirst) for (const fill of fills) lines.push(this.#trade(market, fill, atMs))
    return lines
  }

  #snapshotLine({ ticker, id }: KalshiMarket, atMs: number, levels: string): string {
    const msg = `{"market_ticker":"${ticker}","market_id":"${id}"${levels}}`
    const head = `{"type":"orderbook_snapshot","sid":${BOOK_SID},"seq":${++this.#bookSequence},"msg":`
    return `{"recv_ms":${this.#receive(atMs)},"event":${head}${msg}}}`
  }

  #delta(
    { ticker, id }: KalshiMarket,
    { side, priceMilli, deltaCenti }: LevelChange,
    atMs: number,
    time: string,
  ): string {
    const head = `{"type":"orderbook_delta","sid":${BOOK_SID},"seq":${++this.#bookSequence},"msg":`
    const level = `"price_dollars":"${PRICES[priceMilli]}","delta_fp":"${countText(deltaCenti)}","side":"${side}"`
    const msg = `{"market_ticker":"${ticker}","market_id":"${id}",${level},"ts":"${time}","ts_ms":${atMs}}`
    return `{"recv_ms":${this.#receive(atMs)},"event":${head}${msg}}}`
  }

  /** Returns the line of a trade. A resting YES bid at p was taken by a buyer of NO. A resting NO bid at p was taken by
   *  a buyer of YES, at 1 - p. */
  #trade({ ticker }: KalshiMarket, { side, priceMilli, sizeCenti }: Fill, atMs: number): string {
    const yesMilli = side === 'yes' ? priceMilli : DOLLAR_MILLI - priceMilli
    const taker = side === 'yes' ? 'no' : 'yes'
    const prices = `"yes_price_dollars":"${PRICES[yesMilli]}","no_price_dollars":"${PRICES[DOLLAR_MILLI - yesMilli]}"`
    const takers = `"taker_side":"${taker}","taker_outcome_side":"${taker}","taker_book_side":"${taker === 'yes' ? 'bid' : 'ask'}"`
    const times = `"ts":${Math.floor(atMs / 1_000)},"ts_ms":${atMs}`
    const count = `"count_fp":"${countText(sizeCenti)}"`
    const msg = `{"trade_id":"${this.#random.uuid()}","market_ticker":"${ticker}",${prices},${count},${takers},${times}}`
    const head = `{"type":"trade","sid":${TRADE_SID},"seq":${++this.#tradeSequence},"msg":`
    return `{"recv_ms":${this.#receive(atMs)},"event":${head}${msg}}}`
  }

  /** Returns the receipt time of a message: about twelve milliseconds after `atMs`, and never before the previous
   *  line. */
  #receive(atMs: number): number {
    const random = this.#random
    const delayMs = random.chance(0.01) ? random.between(15, 70) : random.between(10, 14)
    this.#receivedMs = Math.max(this.#receivedMs, atMs + delayMs)
    return this.#receivedMs
  }
}

/** Returns the JSON field of a side. An empty side has no field. */
function levelsField(name: string, ladder: BidLadder): string {
  if (ladder.count === 0) return ''
  const levels = ladder.prices().map((price) => `["${PRICES[price]}","${countText(ladder.sizeCenti(price))}"]`)
  return `,"${name}":[${levels.join(',')}]`
}

/** Formats hundredths of a contract as the venue does: '-3.05'. */
function countText(centi: number): string {
  const size = Math.abs(centi)
  const rest = size % 100
  return `${centi < 0 ? '-' : ''}${(size - rest) / 100}.${rest < 10 ? '0' : ''}${rest}`
}

let secondCached = -1
let secondText = ''

/** Formats a time as RFC 3339 with microseconds, without trailing zeros. */
function timeText(atUs: number): string {
  const second = Math.floor(atUs / 1_000_000)
  if (second !== secondCached) {
    secondCached = second
    secondText = new Date(second * 1_000).toISOString().slice(0, 19)
  }
  const microseconds = atUs - second * 1_000_000
  if (microseconds === 0) return `${secondText}Z`
  let digits = microseconds.toString().padStart(6, '0')
  while (digits.endsWith('0')) digits = digits.slice(0, -1)
  return `${secondText}.${digits}Z`
}
