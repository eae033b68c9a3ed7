// long: every question about many made days
// On a date that shows one source after another, each query has the answer that a slow list of the book's events
// gives, with and without rollups.

import { afterAll, describe, expect, test } from 'bun:test'
import { DAY_MS } from '../../../../storage/units.ts'
import { VENUES, type Venue } from '../../../../storage/venue.ts'
import { bookAt } from '../../../../workers/instant/book-at.ts'
import { bookChangesTask } from '../../../../workers/tasks/book-changes.ts'
import { depthTask } from '../../../../workers/tasks/depth.ts'
import { depthMapTask } from '../../../../workers/tasks/depth-map.ts'
import { summaryTask } from '../../../../workers/tasks/summary.ts'
import { tradesTask } from '../../../../workers/tasks/trades.ts'
import { partitionDamage } from '../../../../workers/verify/check-partition.ts'
import { SwitchedBook } from '../../../model/switched/switched-answers.ts'
import { seeds } from '../../../run/effort.ts'
import { TestStore } from '../../../support/store.ts'
import { DENSE, madeDay } from '../../../support/switched/made-day.ts'
import { DATE, END_MS, START_MS } from '../../../support/switched/made-source.ts'
import { keyOf, storedDay as partitionOf, storeDay, switchedDay } from '../../../support/switched/switched-day.ts'

const DAY_START_MS = Date.parse(DATE)
const NOW_MS = DAY_START_MS + 10 * DAY_MS

async function rowsOf<Row>(answer: Promise<{ chunks: Iterator<Uint8Array> }>): Promise<Row[]> {
  const { chunks } = await answer
  const parts: Uint8Array[] = []
  for (let next = chunks.next(); !next.done; next = chunks.next()) parts.push(next.value.slice())
  return JSON.parse(Buffer.concat(parts).toString()) as Row[]
}

const stores: TestStore[] = []
afterAll(async () => {
  for (const store of stores) await store.close()
})

async function storedDay(venue: Venue, seed: number, density?: typeof DENSE) {
  const day = madeDay(venue, seed, density)
  const store = new TestStore()
  stores.push(store)
  const change = switchedDay(venue, day.spans)
  await storeDay(store.store, change)
  return { ...day, store, change }
}

type Stored = Awaited<ReturnType<typeof storedDay>>

/** Returns the whole day, and windows with random bounds, some of them at switches. */
function windowsOf({ spans, random }: Stored): { fromMs: number; toMs: number }[] {
  const edges = spans.flatMap(({ fromMs }) => [fromMs - 1, fromMs, fromMs + 1])
  const instant = () => (random.chance(0.5) ? random.pick(edges) : random.between(START_MS - 2_000, END_MS + 2_000))
  const windows = Array.from({ length: 10 }, () => [instant(), instant()].sort((a, b) => a - b))
  return [
    { fromMs: DAY_START_MS, toMs: DAY_START_MS + DAY_MS - 1 },
    ...windows.map(([fromMs, toMs]) => ({ fromMs: fromMs!, toMs: toMs! })),
  ]
}

async function compareBuckets(venue: Venue, stored: Stored): Promise<void> {
  for (const book of stored.books) {
    const model = new SwitchedBook(stored.spans, book, venue === 'polymarket')
    const about = { ...keyOf(venue), book, nowMs: NOW_MS, fill: 'observed', timestampUnit: 'ms' } as const
    for (const window of windowsOf(stored)) {
      for (const resolutionSeconds of [1, 7, 60, 3_600]) {
        const request = { ...about, ...window, resolutionSeconds }
        const expected = model.summary(window, resolutionSeconds)
        expect(await rowsOf(summaryTask.answer(stored.store.store, request))).toEqual(expected)
        const observed = expected.filter(({ quote_count: count }) => count > 0)
        expect(await rowsOf(summaryTask.answer(stored.store.store, { ...request, fill: 'none' }))).toEqual(observed)
        const depth = { ...request, levels: 100, bands: [], sizes: [] }
        const rows = await rowsOf<Record<string, unknown>>(depthTask.answer(stored.store.store, depth))
        expect(rows.map(({ timestamp, trust, bids, asks }) => ({ timestamp, trust, bids, asks }))).toEqual(
          model.depth(window, resolutionSeconds),
        )
      }
    }
  }
}

