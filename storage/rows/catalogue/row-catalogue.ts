// The catalogue over rows, the same on every engine.

import {
  type Catalogue,
  type DateRange,
  isSlugTooLong,
  type MarketChange,
  type MarketEntry,
  type MarketPage,
  type MarketRevision,
  type SlugAnswer,
  type SlugAnswers,
  type StoredDay,
} from '../../catalogue.ts'
import { damageOf } from '../../damage.ts'
import { checksumOf } from '../../format/block.ts'
import type { PartitionHead } from '../../format/partition-head.ts'
import type { PartitionKey } from '../../partition-key.ts'
import { mergedAnswer } from '../../slug-answers.ts'
import type { Venue } from '../../venue.ts'
import { entryIn, RowFinding } from '../finding/row-finding.ts'
import { after, beginningWith, below, datesIn, dayKey, entryKey, keyOf, namesOf, removedKey } from '../keys.ts'
import { headIn, NO_MARKET, openMarket, unpackDay } from '../market-rows.ts'
import { ALL_ROWS, commitPlanned, type KeyRange, type Row, type RowKey, type Rows, revisionOf } from '../rows.ts'
import { openPacked, sealPacked } from '../sealed-rows.ts'
import { readCounters, type Write } from '../shared-rows.ts'
import type { Placing } from './placing.ts'
import { CommitPlan } from './plan-commit.ts'

const KEYS_A_PAGE = 10_000
const COUNTS_MAX = 1_000
const SLUG_KINDS = ['event', 'market'] as const

export class RowCatalogue extends RowFinding implements Catalogue {
  readonly #placing: Placing
  #counts = new Map<RowKey, number>()
  #countsStamp = ''

  constructor(rows: Rows, placing: Placing, shard: string) {
    super(rows, shard)
    this.#placing = placing
  }

  async market(venue: Venue, market: string): Promise<MarketEntry | undefined> {
    const key = entryKey(venue, market)
    const [bytes] = await this.rows.get([key])
    return entryIn(key, bytes)
  }

  async revision(venue: Venue, market: string): Promise<MarketRevision> {
    const keys = [entryKey(venue, market), removedKey(venue, market)]
    const stored = await this.rows.get(keys)
    const index = stored.findIndex((bytes) => bytes !== undefined)
    const { revision, base } = index === -1 ? NO_MARKET : openMarket(keys[index]!, stored[index])
    return { revision, base }
  }

