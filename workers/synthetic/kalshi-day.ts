// Generates a day of Kalshi lines as a recorder would have written them: one market that is busy all day, and
// fifteen-minute markets one after the other. All are on one connection, which breaks once in the early afternoon.

import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import { Agenda } from './agenda.ts'
import { type FairPrice, settlingPrice, wanderingPrice } from './fair-price.ts'
import { KalshiFeed, type KalshiMarket } from './kalshi-feed.ts'
import { MarketModel, type MarketShape } from './market-model.ts'
import { Random } from './random.ts'

export type KalshiDayOptions = { date: string; seed: number; records: number }
type LiveMarket = KalshiMarket & { fair: FairPrice; fromUs: number; lifeUs: number }

const QUARTER_US = 900_000_000
const QUARTERS = (DAY_MS * 1_000) / QUARTER_US
const BUSY_SHARE = 0.5
const QUARTER_MARKET_RECORDS_MIN = 2_000
const QUARTER_MARKETS_MIN = 4
const LINES_PER_INSTANT = 1.5
const OUTAGE_FROM_QUARTER = 56
const OUTAGE_US = 11_600_000
const CONNECTED_US = 310_000

/** Activity of each hour, UTC: America sleeps until 11, and works from 13 to 21. */
const HOUR_WEIGHTS = [5, 4, 3, 2, 2, 2, 3, 3, 4, 4, 5, 6, 8, 12, 14, 12, 10, 10, 11, 13, 12, 8, 6, 5]
const HOUR_WEIGHT_TOTAL = HOUR_WEIGHTS.reduce((sum, weight) => sum + weight)

const BUSY_SHAPE: MarketShape = { tickMilli: 1, halfSpreadMilli: 1.2, levelsMin: 45, levelsMax: 85, lotCenti: 500 }
const QUARTER_SHAPE: MarketShape = { tickMilli: 10, halfSpreadMilli: 4, levelsMin: 30, levelsMax: 48, lotCenti: 100 }

export function kalshiBusyTicker(date: string): string {
  return `KXDEMODAY-${tickerDate(dateStartMs(date))}-T50`
}

export function* kalshiDay(options: KalshiDayOptions): Generator<string> {
  const day = new KalshiDay(options)
  for (let quarter = 0; quarter < QUARTERS; quarter++) yield* day.quarter(quarter)
}

class KalshiDay {
  readonly #random: Random
  readonly #feed: KalshiFeed
  readonly #agenda = new Agenda()
  readonly #options: KalshiDayOptions
  readonly #dayUs: number
  readonly #busy: LiveMarket
  /** A fifteen-minute market opens every `#stride` quarters of an hour. */
  readonly #stride: number
  /** Share of one fifteen-minute market in the records of all fifteen-minute markets. */
  readonly #quarterShare: number
  #open: LiveMarket | undefined
  /** Time until which the connection is down, in µs. */
  #outageToUs: number
  #linesBudget = 0
  #linesSent = 0

