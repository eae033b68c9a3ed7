// Generates a day of Polymarket lines as a recorder would have written them: both tokens of every market of one event.
// All are on one connection, which is renewed once, at a moment without changes.

import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import { Agenda } from './agenda.ts'
import { type FairPrice, wanderingPrice } from './fair-price.ts'
import { type Fill, MarketModel } from './market-model.ts'
import type { PolymarketEventPlan, PolymarketMarketPlan } from './polymarket-event.ts'
import { PolymarketMarket } from './polymarket-market.ts'
import { Random } from './random.ts'

export type PolymarketDayOptions = { date: string; seed: number; records: number; event: PolymarketEventPlan }
type LiveMarket = PolymarketMarket & { fair: FairPrice }

const HOUR_US = 3_600_000_000
const HOURS = 24
const CONNECTED_US = 2_400_000
/** Time of the last event. It is early enough that a following trade is still written before midnight. */
const END_US = DAY_MS * 1_000 - 1_500_000
const RENEWED_US = 9.7 * HOUR_US
const PAUSE_US = 9_000_000
const LINES_PER_INSTANT = 1.08
/** Share of changes whose time steps back, among the changes that follow another change within SOON_MS. */
const STEP_BACK_SHARE = 1 / 1_000
const SOON_MS = 500
const FINE_TICK_BELOW_MILLI = 40
const YES_TOKEN_SHARE = 0.65
const HOUR_WEIGHTS = [6, 5, 4, 4, 3, 3, 4, 4, 5, 6, 6, 7, 8, 9, 10, 10, 10, 10, 10, 9, 9, 8, 7, 6]
const HOUR_WEIGHT_TOTAL = HOUR_WEIGHTS.reduce((sum, weight) => sum + weight)

export function* polymarketDay(options: PolymarketDayOptions): Generator<string> {
  const day = new PolymarketDay(options)
  for (let hour = 0; hour < HOURS; hour++) yield* day.hour(hour)
}

class PolymarketDay {
  readonly #random: Random
  readonly #agenda = new Agenda()
  readonly #dayUs: number
  readonly #records: number
  readonly #markets: LiveMarket[]
  #quietToUs: number
  #receivedMs = 0
  #framesBudget = 0
  #framesSent = 0

  constructor({ date, seed, records, event }: PolymarketDayOptions) {
    this.#random = new Random(seed, `polymarket ${date}`)
    this.#dayUs = dateStartMs(date) * 1_000
    this.#records = records
    this.#markets = event.markets.map((plan) => this.#market(plan))
    this.#quietToUs = this.#dayUs + CONNECTED_US
    this.#agenda.add(this.#quietToUs, () => [this.#openingFrame(this.#quietToUs)])
    const renewedUs = this.#dayUs + RENEWED_US
    this.#agenda.add(renewedUs - PAUSE_US, () => {
      this.#quietToUs = renewedUs
      return []
    })
    this.#agenda.add(renewedUs, () => [this.#openingFrame(renewedUs)])
  }

  *hour(hour: number): Generator<string> {
    const fromUs = this.#dayUs + hour * HOUR_US
    const toUs = Math.min(fromUs + HOUR_US, this.#dayUs + END_US)
    this.#framesBudget += (this.#records * HOUR_WEIGHTS[hour]!) / HOUR_WEIGHT_TOTAL
    let clockUs = fromUs
    while (clockUs < toUs) {
      const left = this.#framesBudget - this.#framesSent
      const meanUs = ((toUs - clockUs) * LINES_PER_INSTANT) / Math.max(left, 1)
      const nextUs = left > 0 ? clockUs + 1 + Math.floor(this.#random.burst(meanUs)) : toUs
      yield* this.#due(nextUs)
      clockUs = nextUs
      if (clockUs < toUs && clockUs >= this.#quietToUs) yield* this.#instant(clockUs)
    }
    if (hour === HOURS - 1) yield* this.#due(this.#dayUs + DAY_MS * 1_000)
  }

  *#due(atUs: number): Generator<string> {
    for (let due = this.#agenda.takeDue(atUs); due !== undefined; due = this.#agenda.takeDue(atUs)) yield* due.lines()
  }

  *#instant(atUs: number): Generator<string> {
    const market = this.#pickMarket()
    const atMs = Math.floor(atUs / 1_000)
    const { model } = market
    const { changes, fills } = model.next(market.fair((atUs - this.#dayUs) / (DAY_MS * 1_000)))
    if (changes.length === 0) return
    const isSoon = atMs - market.changedMs < SOON_MS && fills.length === 0
    const stepsBack = isSoon && this.#random.chance(STEP_BACK_SHARE)
    const stampMs = stepsBack ? market.changedMs - this.#random.between(1, 6) : atMs
    yield this.#line(market.priceChange(changes, stampMs), atMs)
    if (fills.length > 0) yield* this.#traded(market, fills, atMs)
    if (model.tickMilli > 1 && market.midMilli < FINE_TICK_BELOW_MILLI) {
      for (const event of market.refineTick(1, atMs)) yield this.#line(event, atMs)
    }
  }

  /** Yields the line of the token's book after a trade. Schedules the lines of the trade messages for a moment later,
   *  one for each level. */
  *#traded(market: LiveMarket, fills: Fill[], atMs: number): Generator<string> {
    const random = this.#random
    const token = random.chance(YES_TOKEN_SHARE) ? 0 : 1
    yield this.#line(market.tradedBook(token), atMs)
    const printedMs = atMs + random.between(40, 220)
    const transaction = `0x${random.hex(64)}`
    const levels = new Map<number, Fill>()
    for (const fill of fills) {
      const sizeCenti = fill.sizeCenti + (levels.get(fill.priceMilli)?.sizeCenti ?? 0)
      levels.set(fill.priceMilli, { ...fill, sizeCenti })
    }
    for (const fill of levels.values()) {
      const print = () => [this.#line(market.trade(token, fill, printedMs, transaction), printedMs)]
      this.#agenda.add(printedMs * 1_000, print)
    }
  }

  #openingFrame(atUs: number): string {
    const books = this.#markets.flatMap((market) => [market.openingBook(0), market.openingBook(1)])
    return this.#line(`[${books.join(',')}]`, Math.floor(atUs / 1_000))
  }

  #pickMarket(): LiveMarket {
    let share = this.#random.fraction()
    for (const market of this.#markets) {
      share -= market.plan.share
      if (share < 0) return market
    }
    return this.#markets[0]!
  }

  #market(plan: PolymarketMarketPlan): LiveMarket {
    const random = this.#random
    const fair = wanderingPrice(random, plan.path)
    const levels = plan.tickMilli === 1 ? { levelsMin: 45, levelsMax: 85 } : { levelsMin: 25, levelsMax: 60 }
    const halfSpreadMilli = plan.tickMilli === 1 ? 1 : 2
    const model = new MarketModel(random, { ...plan, ...levels, halfSpreadMilli, lotCenti: 2_000 }, fair(0))
    const changedMs = this.#dayUs / 1_000 + random.between(200, CONNECTED_US / 1_000 - 100)
    return Object.assign(new PolymarketMarket(random, plan, model, changedMs), { fair })
  }

  /** Returns the recorder's line of a message. It is received about fifty milliseconds after `atMs`, and never before
   *  the previous line. */
  #line(event: string, atMs: number): string {
    this.#framesSent++
    this.#receivedMs = Math.max(this.#receivedMs, atMs + this.#random.between(38, 62))
    return `{"recv_ms":${this.#receivedMs},"event":${event}}`
  }
}
