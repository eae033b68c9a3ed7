// Makes the same random changes in several stores, and reads the answers of all queries that find markets in a store.

import { expect } from 'bun:test'
import type { SlugAnswer } from '../../../storage/catalogue.ts'
import { AUDIT_RESULTS, type MarketAudits } from '../../../storage/finding/audits.ts'
import { BUSY_BY } from '../../../storage/finding/finding.ts'
import type { MarketCard, Metadata } from '../../../storage/finding/metadata.ts'
import type { ArchiveLoad } from '../../../storage/finding/provenance.ts'
import type { BookEntry, PartitionHead } from '../../../storage/format/partition-head.ts'
import type { Store } from '../../../storage/open-store.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { LOAD } from '../import/made-loads.ts'
import { HEAD } from '../made-markets.ts'

const DATES = ['2026-07-19', '2026-07-20', '2026-07-21', '2026-08-02']
const WORDS = ['Bitcoin', 'Up', 'or', 'Down', 'Zürich', 'FÉD', 'decision', '15', '2026', 'Bitcoins', 'b', 'downtown']
const ODD = [
  "O'Neil",
  'back\\slash',
  "it's:*",
  'ΟΔΟΣ',
  'οδός',
  '東京都',
  'ﬁnal',
  '😀',
  '"quoted"',
  'nul\u0000nul',
  '{a,½}',
]
const X = 'x'.repeat(1_024)
const CJK = '東'.repeat(341)
const LONG = [
  ...['pneumonoultramicroscopic', 'pneumonoultramicroscopically'],
  ...[X, `${X}y`, 'x'.repeat(3_000), CJK, '東'.repeat(700), `a${CJK}京`],
]
const MARKETS: Record<Venue, string[]> = {
  kalshi: ['KXBTC-26AUG10', 'KXBTC-26AUG11', 'KXBTCD-26AUG10', 'KXFED-26', 'KX', 'KXBTC-26AUG10-15'],
  polymarket: ['0', '1', '2', 'a', 'b'].map((digit) => `0x${digit.repeat(64)}`),
}
const QUERIES = [
  ...['b', 'bit', 'BITCOIN', 'bitcoins', 'fed', 'zur', 'up down', 'down up bitcoin', 'bitcoin bitcoin', 'xyz', '15'],
  ...['KXBTC-26AUG10', 'kxbtc', 'KXBTC-26AUG1', 'kxbtc 26aug11', 'kx', '0x', '0x1111', `0x${'a'.repeat(64)}`, '26'],
  ...['pneumonoultramicroscopic', 'pneumonoultramicroscopical', 'pneumo', 'event-1', 'e', 'yes', '20', '2026 d', 'ß'],
]
const ODD_QUERIES = [
  ...[
    "o'n",
    'neil o',
    'slash',
    'it s',
    ':*',
    'οδος',
    'ΟΔ',
    '東',
    '東京',
    'fin',
    '😀',
    'nul nul',
    '1',
    'b a',
    "'",
    '\\',
  ],
  ...[341, 342, 700, 701].map((count) => '東'.repeat(count)),
  ...[1_023, 1_024, 1_025, 3_000, 3_001].map((count) => 'x'.repeat(count)),
  ...[`a${CJK}`, `a${CJK}京`, `${X}y up`],
]
const SOURCES = ['pmxt-v2', 'ag6']
const SLUGS = ['slug-1', 'slug-2', 'slug-ü']

const book = (id: string, trades: number, volume: bigint): BookEntry => ({
  ...{ id, recordCount: 1, tradeCount: trades, tradeVolume: String(volume), quoteCount: 0, snapshotCount: 0 },
  ...{ firstQuoteMs: null, lastQuoteMs: null, startsFrom: 'neither', opening: null, last: null },
  quality: {
    ...{ snapshotsConfirmed: 1, snapshotsContradicted: 2, longestSilenceMs: 3 },
    ...{ bestPricesAgreed: 4, bestPricesChecked: 5, hashesAgreed: 6, hashesChecked: 7 },
  },
})

/** Makes the same random changes in several stores. */
export class RandomChanges {
  readonly #random: Random
  readonly #stores: Store[]
  #revision = 1

  constructor(seed: number, stores: Store[]) {
    this.#random = new Random(seed, 'finding')
    this.#stores = stores
  }

  async next(): Promise<void> {
    const kind = this.#below(16)
    if (kind < 4) await this.#commit()
    else if (kind < 7) await this.#addMetadata()
    else if (kind < 9) await this.#remove()
    else if (kind < 10) await this.#forget()
    else if (kind < 12) await this.#audit()
    else if (kind < 14) await this.#import()
    else if (kind < 15) await this.#forgetSource()
    else await this.#addSlugs()
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
    return Array.from({ length: count }, () => this.#pick(this.#below(4) === 0 ? [...ODD, ...LONG] : WORDS)).join(
      this.#pick([' ', '-', ', ']),
    )
  }