describe.each(seeds(1, 6, 60))('seed %d', (seed) => {
  test.each(VENUES)('buckets of %s', async (venue) => {
    await compareBuckets(venue, await storedDay(venue, seed))
  })

  test.each(VENUES)('the book of %s at instants and records', async (venue) => {
    const stored = await storedDay(venue, seed)
    const { store, books, spans, random } = stored
    const count = spans.reduce((sum, { from, to }) => sum + to - from, 0)
    for (const book of books) {
      const model = new SwitchedBook(spans, book, venue === 'polymarket')
      const edges = spans.flatMap(({ fromMs }) => [fromMs - 1, fromMs, fromMs + 1])
      const instants = [...edges, ...Array.from({ length: 40 }, () => random.between(START_MS, END_MS + 1_000))]
      const starts = spans.map((_, i) => spans.slice(0, i).reduce((sum, { from, to }) => sum + to - from, 0))
      const places = [
        ...starts,
        ...starts.map((place) => place - 1),
        ...Array.from({ length: 20 }, () => random.below(count)),
      ]
      const asked = [
        ...instants.map((ms) => ({ at: { ms }, is: { ms } })),
        ...places.filter((record) => record >= 0).map((record) => ({ at: { date: DATE, record }, is: { record } })),
      ]
      for (const { at, is } of asked) {
        const answer = await bookAt(store.store, { ...keyOf(venue), book, at, depth: 1_000 })
        const { bids, asks, as_of, record, last_trade } = answer
        expect({ bids, asks, as_of, record, trade: last_trade?.record ?? null }).toEqual(model.bookAt(is))
        if (!('ms' in is)) continue
        // A book with trades and no levels is reported as observed.
        const trust = model.trustAt(is.ms)
        expect(answer.trust).toBe(trust === 'unknown' && as_of !== null ? 'observed' : trust)
      }
    }
  })

  test.each(VENUES)('changes of %s', async (venue) => {
    const { store, books, spans, random } = await storedDay(venue, seed)
    const count = spans.reduce((sum, { from, to }) => sum + to - from, 0)
    for (const book of books) {
      const all = new SwitchedBook(spans, book, venue === 'polymarket').changes()
      const changes = (scope: object) =>
        rowsOf(bookChangesTask.answer(store.store, { ...keyOf(venue), book, scope } as never))
      expect(await changes({ fromMs: DAY_START_MS, toMs: DAY_START_MS + DAY_MS - 1 })).toEqual(all)
      for (const cut of [...spans.flatMap(({ fromMs }) => [fromMs - 1, fromMs]), random.between(START_MS, END_MS)]) {
        const [before, after] = [
          { fromMs: DAY_START_MS, toMs: cut },
          { fromMs: cut + 1, toMs: END_MS + 10_000 },
        ]
        expect([...(await changes(before)), ...(await changes(after))]).toEqual(all)
      }
      const starts = spans.map((_, i) => spans.slice(0, i).reduce((sum, { from, to }) => sum + to - from, 0))
      for (const record of [...starts, random.below(count)]) {
        const pages = await Promise.all([
          ...(record === 0 ? [] : [changes({ date: DATE, record: 0, limit: record })]),
          changes({ date: DATE, record, limit: count }),
        ])
        expect(pages.flat()).toEqual(all)
      }
    }
  })

  test.each(VENUES)('the map, records and trades of %s', async (venue) => {
    const stored = await storedDay(venue, seed)
    const { store, books, spans } = stored
    const shown = spans.flatMap(({ source, from, to }) => source.entries.slice(from, to))
    const records = await store.records(venue, keyOf(venue).market, DATE, 50)
    expect(records.map(({ timestamp }) => timestamp)).toEqual(shown.map(({ ms }) => ms))
    const bounds = { fromMs: DAY_START_MS, toMs: DAY_START_MS + DAY_MS - 1, after: null, limit: 10_000 }
    const trades = await rowsOf<{ record: number }>(
      tradesTask.answer(store.store, { ...keyOf(venue), book: null, ...bounds }),
    )
    const expected = shown.flatMap(({ kind }, record) => (kind === 'trade' ? [record] : []))
    expect(trades.map(({ record }) => record)).toEqual(expected)
    for (const book of books) {
      const model = new SwitchedBook(spans, book, venue === 'polymarket')
      for (const window of windowsOf(stored).slice(1, 6)) {
        const about = { resolutionMs: 1_000, stepMicros: 10_000, aggregate: 'max', nowMs: NOW_MS } as const
        const answer = await depthMapTask.answer(store.store, { ...keyOf(venue), book, ...window, ...about })
        const runs = await rowsOf<{ price: number; from: number; to: number; size: number }>(Promise.resolve(answer))
        const cells = runs.flatMap(({ price, from, to, size }) =>
          Array.from({ length: (to - from) / 1_000 }, (_, i) => {
            return `${(from - window.fromMs) / 1_000 + i} ${Math.round(100 * price)} ${size}`
          }),
        )
        const { known } = answer.head
        const columns = known.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i))
        expect({ cells: cells.sort(), known: columns }).toEqual(model.map(window, 1_000))
      }
    }
  })
})

describe.each(seeds(1, 1, 6))('with rollups, seed %d', (seed) => {
  test.each(VENUES)('buckets of %s', async (venue) => {
    const stored = await storedDay(venue, seed, DENSE)
    const { head } = stored.change
    expect(head!.rollups.length).toBeGreaterThan(1)
    expect(partitionDamage(keyOf(venue), partitionOf(stored.change), null)).toEqual([])
    const replayed = new TestStore()
    stores.push(replayed)
    await storeDay(replayed.store, { ...stored.change, head: { ...head!, rollups: [] } })
    const about = { ...keyOf(venue), nowMs: NOW_MS, fill: 'observed', timestampUnit: 'ms' } as const
    for (const book of stored.books) {
      const model = new SwitchedBook(stored.spans, book, venue === 'polymarket')
      for (const window of windowsOf(stored)) {
        for (const resolutionSeconds of [1, 7, 60, 3_600]) {
          const request = { ...about, ...window, book, resolutionSeconds }
          const rows = await rowsOf(summaryTask.answer(stored.store.store, request))
          expect(rows).toEqual(await rowsOf(summaryTask.answer(replayed.store, request)))
          if (resolutionSeconds === 60) expect(rows).toEqual(model.summary(window, resolutionSeconds))
        }
      }
    }
  })
})
