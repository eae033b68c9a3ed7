// However a window begins, the book at an instant in it equals the book of a full replay, and its top equals that of a
// summary that ends there.

import { describe, expect, test } from 'bun:test'
import { VENUES } from '../../storage/venue.ts'
import { CONDITION, DAY, NOON, priceChange, book as snapshot } from '../../test/model/lines.ts'
import { seeds } from '../../test/run/effort.ts'
import { type AnyStore, STORE_KINDS, withStore, withStoreOf } from '../../test/support/store.ts'
import { RandomCapture } from '../../test/workers/load/random-capture.ts'
import { ASK, BID } from '../book/ladder.ts'
import { type ComparedLevel, levelKey } from '../book/level-key.ts'
import { NO_TOP, type OrderBook } from '../book/order-book.ts'
import { Random } from '../synthetic/random.ts'
import type { BookWindow } from './plan-replay.ts'
import { replayWindow, type WindowSink } from './window-replay.ts'

type Place = Pick<BookWindow, 'venue' | 'market' | 'book'> & { firstMs: number; lastMs: number }

async function booksOf(store: AnyStore): Promise<Place[]> {
  const places: Place[] = []
  for (const venue of VENUES) {
    const { markets } = await store.store.catalogue.markets(venue, { prefix: '', offset: 0, limit: 10 })
    for (const market of markets) {
      const days = await store.store.catalogue.heads(venue, market)
      const [firstMs, lastMs] = [days[0]!.head.firstMs, days.at(-1)!.head.lastMs]
      const books = new Set(days.flatMap(({ head }) => head.books.map(({ id }) => id)))
      for (const book of books) places.push({ venue, market, book, firstMs, lastMs })
    }
  }
  return places
}

const levels = (book: OrderBook) => ({ trust: book.trust, bids: book.levels(BID), asks: book.levels(ASK) })

const bookAt = (store: AnyStore, place: Place, fromMs: number, atMs: number) =>
  replayWindow(store.store, { ...place, fromMs, toMs: atMs }, (replay) => {
    replay.advanceTo(atMs)
    return levels(replay.book)
  })

/** Follows every level from the book that a window begins with. */
class Levels implements WindowSink {
  sizes: Map<number, number>

  constructor(book: OrderBook) {
    this.sizes = sizesOf(book)
  }

  isComparing = () => true
  comparedLevels(): ComparedLevel {
    return (level, _change, _isSigned, sizeNow, sizeBefore) => {
      expect(this.sizes.get(level) ?? 0).toBe(sizeBefore)
      this.sizes.set(level, sizeNow)
    }
  }
  snapshotApplied(book: OrderBook): void {
    this.#replace(book)
  }
  losing(book: OrderBook): void {
    expect(sizesOf(book)).toEqual(this.filled)
  }
  gap(book: OrderBook): void {
    this.#replace(book)
  }
  quote(): void {}
  marketGap(): void {}

  get filled(): Map<number, number> {
    return new Map([...this.sizes].filter(([, size]) => size > 0))
  }

  #replace(book: OrderBook): void {
    this.sizes.clear()
    for (const [level, size] of sizesOf(book)) this.sizes.set(level, size)
  }
}

function sizesOf(book: OrderBook): Map<number, number> {
  const sides = [BID, ASK] as const
  const sizes = sides.flatMap((side) =>
    book.levels(side).map(([height, size]) => [levelKey(side, height), size] as const),
  )
  return new Map(sizes)
}

async function withParts(seed: number, run: (store: AnyStore, places: Place[], random: Random) => Promise<void>) {
  const lines = new RandomCapture(seed, true).lines(160)
  const random = new Random(seed, 'windows')
  await withStore(async (store) => {
    for (let part = 0; part < 4; part++) await store.loadLines(`part-${part}`, lines.slice(40 * part, 40 * part + 50))
    await run(store, await booksOf(store), random)
  })
}

