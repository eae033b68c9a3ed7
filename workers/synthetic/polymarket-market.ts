// One market on Polymarket: two tokens whose books mirror each other, and the messages about them, in the venue's form
// since 2025-09. Every hash is the true checksum of the book after the message.

import assert from 'node:assert/strict'
import { writtenBookHash } from '../venues/polymarket/book-hash.ts'
import { DOLLAR_MILLI } from './bid-ladder.ts'
import type { Fill, LevelChange, MarketModel, Outcome } from './market-model.ts'
import { ORDER_SIZE_MIN, type PolymarketMarketPlan } from './polymarket-event.ts'
import { PRINTED_PRICES, PrintedLadder, sizeText } from './printed-ladder.ts'
import type { Random } from './random.ts'

const OWN_TOKEN_FIRST_SHARE = 0.7
/** Share of trades whose size has more decimals than the size of the level. */
const FINE_TRADE_SHARE = 0.3

export class PolymarketMarket {
  readonly plan: PolymarketMarketPlan
  readonly model: MarketModel
  readonly #random: Random
  readonly #ladders: Record<Outcome, PrintedLadder>
  /** Last trade price of the market, whichever token was traded. It is part of the hash. */
  #lastTradeMilli: number
  #changedMs: number

  constructor(random: Random, plan: PolymarketMarketPlan, model: MarketModel, changedMs: number) {
    this.#random = random
    this.plan = plan
    this.model = model
    this.#ladders = { yes: new PrintedLadder(model.yes), no: new PrintedLadder(model.no) }
    this.#lastTradeMilli = DOLLAR_MILLI - model.no.bestMilli
    this.#changedMs = changedMs
  }

  /** The venue's time of the last change, Unix ms. */
  get changedMs(): number {
    return this.#changedMs
  }

  /** Returns the book message that begins a subscription. The message's time is the time of the last change. */
  openingBook(token: 0 | 1): string {
    const { bids, asks } = this.#sides(token)
    const head = this.#head(token)
    const stamp = `"timestamp":"${this.#changedMs}","hash":"${this.#hash(token, this.#changedMs)}"`
    const tail = `"tick_size":"${this.#tick}","event_type":"book","last_trade_price":"${this.#lastTradePrice}"`
    return `{${head},${stamp},"bids":${bids.bidsJson},"asks":${asks.asksJson},${tail}}`
  }

  /** Returns the book message that the venue sends again after a trade. */
  tradedBook(token: 0 | 1): string {
    const { bids, asks } = this.#sides(token)
    const stamp = `"hash":"${this.#hash(token, this.#changedMs)}","timestamp":"${this.#changedMs}"`
    return `{${this.#head(token)},"bids":${bids.bidsJson},"asks":${asks.asksJson},${stamp},"event_type":"book"}`
  }