  #head(): PartitionHead {
    const toMs = this.#pick([null, 90, 120, 2_000])
    const gaps = Array.from({ length: this.#below(3) }, () => ({ book: null, reason: 'r', fromMs: 100, toMs, atMs: 1 }))
    const inferredGaps = gaps.slice(1).map(() => {
      return { book: 1, reason: 'sequence_restart' as const, fromMs: 5, toMs, levelsDiffering: 2 }
    })
    const books = [book('1', this.#below(5), BigInt(this.#below(9)) * 10n ** 18n), book('2', 1, 7n)]
    const lastMs = this.#below(1_000)
    return { ...HEAD, revision: ++this.#revision, recordCount: 1 + this.#below(9), lastMs, gaps, inferredGaps, books }
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
      // The store refuses the same change now, because its revision is out of date.
      expect(await catalogue.commit([change])).toEqual([change])
    }
  }

  async #addMetadata(): Promise<void> {
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
    const group = { category: this.#pick([null, 'Sports']), series: this.#pick([null, 'series-1']) }
    const card = { title: this.#pick([null, this.#words(2)]), subtitle: null, ...group }
    if (this.#below(2) === 0) metadata.events.push({ venue: this.#pick(VENUES), event, card, said: {}, saidMs: null })
    const loadedMs = this.#below(1_000)
    for (const { catalogue } of this.#stores) await catalogue.putMetadata(metadata, loadedMs)
    const before = await everything(this.#stores[0]!)
    await this.#stores[0]!.catalogue.putMetadata(metadata, 5_000)
    expect(await everything(this.#stores[0]!)).toEqual(before)
  }

  async #audit(): Promise<void> {
    const all = Array.from({ length: 1 + this.#below(3) }, (): MarketAudits => {
      const audits = Array.from({ length: 1 + this.#below(3) }, () => {
        const [atUs, book] = [this.#below(4), this.#pick([null, '1', '2'])]
        return { atUs, book, result: this.#pick(AUDIT_RESULTS) }
      })
      return { ...this.#market(), date: this.#pick(DATES), audits }
    })
    for (const { catalogue } of this.#stores) await catalogue.putAudits(all)
  }

  async #import(): Promise<void> {
    const loads = Array.from({ length: this.#below(3) }, (): ArchiveLoad => {
      const source = this.#pick(SOURCES)
      const file = `${source} ${this.#pick(['a', 'b', 'ü'])}`
      return { ...LOAD, source, file, url: null, sha256: null, rows: this.#below(9), startedAt: this.#below(3) }
    })
    for (const { catalogue } of this.#stores) {
      const before = await catalogue.provenanceStamp()
      await catalogue.putLoads(loads)
      const isSame = (await catalogue.provenanceStamp()) === before
      expect(isSame).toBe(loads.length === 0)
    }
  }

  async #forgetSource(): Promise<void> {
    const source = this.#pick(SOURCES)
    const counts = this.#stores.map(({ catalogue }) => catalogue.removeLoads(source))
    expect(new Set(await Promise.all(counts)).size).toBe(1)
  }

  async #addSlugs(): Promise<void> {
    const answer = (): SlugAnswer => {
      const [slug, question] = [this.#pick(SLUGS), this.#pick(['', this.#words(1)])]
      const market = { question, conditionId: `0x${this.#below(3)}`, slug, asset_ids: [], outcomes: ['Yes'] }
      return { event: { slug: this.#pick(SLUGS), title: this.#pick(['', 'Title']) }, markets: [market] }
    }
    const many = () => Array.from({ length: this.#below(4) }, answer)
    const slugs = { events: many(), markets: many() }
    for (const { catalogue } of this.#stores) await catalogue.putSlugs(slugs)
  }

  async #forget(): Promise<void> {
    const { venue, market } = this.#market()
    const known = await Promise.all(this.#stores.map(({ catalogue }) => catalogue.removeMetadata(venue, market)))
    expect(new Set(known).size).toBe(1)
  }
}

export async function everything({ catalogue }: Store): Promise<unknown> {
  const all: unknown[] = []
  for (const text of QUERIES) {
    for (const venue of [undefined, ...VENUES]) {
      for (const limit of [1, 3, 100]) all.push([text, venue, limit, await catalogue.search({ text, venue, limit })])
    }
  }
  for (const text of ODD_QUERIES) all.push([text, await catalogue.search({ text, venue: undefined, limit: 100 })])
  for (const venue of VENUES) {
    all.push(await catalogue.calendar(venue), await catalogue.calendarEnds(venue))
    all.push(await catalogue.calendar(venue, { from: DATES[1]!, to: DATES[2]! }))
    for (const event of ['event-1', 'event-2', 'event-3']) all.push(await catalogue.event(venue, event))
    all.push(await catalogue.events(venue))
    all.push(await catalogue.lastRecordMs(venue))
    for (const market of MARKETS[venue]) {
      all.push(await catalogue.market(venue, market), await catalogue.knownMarket(venue, market))
      all.push(await catalogue.audits(venue, market))
    }
    all.push(await catalogue.foundMarkets(venue, MARKETS[venue]))
    all.push([...(await catalogue.tokens())].sort())
    for (const date of DATES) {
      for (const by of BUSY_BY) all.push(await catalogue.busiest(venue, date, { by, limit: 1 + date.length }))
      for (const offset of [1, 100]) {
        all.push([date, offset, await catalogue.busiest(venue, date, { by: 'market', offset, limit: 1 })])
      }
      for (const text of [...QUERIES, ...ODD_QUERIES]) {
        all.push([date, text, await catalogue.busiest(venue, date, { by: 'records', text, offset: 1, limit: 2 })])
      }
    }
  }
  for (const slug of [...SLUGS, 'slug-\u0000']) all.push(await catalogue.slug(slug))
  all.push(await catalogue.loads())
  return all
}