  async markets(
    venue: Venue,
    { prefix, offset, limit }: { prefix: string; offset: number; limit: number },
  ): Promise<MarketPage> {
    const range = beginningWith('m', [venue], prefix)
    const keys = await this.rows.keys({ ...range, offset, limit })
    // A damaged key may give a wrong name. Opening the value with this key then throws.
    for (const [index, bytes] of (await this.rows.get(keys)).entries()) openMarket(keys[index]!, bytes)
    return { markets: keys.map((key) => namesOf(key)[1]!), totalCount: await this.#count(range) }
  }

  async head(key: PartitionKey): Promise<PartitionHead | undefined> {
    const [bytes] = await this.rows.get([dayKey(key)])
    return bytes === undefined ? undefined : headIn(key, bytes)
  }

  async heads(venue: Venue, market: string, range?: DateRange): Promise<StoredDay[]> {
    const rows = await this.rows.range({ ...datesIn('d', [venue, market], range), limit: ALL_ROWS })
    return rows.map((row) => storedDay(venue, market, row))
  }

  async neighbour(key: PartitionKey, direction: 'before' | 'after'): Promise<StoredDay | undefined> {
    const { venue, market } = key
    const all = below(keyOf('d', venue, market))
    const isReversed = direction === 'before'
    const range = isReversed ? { from: all.from, to: dayKey(key) } : { from: after(dayKey(key)), to: all.to }
    const [row] = await this.rows.range({ ...range, limit: 1, isReversed })
    return row && storedDay(venue, market, row)
  }

  async stamp(venue: Venue, market: string, { from, to }: DateRange): Promise<string> {
    const next = after(dayKey({ venue, market, date: to }))
    const { to: end } = below(keyOf('d', venue, market))
    const [days, following] = await Promise.all([
      this.rows.range({ from: dayKey({ venue, market, date: from }), to: next, limit: ALL_ROWS }),
      this.rows.range({ from: next, to: end, limit: 1 }),
    ])
    let stamp = ''
    for (const { key, value } of [...days, ...following]) {
      const date = namesOf(key)[2]!
      stamp += `${date}:${checksumOf(unpackDay({ venue, market, date }, value).head)} `
    }
    return stamp
  }

  async marketsStamp(): Promise<string> {
    const counters = await readCounters(this.rows)
    return String(counters.reduce((sum, { changes }) => sum + changes, 0))
  }

  async slug(slug: string): Promise<SlugAnswer | undefined> {
    if (isSlugTooLong(slug)) return undefined
    const keys = SLUG_KINDS.map((kind) => keyOf('g', kind, slug))
    const stored = await this.rows.get(keys)
    const index = stored.findIndex((bytes) => bytes !== undefined)
    return index === -1 ? undefined : openSlug(keys[index]!, stored[index]!)
  }

  async cursorSecret(): Promise<Uint8Array> {
    const secret = await this.storedSecret()
    if (secret === undefined) throw damageOf('secret of cursors', 'it is missing')
    return secret
  }

  async lastRecordMs(venue: Venue): Promise<number | null> {
    const times = (await readCounters(this.rows, venue)).flatMap(({ lastRecordMs }) => lastRecordMs ?? [])
    return times.length === 0 ? null : Math.max(...times)
  }

  async *partitions(venue: Venue): AsyncGenerator<PartitionKey> {
    for (let { from, to } = below(keyOf('d', venue)); ; ) {
      const keys = await this.rows.keys({ from, to, limit: KEYS_A_PAGE })
      for (const key of keys) {
        const [, market, date] = namesOf(key)
        yield { venue, market: market!, date: date! }
      }
      if (keys.length < KEYS_A_PAGE) return
      from = after(keys.at(-1)!)
    }
  }

  async putSlugs({ events, markets }: SlugAnswers): Promise<void> {
    const answers = Map.groupBy(
      [
        ...events.map((answer) => ({ key: keyOf('g', 'event', answer.event!.slug), answer })),
        ...markets.map((answer) => ({ key: keyOf('g', 'market', answer.markets[0]!.slug), answer })),
      ],
      ({ key }) => key,
    )
    const keys = [...answers.keys()]
    await commitPlanned(this.rows, async (isFresh) => {
      const write: Write = { expect: [], put: [], remove: [] }
      for (const [index, bytes] of (await this.rows.get(keys, isFresh)).entries()) {
        const key = keys[index]!
        let merged = bytes && openSlug(key, bytes)
        for (const { answer } of answers.get(key)!) merged = mergedAnswer(merged, answer)
        write.expect.push({ key, revision: revisionOf(bytes) })
        write.put.push({ key, value: sealPacked(key, merged) })
      }
      return write
    })
  }

  async commit(changes: MarketChange[]): Promise<MarketChange[]> {
    const placed = this.#placing.place(changes)
    const plan = new CommitPlan(this.rows, placed, this.shard)
    let refused: MarketChange[] = []
    await commitPlanned(this.rows, async (isFresh) => {
      let planned = await plan.plan(changes, isFresh)
      // Perhaps a change was refused because the cached rows were outdated. So plans it again with fresh rows.
      if (planned.refused.length > 0 && !isFresh) planned = await plan.plan(changes, true)
      refused = planned.refused
      if (planned.commit !== null) await placed.stored()
      return planned.commit
    })
    placed.committed()
    return refused
  }

  // Counting walks the keys, so a count is cached until a market is added or removed.
  async #count(range: KeyRange): Promise<number> {
    const stamp = await this.marketsStamp()
    if (stamp !== this.#countsStamp || this.#counts.size > COUNTS_MAX) {
      this.#counts = new Map()
      this.#countsStamp = stamp
    }
    const counts = this.#counts
    const count = counts.get(range.from) ?? (await this.rows.count(range))
    counts.set(range.from, count)
    return count
  }
}

/** Throws DataError('block_corrupt'). */
export const openSlug = (key: RowKey, bytes: Uint8Array): SlugAnswer =>
  openPacked(key, bytes, ([kind, slug]) => `answer about the ${kind} slug ${slug}`)

const storedDay = (venue: Venue, market: string, { key, value }: Row): StoredDay => {
  const date = namesOf(key)[2]!
  return { date, head: headIn({ venue, market, date }, value) }
}
