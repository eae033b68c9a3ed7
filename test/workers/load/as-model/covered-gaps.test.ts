// Where one recorder was away and another was not, the book is known, in whichever order their captures are loaded. An
// established book is the book that the venue had.

import { describe, expect, test } from 'bun:test'
import { closeSync } from 'node:fs'
import { VENUES } from '../../../../storage/venue.ts'
import { commitPartitions } from '../../../../workers/dates/commit-partitions.ts'
import { LiveSegment } from '../../../../workers/live-load/live-segment.ts'
import { deleteSource } from '../../../../workers/remove/delete-source.ts'
import { Random } from '../../../../workers/synthetic/random.ts'
import { printBookTimes } from '../../../../workers/venues/printed/printed-book-times.ts'
import { verifyStore } from '../../../../workers/verify/verify-store.ts'
import { kalshiDelta, kalshiSnapshot, NOON, received, TICKER } from '../../../model/lines.ts'
import { loadTexts } from '../../../model/model.ts'
import { seeds } from '../../../run/effort.ts'
import { dateRequest, type TestStore, withStore } from '../../../support/store.ts'
import { expectSameRecords, expectSameSummary } from '../model-comparison.ts'
import { RecordedFeed } from '../recorded-feed.ts'

const NOW = Date.parse('2026-11-01')

/** Returns the days of a store's markets, without record numbers and without the division of records into blocks. */
async function contentOf(store: Parameters<typeof expectSameRecords>[0]): Promise<unknown[]> {
  const days: unknown[] = []
  for (const venue of VENUES) {
    const { markets } = await store.store.catalogue.markets(venue, { prefix: '', offset: 0, limit: 10 })
    for (const market of markets) {
      for (const { date, head } of await store.store.catalogue.heads(venue, market)) {
        // Loading decides the order of records of one ms, and the records decide the order of the books.
        const inferred = head.inferredGaps.map((gap) => ({ ...gap, book: head.books[gap.book - 1]!.id }))
        const lists = [head.books, head.gaps, inferred].map((list) => list.map((each) => JSON.stringify(each)).sort())
        days.push({ market, date, lists, heard: head.heard, recordCount: head.recordCount })
      }
    }
  }
  return days
}

describe.each(VENUES)('two or three recorders of %s', (venue) => {
  test.each(seeds(1, 12, 120))('in any order, seed %d', async (seed) => {
    const random = new Random(seed, venue)
    const feed = new RecordedFeed(random, venue)
    const captures = feed.captures()
    const texts = captures.map((lines) => lines.join('\n'))
    const orders = [texts, shuffled(random, [...texts, random.pick(texts)])]
    const contents: unknown[] = []
    for (const order of orders) {
      await withStore(async (store) => {
        for (const [i, text] of order.entries()) {
          expect(await store.loadLines(`capture-${i}`, text.split('\n'))).toMatchObject({ rejected: 0, error: null })
        }
        const model = loadTexts(order, NOW)
        const books = await expectSameRecords(store, model)
        for (let i = 0; i < 6; i++) await expectSameSummary(store, model, books, random)
        await feed.expectTrue(store)
        expect(await verifyStore(store.store)).toMatchObject({ damage: [], storeDamage: [] })
        contents.push(await contentOf(store))
      })
    }
    expect(contents[1]).toEqual(contents[0])
  })

  test.each(seeds(1, 6, 60))('while they record, seed %d', async (seed) => {
    const random = new Random(seed, `${venue} live`)
    const feed = new RecordedFeed(random, venue)
    const captures = feed.captures(1)
    const contents: unknown[] = []
    for (const load of [loadLive, loadWhole]) {
      await withStore(async (store) => {
        await load(store, captures, random)
        await feed.expectTrue(store)
        expect(await verifyStore(store.store)).toMatchObject({ damage: [], storeDamage: [] })
        contents.push(await contentOf(store))
      })
    }
    expect(contents[1]).toEqual(contents[0])
  })
})

async function loadWhole(store: TestStore, captures: string[][]): Promise<void> {
  for (const [i, lines] of captures.entries()) await store.loadLines(`capture-${i}`, lines)
}

/** Loads the captures in small pieces, each of a random capture, with a commit after each piece. */
async function loadLive(store: TestStore, captures: string[][], random: Random): Promise<void> {
  const open = captures.map((lines, i) => ({ left: [...lines], segment: new LiveSegment(store.folder, `live-${i}`) }))
  while (open.length > 0) {
    const capture = random.pick(open)
    const lines = capture.left.splice(0, random.between(1, 40))
    capture.segment.feed(new TextEncoder().encode(`${lines.join('\n')}\n`), NOW)
    const isOver = capture.left.length === 0
    const { partitions, file } = capture.segment.collect(NOW, isOver ? 'none' : 'unknown')
    store.store.refresh()
    await commitPartitions(store.store, partitions)
    for (const partition of partitions) capture.segment.continueFrom(partition)
    if (file !== undefined) closeSync(file)
    if (isOver) capture.segment.close()
    if (isOver) open.splice(open.indexOf(capture), 1)
  }
  store.store.refresh()
}

