// Goal: whatever is stored, removed and said of markets, in whatever order, what finds them is what a look at everything
// gives.

import { describe, expect, test } from 'bun:test'
import { BUSY_BY } from '../../storage/finding/finding.ts'
import type { MarketCard, Metadata } from '../../storage/finding/metadata.ts'
import type { BookEntry, PartitionHead } from '../../storage/format/partition-head.ts'
import { memoryStore } from '../../storage/memory/memory-store.ts'
import type { Store } from '../../storage/open-store.ts'
import { VENUES, type Venue } from '../../storage/venue.ts'
import { Random } from '../../workers/synthetic/random.ts'
import { HEAD } from '../support/made-markets.ts'
import { type TestStore, withStore } from '../support/store.ts'

const DATES = ['2026-07-19', '2026-07-20', '2026-07-21', '2026-08-02']
const WORDS = ['Bitcoin', 'Up', 'or', 'Down', 'Zürich', 'FÉD', 'decision', '15', '2026', 'Bitcoins', 'b', 'downtown']
const LONG = ['pneumonoultramicroscopic', 'pneumonoultramicroscopically']
const MARKETS: Record<Venue, string[]> = {
  kalshi: ['KXBTC-26AUG10', 'KXBTC-26AUG11', 'KXBTCD-26AUG10', 'KXFED-26', 'KX', 'KXBTC-26AUG10-15'],
  polymarket: ['0', '1', '2', 'a', 'b'].map((digit) => `0x${digit.repeat(64)}`),
}
const QUERIES = [
  ...['b', 'bit', 'BITCOIN', 'bitcoins', 'fed', 'zur', 'up down', 'down up bitcoin', 'bitcoin bitcoin', 'xyz', '15'],
  ...['KXBTC-26AUG10', 'kxbtc', 'KXBTC-26AUG1', 'kxbtc 26aug11', 'kx', '0x', '0x1111', `0x${'a'.repeat(64)}`, '26'],
  ...['pneumonoultramicroscopic', 'pneumonoultramicroscopical', 'pneumo', 'event-1', 'e', 'yes', '20', '2026 d', 'ß'],
]

const book = (id: string, trades: number, volume: bigint): BookEntry => ({
  ...{ id, recordCount: 1, tradeCount: trades, tradeVolume: String(volume), quoteCount: 0, snapshotCount: 0 },
  ...{ firstQuoteMs: null, lastQuoteMs: null, startsFrom: 'neither', opening: null, last: null },
  quality: {
    ...{ snapshotsConfirmed: 1, snapshotsContradicted: 2, longestSilenceMs: 3 },
    ...{ bestPricesAgreed: 4, bestPricesChecked: 5, hashesAgreed: 6, hashesChecked: 7 },
  },
})

/** Does the same random things to several stores. */
class Deeds {
  readonly #random: Random
  readonly #stores: Store[]
  #revision = 1

  constructor(seed: number, stores: Store[]) {
    this.#random = new Random(seed, 'finding')
    this.#stores = stores
  }

  async next(): Promise<void> {
    const kind = this.#below(10)
    if (kind < 4) await this.#commit()
    else if (kind < 7) await this.#say()
    else if (kind < 9) await this.#remove()
    else await this.#forget()
  }