describe.each(seeds(1, 2, 10))('seed %d', (seed) => {
  test('a window that begins late, early or after its end gives the same book', () =>
    withParts(seed, async (store, places, random) => {
      for (const place of places) {
        for (let i = 0; i < 12; i++) {
          const atMs = random.between(place.firstMs - 1_000, place.lastMs + 1_000)
          const whole = await bookAt(store, place, place.firstMs - 1_000, atMs)
          const dayMs = atMs - (atMs % 86_400_000)
          for (const fromMs of [dayMs, random.between(dayMs, atMs), atMs + 1]) {
            expect(await bookAt(store, place, fromMs, atMs)).toEqual(whole)
          }
        }
      }
    }))

  test('moment after moment, its levels follow from its changes', () =>
    withParts(seed, async (store, places, random) => {
      for (const place of places) {
        const window = { ...place, fromMs: place.firstMs, toMs: place.lastMs }
        await replayWindow(store.store, window, (replay) => {
          replay.advanceTo(place.firstMs - 1)
          const sink = new Levels(replay.book)
          const stops = Array.from({ length: 40 }, () => random.between(place.firstMs, place.lastMs))
          for (const stop of stops.toSorted((a, b) => a - b)) {
            replay.advanceTo(stop, sink)
            expect(sink.filled).toEqual(sizesOf(replay.book))
          }
        })
      }
    }))

  test('up to a record, its top equals that of a summary which ends there', () =>
    withParts(seed, async (store, places, random) => {
      for (const place of places.filter(({ venue }) => venue === 'kalshi')) {
        const { venue, market, book } = place
        const { date, head } = random.pick(await store.store.catalogue.heads(venue, market))
        const records = await store.records(venue, market, date)
        const atMs = random.pick(records).timestamp
        const record = records.findLastIndex(({ timestamp }) => timestamp === atMs)
        const window = { ...place, fromMs: head.firstMs, toMs: head.lastMs, fromRecord: record + 1, toRecord: record }
        const top = { ...NO_TOP }
        await replayWindow(store.store, window, (replay) => {
          replay.advanceToRecord(date, record)
          replay.book.readTop(top)
        })
        const [fromMs, shared] = [atMs - (atMs % 60_000), { resolutionSeconds: 60, fill: 'range' } as const]
        const request = { venue, market, book, fromMs, toMs: atMs, ...shared, nowMs: Date.now() }
        const buckets = (await store.summary({ ...request, timestampUnit: 'ms' })) as { best_bid_size: number }[]
        if (buckets.length === 0) continue
        expect(buckets.at(-1)!.best_bid_size).toBe(top.bidSize / 1e6)
      }
    }))
})

/** The store reads only the parts that a book needs. */
test.each(STORE_KINDS)('reads no blocks of other books, in a store on %s', (kind) =>
  withStoreOf(kind, async (store) => {
    await store.loadLines('one', [JSON.stringify(snapshot(0, [['0.40', '10']], [['0.45', '20']], '111'))])
    for (let part = 1; part <= 8; part++) {
      const change = { asset_id: '222', price: '0.30', size: `${part}`, side: 'BUY' }
      await store.loadLines(`other ${part}`, [JSON.stringify(priceChange(part, change))])
    }
    const { head } = (await store.store.catalogue.heads('polymarket', CONDITION))[0]!
    const index = head.books.findIndex(({ id }) => id === '111')
    expect(head.blocks.filter(({ bookRecords }) => (bookRecords[index] ?? 0) === 0)).not.toEqual([])
    const [fromMs, toMs] = [Date.parse(DAY), NOON + 60_000]
    const window: BookWindow = { venue: 'polymarket', market: CONDITION, book: '111', fromMs, toMs }
    const [best] = await replayWindow(store.store, window, (replay) => {
      replay.hold()
      replay.advanceTo(toMs)
      return replay.book.levels(BID)
    })
    expect(best).toEqual([400_000, 10_000_000])
  }),
)
