// Goal: the index in PostgreSQL finds the same as a scan of a store in memory, whatever is stored and removed. Nodes
// that write at the same time do not block one another for ever, and lose no write.

import { describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import type { MarketChange } from '../../../storage/catalogue.ts'
import { clusterStore } from '../../../storage/cluster/cluster-store.ts'
import { openPostgresRows } from '../../../storage/cluster/postgres/postgres-rows.ts'
import { NO_SUMS, totalsOf } from '../../../storage/finding/day-totals.ts'
import { marketWords } from '../../../storage/finding/search-words.ts'
import type { Store } from '../../../storage/open-store.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { seeds } from '../../run/effort.ts'
import { MemoryObjects } from '../../support/cluster/memory-objects.ts'
import { changedSums } from '../../support/finding/changed-sums.ts'
import { everything, RandomChanges } from '../../support/finding/random-changes.ts'
import { LOAD } from '../../support/import/made-loads.ts'
import { HEAD } from '../../support/made-markets.ts'
import { memoryStore } from '../../support/memory-store/memory-store.ts'

const POSTGRES = process.env['POSTGRES_TEST_URL']

/** Runs several nodes on one catalogue in its own schema, and removes the schema afterwards. */
async function withNodes(count: number, run: (nodes: Store[]) => Promise<void>): Promise<void> {
  const schema = `finding_${crypto.randomUUID().replaceAll('-', '')}`
  const nodes: Store[] = []
  const objects = new MemoryObjects()
  const settings = { url: POSTGRES!, schema, timeoutMs: 60_000 }
  try {
    while (nodes.length < count) {
      const rows = await openPostgresRows(settings, { mayWrite: true })
      nodes.push(clusterStore({ objects, rows, isEachCallChecked: true }))
    }
    await run(nodes)
  } finally {
    await Promise.all(nodes.map((node) => node.close()))
    const sql = new SQL(POSTGRES!, { max: 1 })
    await sql`DROP SCHEMA IF EXISTS ${sql(schema)} CASCADE`
    await sql.close()
  }
}

const suite = () => {
  test.each(seeds(1, 1, 8))('finds the same as a scan of everything, seed %d', (seed) =>
    withNodes(1, async ([node]) => {
      const memory = memoryStore()
      const randomChanges = new RandomChanges(seed, [memory, node!])
      for (let count = 0; count < 100; count++) {
        await randomChanges.next()
        if (count % 20 === 19) expect(await everything(node!)).toEqual((await everything(memory)) as object)
      }
    }),
  )

  test('nothing is lost or counted twice if four nodes write at once', () =>
    withNodes(4, async (nodes) => {
      const expected = await Promise.all(nodes.map((node, number) => changeAtRandom(node, number)))
      const [node] = nodes
      const { catalogue } = node!
      for (const venue of VENUES) {
        const heads = await headsOf(node!, venue)
        const dates = Map.groupBy(heads, ({ date }) => date)
        const sums = [...dates].map(([date, same]) => {
          return { date, ...same.reduce((sum, { head }) => changedSums(sum, null, totalsOf(head)), NO_SUMS) }
        })
        expect(await catalogue.calendar(venue)).toEqual(sums.sort((a, b) => (a.date < b.date ? -1 : 1)))
        expect(await catalogue.lastRecordMs(venue)).toBe(Math.max(...expected.map(({ lastMs }) => lastMs[venue])))
        const stored = new Set(heads.map(({ market }) => market))
        for (const market of MARKETS.slice(0, DESCRIBED_MARKETS)) {
          const start = `${venue} ${market} `
          const keys = expected.flatMap((each) => each.keys).filter((key) => key.startsWith(start))
          const known = Object.keys((await catalogue.knownMarket(venue, market))!.said)
          expect(known.sort()).toEqual(keys.map((key) => key.slice(start.length)).sort())
        }
        for (const market of MARKETS) await expectFound(node!, venue, market, stored.has(market))
      }
      const storedAudits = (await Promise.all(MARKETS.map((market) => catalogue.audits('kalshi', market)))).flat()
      const times = storedAudits.flatMap(({ audits }) => audits.map(({ atUs }) => atUs))
      expect(times.sort((a, b) => a - b)).toEqual(expected.flatMap(({ auditUs }) => auditUs).sort((a, b) => a - b))
      expect(await catalogue.provenanceStamp()).toBe(expected.reduce((sum, each) => sum + each.imports, 0))
    }))
}

const DATES = ['2026-08-10', '2026-08-11', '2026-08-12']
/** Records of this date are never removed. */
const KEPT_DATE = '2026-08-09'
const MARKETS = Array.from({ length: 12 }, (_, number) => `KX-${number}`)
/** Number of markets, from the first on, whose metadata is never removed. */
const DESCRIBED_MARKETS = 6
const EVENTS = ['EVENT-A', 'EVENT-B']
const WORDS = ['bitcoin', 'up', 'down', 'london', 'rain']

/** The expected content. `keys` are `venue market key` of each stored metadata field. */
type Description = { keys: string[]; auditUs: number[]; imports: number; lastMs: Record<Venue, number> }

/** Makes random changes through one node. Resolves to what must be stored afterwards. */
async function changeAtRandom(node: Store, number: number): Promise<Description> {
  const random = new Random(number, 'nodes')
  const pick = <T>(all: readonly T[]): T => all[random.below(all.length)]!
  const some = () => MARKETS.filter(() => random.below(3) === 0)
  const expected: Description = { keys: [], auditUs: [], imports: 0, lastMs: { kalshi: 0, polymarket: 0 } }
  const { catalogue } = node
  const title = () => `${pick(WORDS)} ${pick(WORDS)}`
  for (let count = 0; count < 60; count++) {
    const venue = pick(VENUES)
    // Each change has the markets in its own order.
    const markets = random.below(2) === 0 ? some() : some().reverse()
    const kind = random.below(8)
    if (kind < 2) {
      const lastMs = random.below(100_000)
      const isStored = await change(node, venue, markets, pick(DATES), kind === 1 && count % 2 === 0 ? null : lastMs)
      if (isStored) expected.lastMs[venue] = Math.max(expected.lastMs[venue], lastMs)
    } else if (kind < 5) {
      const cards = markets.map((market) => {
        const card = { title: title(), subtitle: null, slug: null, event: pick([null, ...EVENTS]), outcomes: [] }
        expected.keys.push(`${venue} ${market} ${number}-${count}`)
        return { venue, market, card, said: { [`${number}-${count}`]: 1 }, saidMs: null }
      })
      const events = EVENTS.map((event) => {
        return {
          venue,
          event,
          card: { title: title(), subtitle: null, category: null, series: null },
          said: {},
          saidMs: null,
        }
      })
      await catalogue.putMetadata({ markets: cards, events: events.slice(random.below(3)) }, count)
    } else if (kind === 5) {
      await catalogue.removeMetadata(venue, pick(MARKETS.slice(DESCRIBED_MARKETS)))
    } else if (kind === 6) {
      const atUs = number * 1_000 + count
      const audits = markets.map((market, index) => {
        expected.auditUs.push(atUs * 100 + index)
        const audit = { atUs: atUs * 100 + index, book: null, result: 'exact' as const }
        return { venue: 'kalshi' as const, market, date: KEPT_DATE, audits: [audit] }
      })
      await catalogue.putAudits(audits)
    } else {
      await catalogue.putLoads([LOAD])
      expected.imports++
    }
  }
  return expected
}

/** Stores a date of each market; removes it if `lastMs` is null. Resolves to whether a date was stored. Repeats
 *  changes that fail because another node has changed the market. */
async function change({ catalogue }: Store, venue: Venue, markets: string[], date: string, lastMs: number | null) {
  for (let left = markets; left.length > 0; ) {
    const changes = await Promise.all(
      left.map(async (market): Promise<MarketChange> => {
        const key = { venue, market, date }
        const [{ revision }, before = null] = [await catalogue.revision(venue, market), await catalogue.head(key)]
        const head = lastMs === null ? null : { ...HEAD, recordCount: 1 + (lastMs % 7), lastMs }
        const same = { books: null, put: [], removed: [] }
        return {
          venue,
          market,
          revision,
          partitions: before === null && head === null ? [] : [{ key, before, head, ...same }],
        }
      }),
    )
    const refused = await catalogue.commit(changes.filter(({ partitions }) => partitions.length > 0))
    left = refused.map(({ market }) => market)
  }
  return lastMs !== null && markets.length > 0
}

async function headsOf({ catalogue }: Store, venue: Venue) {
  const heads = MARKETS.map(async (market) => (await catalogue.heads(venue, market)).map((day) => ({ market, ...day })))
  return (await Promise.all(heads)).flat()
}

/** Expects that a search for each of a market's words finds it, with its card and its newest date. No search may find
 *  an unknown market. */
async function expectFound({ catalogue }: Store, venue: Venue, market: string, isStored: boolean): Promise<void> {
  const known = await catalogue.knownMarket(venue, market)
  const [found] = await catalogue.foundMarkets(venue, [market])
  const words = marketWords(market, known?.card, known?.event?.said?.card)
  const titles = [...new Set([...words, ...WORDS])]
  for (const text of titles) {
    const hits = await catalogue.search({ text, venue, limit: 100 })
    const isFound = (isStored || known !== undefined) && words.some((word) => word.startsWith(text))
    expect(hits.filter((hit) => hit.market === market)).toEqual(isFound ? [found!] : [])
  }
}

if (POSTGRES === undefined) test.skip('finding in PostgreSQL: POSTGRES_TEST_URL is not set', () => undefined)
else describe('finding in PostgreSQL', suite)