  constructor(options: KalshiDayOptions) {
    const { date, seed, records } = options
    this.#options = options
    this.#random = new Random(seed, `kalshi ${date}`)
    this.#feed = new KalshiFeed(new Random(seed, `kalshi feed ${date}`))
    this.#dayUs = dateStartMs(date) * 1_000
    this.#outageToUs = this.#dayUs + CONNECTED_US
    const wanted = Math.floor((records * (1 - BUSY_SHARE)) / QUARTER_MARKET_RECORDS_MIN)
    this.#stride = Math.ceil(QUARTERS / Math.min(Math.max(wanted, QUARTER_MARKETS_MIN), QUARTERS))
    this.#quarterShare = 1 / Math.ceil(QUARTERS / this.#stride)
    const fair = wanderingPrice(this.#random, { fromMilli: 440, toMilli: 560, widthMilli: 35 })
    const life = { fair, fromUs: this.#dayUs, lifeUs: DAY_MS * 1_000 }
    this.#busy = this.#market(kalshiBusyTicker(date), BUSY_SHAPE, life)
  }

  *quarter(quarter: number): Generator<string> {
    const fromUs = this.#dayUs + quarter * QUARTER_US
    this.#plan(quarter, fromUs)
    let clockUs = fromUs
    while (clockUs < fromUs + QUARTER_US) {
      const left = this.#linesBudget - this.#linesSent
      const meanUs = ((fromUs + QUARTER_US - clockUs) * LINES_PER_INSTANT) / Math.max(left, 1)
      const nextUs = left > 0 ? clockUs + 1 + Math.floor(this.#random.burst(meanUs)) : fromUs + QUARTER_US
      for (let due = this.#agenda.takeDue(nextUs); due !== undefined; due = this.#agenda.takeDue(nextUs)) {
        for (const line of due.lines()) yield this.#sent(line)
      }
      clockUs = nextUs
      if (clockUs >= fromUs + QUARTER_US) break
      for (const line of this.#instant(clockUs)) yield this.#sent(line)
    }
  }

  /** Adds the quarter's share of the records to the budget of lines, and schedules the quarter's events. */
  #plan(quarter: number, fromUs: number): void {
    const hourWeight = HOUR_WEIGHTS[Math.floor(quarter / 4)]! / HOUR_WEIGHT_TOTAL / 4
    const opens = quarter % this.#stride === 0
    const marketShare = opens ? this.#quarterShare : 0
    this.#linesBudget += this.#options.records * (BUSY_SHARE * hourWeight + (1 - BUSY_SHARE) * marketShare)
    this.#close(fromUs)
    if (quarter === 0) {
      const atUs = fromUs + CONNECTED_US
      this.#agenda.add(atUs, () => [this.#feed.snapshot(this.#busy, atUs / 1_000)])
    }
    if (opens) this.#openMarket(fromUs)
    // The outage is in the first quarter, at or after OUTAGE_FROM_QUARTER, in which a fifteen-minute market opens.
    const outageQuarter = Math.ceil(OUTAGE_FROM_QUARTER / this.#stride) * this.#stride
    if (quarter === outageQuarter) this.#planOutage(fromUs + this.#random.between(200_000_000, 300_000_000))
  }

  #openMarket(fromUs: number): void {
    const ticker = quarterTicker(fromUs)
    const life = { fair: settlingPrice(this.#random), fromUs, lifeUs: QUARTER_US }
    const market = this.#market(ticker, QUARTER_SHAPE, life)
    const atUs = fromUs + this.#random.between(350_000, 900_000)
    this.#agenda.add(atUs, () => {
      this.#open = market
      return [this.#feed.snapshot(market, Math.floor(atUs / 1_000))]
    })
  }

  /** Closes the fifteen-minute market. Some of its orders leave in deltas, then the venue sends an empty book once or
   *  twice. */
  #close(atUs: number): void {
    const market = this.#open
    if (market === undefined) return
    this.#open = undefined
    const lastUs = atUs + this.#random.between(30, 90)
    const leaving = market.model.withdraw(this.#random.between(2, 12))
    this.#agenda.add(lastUs, () => this.#feed.activity(market, leaving, lastUs))
    const emptyMs = Math.floor(atUs / 1_000) + this.#random.between(60, 320)
    this.#agenda.add(emptyMs * 1_000, () => [this.#feed.emptySnapshot(market, emptyMs)])
    if (this.#random.chance(0.6)) {
      this.#agenda.add((emptyMs + 140) * 1_000, () => [this.#feed.emptySnapshot(market, emptyMs + 140)])
    }
  }

  /** Schedules the outage. The markets continue, but no line is written. After the outage the venue sends each open
   *  book again. */
  #planOutage(fromUs: number): void {
    this.#agenda.add(fromUs, () => {
      this.#outageToUs = fromUs + OUTAGE_US
      return []
    })
    this.#agenda.add(fromUs + OUTAGE_US, () => {
      this.#feed.reconnect()
      const atMs = Math.floor((fromUs + OUTAGE_US) / 1_000)
      const open = this.#open === undefined ? [this.#busy] : [this.#busy, this.#open]
      return open.map((market) => this.#feed.snapshot(market, atMs))
    })
  }

  #instant(atUs: number): string[] {
    const isQuarter = this.#open !== undefined && this.#random.chance(this.#quarterMarketShare(atUs))
    const market = isQuarter ? this.#open! : this.#busy
    const activity = market.model.next(market.fair((atUs - market.fromUs) / market.lifeUs))
    return atUs < this.#outageToUs ? [] : this.#feed.activity(market, activity, atUs)
  }

  #quarterMarketShare(atUs: number): number {
    const hour = Math.floor((atUs - this.#dayUs) / (4 * QUARTER_US))
    const busy = (BUSY_SHARE * HOUR_WEIGHTS[hour]!) / HOUR_WEIGHT_TOTAL / 4
    const quarter = (1 - BUSY_SHARE) * this.#quarterShare
    return quarter / (busy + quarter)
  }

  #market(ticker: string, shape: MarketShape, life: Pick<LiveMarket, 'fair' | 'fromUs' | 'lifeUs'>): LiveMarket {
    const random = this.#random
    return { ticker, id: random.uuid(), model: new MarketModel(random, shape, life.fair(0)), ...life }
  }

  #sent(line: string): string {
    this.#linesSent++
    return line
  }
}

/** Returns a ticker named after the closing time, as at the venue (but in UTC). */
function quarterTicker(fromUs: number): string {
  const closeMs = (fromUs + QUARTER_US) / 1_000
  const time = new Date(closeMs).toISOString().slice(11, 16).replace(':', '')
  return `KXDEMO15M-${tickerDate(closeMs)}${time}-${time.slice(2)}`
}

/** Returns a date such as '26JUL20'. */
function tickerDate(timestampMs: number): string {
  const [, day, month, year] = /, (\d+) (\w+) \d\d(\d\d)/.exec(new Date(timestampMs).toUTCString())!
  return `${year}${month!.toUpperCase()}${day}`
}
