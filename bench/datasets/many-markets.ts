// Makes many markets of one day as their recorder would store them: an initial capture, and then repeatedly a few new
// records of each market.

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { dateStartMs } from '../../storage/units.ts'
import { type FairPrice, wanderingPrice } from '../../workers/synthetic/fair-price.ts'
import { KalshiFeed, type KalshiMarket } from '../../workers/synthetic/kalshi-feed.ts'
import { MarketModel, type MarketShape } from '../../workers/synthetic/market-model.ts'
import { Random } from '../../workers/synthetic/random.ts'
import type { Size } from '../topic.ts'
import { linesOf } from './busy-market.ts'
import { cached } from './cache.ts'
import { sourceKey } from './source-key.ts'
import { CAPTURE_DATE } from './synthetic-capture.ts'

export type ManyMarkets = {
  /** The initial capture. */
  first: string
  /** Captures, each of which continues where the one before ends. */
  next: { path: string; records: number }[]
  marketCount: number
  /** Number of new records of each market in each capture. It is one or two more if an instant has several records. */
  recordsEach: number
}

const SIZES = {
  smoke: { marketCount: 20, firstRecords: 100, captures: 2 },
  full: { marketCount: 1_000, firstRecords: 3_000, captures: 10 },
}
const RECORDS_EACH = 20
const MEAN_US = 2_000_000
const SHAPE: MarketShape = { tickMilli: 10, halfSpreadMilli: 4, levelsMin: 30, levelsMax: 48, lotCenti: 100 }

/** `times` multiplies the number of markets. */
export async function manyMarkets(size: Size, times = 1): Promise<ManyMarkets> {
  const { firstRecords, captures } = SIZES[size]
  const marketCount = times * SIZES[size].marketCount
  const key = [SIZES[size], times, sourceKey('workers/synthetic', 'bench/datasets/many-markets.ts')]
  const path = (folder: string, index: number) => join(folder, `${index}.ndjson`)
  const folder = await cached(`many-markets-${marketCount}`, key, async (made) => {
    const markets = Array.from({ length: marketCount }, (_, index) => new RecordedMarket(index))
    for (let index = 0; index <= captures; index++) {
      await writeNext(path(made, index), markets, index === 0 ? firstRecords : RECORDS_EACH)
    }
  })
  const next = Array.from({ length: captures }, (_, index) => {
    const capture = path(folder, index + 1)
    return { path: capture, records: linesOf(capture).length }
  })
  return { first: path(folder, 0), next, marketCount, recordsEach: RECORDS_EACH }
}

/** Writes the same number of records of each market as one capture, market by market. */
export const writeMarkets = (path: string, marketCount: number, recordsEach: number): Promise<void> =>
  writeNext(
    path,
    Array.from({ length: marketCount }, (_, index) => new RecordedMarket(index)),
    recordsEach,
  )

async function writeNext(path: string, markets: readonly RecordedMarket[], count: number): Promise<void> {
  const file = createWriteStream(path)
  for (const market of markets) {
    if (!file.write(`${market.take(count).join('\n')}\n`)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'finish')
}

export const tickerOf = (index: number): string => `KXAPPEND-26JUL20-T${String(index).padStart(4, '0')}`

/** A market on a connection of its own, so that none of its messages is missing. */
class RecordedMarket {
  readonly #random: Random
  readonly #feed: KalshiFeed
  readonly #market: KalshiMarket
  readonly #fair: FairPrice
  #lines: string[]
  #clockUs: number

  constructor(index: number) {
    this.#random = new Random(1, `market ${index}`)
    this.#feed = new KalshiFeed(new Random(1, `feed ${index}`))
    this.#fair = wanderingPrice(this.#random, { fromMilli: 300, toMilli: 700, widthMilli: 60 })
    const model = new MarketModel(this.#random, SHAPE, this.#fair(0))
    this.#market = { ticker: tickerOf(index), id: this.#random.uuid(), model }
    this.#clockUs = dateStartMs(CAPTURE_DATE) * 1_000 + index * 1_000
    this.#lines = [this.#feed.snapshot(this.#market, Math.floor(this.#clockUs / 1_000))]
  }

  /** Returns messages of whole instants, because two equal messages of one instant would count as one if they were in
   *  two captures. */
  take(count: number): string[] {
    while (this.#lines.length < count) {
      this.#clockUs += 1 + Math.floor(this.#random.burst(MEAN_US))
      const share = (this.#clockUs / 1_000 - dateStartMs(CAPTURE_DATE)) / 86_400_000
      this.#lines.push(...this.#feed.activity(this.#market, this.#market.model.next(this.#fair(share)), this.#clockUs))
    }
    const taken = this.#lines
    this.#lines = []
    return taken
  }
}
