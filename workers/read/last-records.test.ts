// The last stored record of each book, checked against all records of its market.

import { describe, expect, test } from 'bun:test'
import { VENUES } from '../../storage/venue.ts'
import { type AnyStore, STORE_KINDS, withStoreOf } from '../../test/support/store.ts'
import { RandomCapture } from '../../test/workers/load/random-capture.ts'
import { type BooksOfMarket, lastRecords } from './last-records.ts'

/** Returns every stored market with its books and one more, and the time of each book's last record. */
async function expected(store: AnyStore) {
  const markets: (BooksOfMarket & { market: string })[] = []
  const last: Map<string, number>[] = []
  for (const venue of VENUES) {
    const { markets: names } = await store.store.catalogue.markets(venue, { prefix: '', offset: 0, limit: 100 })
    for (const market of names) {
      const days = await store.store.catalogue.heads(venue, market)
      const books = [...new Set(days.flatMap(({ head }) => head.books.map(({ id }) => id)))]
      const ofMarket = new Map<string, number>()
      for (const { date } of days) {
        for (const book of books) {
          const record = (await store.records(venue, market, date, 10_000, book)).at(-1)
          if (record !== undefined) ofMarket.set(book, record.timestamp)
        }
      }
      markets.push({ venue, market, books: [...books, 'unknown'] })
      last.push(ofMarket)
    }
  }
  return { markets, last }
}

describe.each(STORE_KINDS)('last records in %s', (kind) => {
  test('equal the last of all records', () =>
    withStoreOf(kind, async (store) => {
      for (const seed of [1, 2, 3, 4]) {
        await store.loadLines(`${seed}.ndjson`, new RandomCapture(seed, seed % 2 === 0).lines(200))
      }
      const { markets, last } = await expected(store)
      expect(last.reduce((sum, { size }) => sum + size, 0)).toBeGreaterThan(3)
      const sorted = (each: Map<string, number>) => [...each].sort()
      expect((await lastRecords(store.store, markets)).map(sorted)).toEqual(last.map(sorted))
    }))

  test('are empty for a market that is not stored, and for an unknown token', () =>
    withStoreOf(kind, async (store) => {
      const unknown: BooksOfMarket[] = [
        { venue: 'kalshi', market: 'KXNONE', books: ['KXNONE'] },
        { venue: 'polymarket', market: null, books: ['101'] },
      ]
      expect(await lastRecords(store.store, unknown)).toEqual([new Map(), new Map()])
    }))
})