  /** Returns the message of the changes at one instant, for both tokens: a bid for one token at p is an ask for the
   *  other at 1 - p. */
  priceChange(changes: LevelChange[], atMs: number): string {
    this.#changedMs = atMs
    const levels = new Map<string, LevelChange>()
    for (const change of changes) {
      this.#ladders[change.side].change(change.priceMilli)
      levels.set(`${change.side}${change.priceMilli}`, change)
    }
    const ends = [this.#entryEnd(0, atMs), this.#entryEnd(1, atMs)] as const
    const entries: string[] = []
    for (const { side, priceMilli } of levels.values()) {
      const own = side === 'yes' ? 0 : 1
      const other = side === 'yes' ? 1 : 0
      const size = sizeText(this.model[side].sizeCenti(priceMilli))
      const bid = this.#entry(own, priceMilli, size, `BUY"${ends[own]}`)
      const ask = this.#entry(other, DOLLAR_MILLI - priceMilli, size, `SELL"${ends[other]}`)
      if (this.#random.chance(OWN_TOKEN_FIRST_SHARE)) entries.push(bid, ask)
      else entries.push(ask, bid)
    }
    return `{"market":"${this.plan.conditionId}","price_changes":[${entries.join(',')}],"timestamp":"${atMs}","event_type":"price_change"}`
  }

  /** Returns the message of a fill of the traded token. All later hashes contain the fill's price. */
  trade(token: 0 | 1, fill: Fill, atMs: number, transaction: string): string {
    const isOwnBid = (fill.side === 'yes') === (token === 0)
    const priceMilli = isOwnBid ? fill.priceMilli : DOLLAR_MILLI - fill.priceMilli
    this.#lastTradeMilli = priceMilli
    const isFine = this.#random.chance(FINE_TRADE_SHARE)
    const micros = fill.sizeCenti * 10_000 - (isFine ? this.#random.below(10_000) : 0)
    const level = `"price":"${PRINTED_PRICES[priceMilli]}","size":"${micros / 1e6}","fee_rate_bps":"0"`
    const taker = `"side":"${isOwnBid ? 'SELL' : 'BUY'}","timestamp":"${atMs}"`
    return `{${this.#head(token)},${level},${taker},"event_type":"last_trade_price","transaction_hash":"${transaction}"}`
  }

  /** Changes the tick of both tokens. Levels stay unchanged. */
  refineTick(tickMilli: number, atMs: number): string[] {
    const before = this.#tick
    assert(tickMilli < this.model.tickMilli)
    this.model.tickMilli = tickMilli
    const ticks = `"old_tick_size":"${before}","new_tick_size":"${this.#tick}"`
    return ([0, 1] as const).map(
      (token) => `{${this.#head(token)},${ticks},"timestamp":"${atMs}","event_type":"tick_size_change"}`,
    )
  }

  /** The midpoint of the best YES prices. */
  get midMilli(): number {
    return (this.model.yes.bestMilli + DOLLAR_MILLI - this.model.no.bestMilli) / 2
  }

  get #tick(): string {
    return PRINTED_PRICES[this.model.tickMilli]!
  }

  /** Last trade price as text, always with three decimals. */
  get #lastTradePrice(): string {
    return `0.${String(this.#lastTradeMilli).padStart(3, '0')}`
  }

  #head(token: 0 | 1): string {
    return `"market":"${this.plan.conditionId}","asset_id":"${this.plan.assetIds[token]}"`
  }

  /** Returns the ladders of a token's bids and asks. */
  #sides(token: 0 | 1): { bids: PrintedLadder; asks: PrintedLadder } {
    const { yes, no } = this.#ladders
    return token === 0 ? { bids: yes, asks: no } : { bids: no, asks: yes }
  }

  #hash(token: 0 | 1, atMs: number): string {
    const { bids, asks } = this.#sides(token)
    const { conditionId: market, assetIds } = this.plan
    const book = { market, assetId: assetIds[token], timestamp: String(atMs) }
    return writtenBookHash(
      { ...book, bidsJson: bids.bidsJson, asksJson: asks.asksJson },
      {
        minOrderSize: String(ORDER_SIZE_MIN),
        tickSize: this.#tick,
        negRisk: true,
        lastTradePrice: this.#lastTradePrice,
      },
    )
  }

  #entry(token: 0 | 1, priceMilli: number, size: string, end: string): string {
    return `{"asset_id":"${this.plan.assetIds[token]}","price":"${PRINTED_PRICES[priceMilli]}","size":"${size}","side":"${end}`
  }

  /** Returns the text that ends every entry of a token in one message. The text describes the book after the whole
   *  message, so it is the same for all of the token's entries. */
  #entryEnd(token: 0 | 1, atMs: number): string {
    const { yes, no } = this.model
    const [own, other] = token === 0 ? [yes, no] : [no, yes]
    const best = `"best_bid":"${PRINTED_PRICES[own.bestMilli]}","best_ask":"${PRINTED_PRICES[DOLLAR_MILLI - other.bestMilli]}"`
    return `,"hash":"${this.#hash(token, atMs)}",${best}}`
  }
}