  #below(count: number): number {
    return this.#random.below(count)
  }

  #pick<T>(all: readonly T[]): T {
    return all[this.#below(all.length)]!
  }

  #market(): { venue: Venue; market: string } {
    const venue = this.#pick(VENUES)
    return { venue, market: this.#pick(MARKETS[venue]) }
  }

  #words(count: number): string {
    return Array.from({ length: count }, () => this.#pick([...WORDS, ...LONG])).join(this.#pick([' ', '-', ', ']))
  }

  #head(): PartitionHead {
    const toMs = this.#pick([null, 90, 120, 2_000])
    const gaps = Array.from({ length: this.#below(3) }, () => ({ book: null, reason: 'r', fromMs: 100, toMs, atMs: 1 }))
    const inferredGaps = gaps.slice(1).map(() => {
      return { book: 1, reason: 'sequence_restart' as const, fromMs: 5, toMs, levelsDiffering: 2 }
    })
    const books = [book('1', this.#below(5), BigInt(this.#below(9)) * 10n ** 18n), book('2', 1, 7n)]
    return { ...HEAD, revision: ++this.#revision, recordCount: 1 + this.#below(9), gaps, inferredGaps, books }
  }

  async #commit(): Promise<void> {
    const named = this.#market()
    const dates = DATES.filter(() => this.#below(2) === 0)
    if (dates.length === 0) return
    const heads = dates.map(() => this.#head())
    await this.#change(named, (index) => heads[index]!, dates)
  }

  async #remove(): Promise<void> {
    const named = this.#market()
    const stored = await this.#stores[0]!.catalogue.heads(named.venue, named.market)
    const dates = stored.map(({ date }) => date).filter(() => this.#below(3) > 0)
    if (dates.length > 0) await this.#change(named, () => null, dates)
  }

  async #change(
    { venue, market }: { venue: Venue; market: string },
    headOf: (index: number) => PartitionHead | null,
    dates: string[],
  ): Promise<void> {
    for (const { catalogue } of this.#stores) {
      const { revision } = await catalogue.revision(venue, market)
      const partitions = dates.map(async (date, index) => {
        const key = { venue, market, date }
        const before = (await catalogue.head(key)) ?? null
        return { key, before, head: headOf(index), books: null, put: [], removed: [] }
      })
      const change = { venue, market, revision, partitions: await Promise.all(partitions) }
      expect(await catalogue.commit([change])).toEqual([])
      // Now it was planned on a revision that is gone.
      expect(await catalogue.commit([change])).toEqual([change])
    }
  }

  async #say(): Promise<void> {
    const metadata: Metadata = { markets: [], events: [] }
    for (let count = 1 + this.#below(3); count > 0; count--) {
      const outcomes = [
        { outcome: 'Yes', title: this.#pick([null, this.#words(1)]), asset_id: this.#pick([null, 'A', 'B']) },
      ]
      const card: MarketCard = {
        title: this.#pick([null, '', this.#words(3)]),
        subtitle: this.#pick([null, this.#words(1)]),
        slug: this.#pick([null, this.#words(2)]),
        event: this.#pick([null, 'event-1', 'event-2']),
        outcomes: this.#pick([[], outcomes]),
      }
      const saidMs = this.#pick([null, 1, 2, 3])
      metadata.markets.push({ ...this.#market(), card, said: { title: card.title, list: [] }, saidMs })
    }
    const event = this.#pick(['event-1', 'event-2', 'event-3'])
    const card = { title: this.#pick([null, this.#words(2)]), subtitle: null }
    if (this.#below(2) === 0) metadata.events.push({ venue: this.#pick(VENUES), event, card, said: {}, saidMs: null })
    const loadedMs = this.#below(1_000)
    for (const { catalogue } of this.#stores) await catalogue.putMetadata(metadata, loadedMs)
    const before = await everything(this.#stores[0]!)
    await this.#stores[0]!.catalogue.putMetadata(metadata, 5_000)
    expect(await everything(this.#stores[0]!)).toEqual(before)
  }

  async #forget(): Promise<void> {
    const { venue, market } = this.#market()
    const known = await Promise.all(this.#stores.map(({ catalogue }) => catalogue.removeMetadata(venue, market)))
    expect(new Set(known).size).toBe(1)
  }
}

async function everything({ catalogue }: Store): Promise<unknown> {
  const all: unknown[] = []
  for (const text of QUERIES) {
    for (const venue of [undefined, ...VENUES]) {
      for (const limit of [1, 3, 100]) all.push([text, venue, limit, await catalogue.search({ text, venue, limit })])
    }
  }
  for (const venue of VENUES) {
    all.push(await catalogue.calendar(venue), await catalogue.calendarEnds(venue))
    all.push(await catalogue.calendar(venue, { from: DATES[1]!, to: DATES[2]! }))
    for (const event of ['event-1', 'event-2', 'event-3']) all.push(await catalogue.event(venue, event))
    for (const market of MARKETS[venue]) {
      all.push(await catalogue.market(venue, market), await catalogue.knownMarket(venue, market))
    }
    all.push(await catalogue.foundMarkets(venue, MARKETS[venue]))
    all.push([...(await catalogue.tokens())].sort())
    for (const date of DATES) {
      for (const by of BUSY_BY) all.push(await catalogue.busiest(venue, date, by, 1 + date.length))
    }
  }
  return all
}

const damageOf = (store: TestStore): string[] => store.store.maintenance.valueDamage()

const titled = (market: string, title: string): Metadata => {
  const card = { title, subtitle: null, slug: null, event: 'EVENT', outcomes: [] }
  return { markets: [{ venue: 'kalshi', market, card, said: {}, saidMs: null }], events: [] }
}

describe('finding', () => {
  test('among more markets than a part of the index has room for', () =>
    withStore(async (store) => {
      const { catalogue } = store.store
      const name = (number: number) => `KX-${String(number).padStart(4, '0')}`
      const markets = Array.from({ length: 1_400 }, (_, number) => titled(name(number), 'Common words').markets).flat()
      await catalogue.putMetadata({ markets, events: [] }, 1)
      store.store.refresh()
      const found = async (text: string, limit = 100) =>
        (await catalogue.search({ text, venue: undefined, limit })).map(({ market }) => market)
      expect(await found('comm wor', 2)).toEqual([name(1_399), name(1_398)])
      expect(await found('common 0007')).toEqual([name(7)])
      expect((await catalogue.event('kalshi', 'EVENT'))!.markets).toHaveLength(1_400)
      // Of postings that lie in each part.
      for (const number of [3, 600, 1_200, 1_399]) {
        await catalogue.putMetadata(titled(name(number), 'Rare words'), 2)
        expect(await found(`common ${String(number).padStart(4, '0')}`)).toEqual([])
      }
      store.store.refresh()
      expect(await found('rare')).toEqual([name(1_399), name(1_200), name(600), name(3)])
      expect(damageOf(store)).toEqual([])
    }))

  test.each([1, 2, 3, 4])('agrees with a look at everything, seed %d', (seed) =>
    withStore(async (store) => {
      const memory = memoryStore()
      const deeds = new Deeds(seed, [memory, store.store])
      for (let count = 0; count < 120; count++) {
        await deeds.next()
        if (count % 10 !== 9) continue
        store.store.refresh()
        expect(await everything(store.store)).toEqual((await everything(memory)) as object)
        expect(damageOf(store)).toEqual([])
      }
    }),
  )
})