describe('of two recorders, one away from second 5 to second 20', () => {
  const header = (recorder: string) => JSON.stringify({ backbook: 'segment', recorder })
  const line = (second: number, event: Parameters<typeof received>[1]) =>
    JSON.stringify(received(1_000 * second, event))
  const snapshot = (second: number, size: string) => line(second, kalshiSnapshot([['0.40', size]]))
  const change = (second: number) => line(second, kalshiDelta(1_000 * second - 5, '0.40', '1'))
  const changes = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => change(from + i))
  const gap = JSON.stringify({
    ...{ type: 'gap', venue: 'kalshi', market: TICKER },
    msg: { reason: 'disconnect', from: NOON + 5_001, to: NOON + 20_000 },
  })
  const away = [header('one'), snapshot(0, '10'), ...changes(1, 5), gap, snapshot(20, '30'), ...changes(21, 30)]
  const there = (lastSecond: number) => [header('two'), snapshot(0.5, '10'), ...changes(1, lastSecond)]
  const nameless = (lastSecond: number) => there(lastSecond).slice(1)

  /** Returns runs of seconds with equal trust, and whether the head marks each gap as covered. */
  async function shown(captures: string[][]) {
    const runs: [trust: string, seconds: number][] = []
    let isCovered: boolean[] = []
    await withStore(async (store) => {
      for (const [i, lines] of captures.entries()) await store.loadLines(`capture-${i}`, lines)
      for (const { trust } of (await store.summary(dateRequest('kalshi', TICKER, TICKER, '2026-08-10', 1))) as Row[]) {
        if (runs.at(-1)?.[0] === trust) runs.at(-1)![1]++
        else runs.push([trust, 1])
      }
      const { head } = (await store.store.catalogue.heads('kalshi', TICKER))[0]!
      isCovered = head.gaps.map((each) => each.isCovered === true)
    })
    return { runs, isCovered }
  }

  type Shown = Awaited<ReturnType<typeof shown>>
  const KNOWN: Shown = { runs: [['established', 30]], isCovered: [true] }
  const LOST: Shown = {
    runs: [
      ['established', 5],
      ['lost', 15],
      ['established', 10],
    ],
    isCovered: [false],
  }

  test.each([
    ['the other received everything', there(30), KNOWN],
    ['the other received messages until the gap ended', there(20), LOST],
    ['and a little longer', there(21), KNOWN],
    ['the other was away before it ended', there(12), LOST],
    ['the other is no segment', nameless(30), KNOWN],
    ['the other is no segment, and ends early', nameless(12), LOST],
    ['the other has snapshots alone', [header('two'), snapshot(0.5, '10'), snapshot(25, '35')], LOST],
    ['it says so itself', [header('one'), ...nameless(30)], LOST],
  ])('%s', async (_, other, expected) => {
    expect(await shown([away, other])).toEqual(expected)
    expect(await shown([other, away])).toEqual(expected)
  })

  test('no recorder covers its own gap that ends before it begins', async () => {
    const backwards = gap.replace(`"to":${NOON + 20_000}`, `"to":${NOON + 4_000}`)
    const { runs, isCovered } = await shown([away.map((each) => (each === gap ? backwards : each))])
    expect(isCovered).toEqual([false])
    expect(runs).toEqual(LOST.runs)
  })

  test('a gap of more than an hour is covered neither by its recorder nor by one that was away longer', async () => {
    const hours = (recorder: string, from: number, to: number) => {
      const gapMessage = { reason: 'disconnect', from: NOON + 1_000 * from, to: NOON + 1_000 * to - 3 }
      const event = { type: 'gap', venue: 'kalshi', market: TICKER, msg: gapMessage }
      return [header(recorder), snapshot(0, '10'), change(1), line(to, event), snapshot(to, '30'), change(to + 9)]
    }
    const [one, other] = [hours('one', 5, 7_200), hours('two', 4, 7_205)]
    expect((await shown([one, one])).isCovered).toEqual([false])
    expect((await shown([one, other])).isCovered).toEqual([false, false])
    expect((await shown([other, one, other])).isCovered).toEqual([false, false])
    expect((await shown([one, [header('two'), snapshot(0.5, '10'), change(7_300)]])).isCovered).toEqual([true])
  })

  test.each([
    ['both', away, there(30)],
    ['two captures that are no segments', away.slice(1), nameless(30)],
  ])('an export of %s loads again as it was', async (_, one, other) => {
    await withStore(async (store) => {
      await store.loadLines('one', one)
      await store.loadLines('two', other)
      const { head } = (await store.store.catalogue.heads('kalshi', TICKER))[0]!
      const of = { market: TICKER, date: '2026-08-10', source: undefined }
      const bookTimes = head.heard!.map((each) => printBookTimes({ ...of, heard: each }).trimEnd())
      const printed = [...(await store.printed('kalshi', TICKER)), ...bookTimes]
      expect(await shown([printed])).toEqual(KNOWN)
      expect(await store.loadLines('again', printed)).toMatchObject({ recordsAdded: 0, partitionsChanged: 0 })
      // Without these lines it is unknown which recorder received what.
      expect(await shown([printed.slice(0, -bookTimes.length)])).toEqual(LOST)
    })
  })
})

test('a covered gap stays covered when an archive is taken out', async () => {
  const recorded = new RecordedFeed(new Random(3, 'taken out'), 'kalshi').captures(0)
  const archive = received(0, kalshiDelta(0, '0.10', '3'))
  const contents: unknown[] = []
  for (const hasArchive of [false, true]) {
    await withStore(async (store) => {
      await loadWhole(store, recorded)
      const [market] = (await store.store.catalogue.markets('kalshi', { prefix: '', offset: 0, limit: 1 })).markets
      const [line] = [JSON.stringify(archive).replaceAll(TICKER, market!)]
      if (hasArchive) await store.loadLines('archive', [line], 'a')
      if (hasArchive) await deleteSource(store.store, { venue: 'kalshi', market: market! }, 'a')
      store.store.refresh()
      contents.push(await contentOf(store))
    })
  }
  expect(JSON.stringify(contents[0])).toContain('isCovered')
  expect(contents[1]).toEqual(contents[0])
})

type Row = { trust: string }

function shuffled<T>(random: Random, items: T[]): T[] {
  const left = [...items]
  return items.map(() => left.splice(random.below(left.length), 1)[0]!)
}
