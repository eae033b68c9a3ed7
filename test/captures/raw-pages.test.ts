// long: the slow model answers, too
// Pages of any size return every message of a capture once, deep-equal and in order. Requests by date and by range
// agree.

import { describe, expect, test } from 'bun:test'
import { IS_LONG } from '../run/effort.ts'
import { capture, hasCaptures } from '../support/captures.ts'
import { type AnyStore, CAPTURE_STORE_KINDS, type StoredRecord, withStoreOf } from '../support/store.ts'
import * as text from './capture-text.ts'

const { KALSHI_QUIET, KALSHI_DAY_2, FED, JOKIC, CHANGES } = text
const LIMITS = [7, 1_000, 10_000, 100_000]
const EVER = { fromMs: 0, toMs: Date.parse('2030-01-01') }

/** A message of a capture, with the values of its envelope. */
type Captured = { msg: text.JsonObject; receivedAt: number | null; sid?: number; seq?: number; asset?: string }

function capturedKalshi(path: string): Captured[] {
  return text.linesOf(path).map((line) => {
    const { recv_ms, event } = JSON.parse(line)
    return { msg: event.msg, receivedAt: recv_ms, sid: event.sid, seq: event.seq }
  })
}

/** Returns one message for each book of a message, with the entries of the book in order. */
function capturedPolymarket(path: string): Captured[] {
  return text
    .linesOf(path)
    .flatMap(text.messagesOf)
    .flatMap((message) => {
      const changes = message['price_changes'] as text.JsonObject[] | undefined
      if (changes === undefined) return [{ msg: message, receivedAt: null, asset: String(message['asset_id']) }]
      return [...Map.groupBy(changes, (entry) => String(entry['asset_id']))].map(([asset, entries]) => ({
        msg: { ...message, price_changes: entries },
        receivedAt: null,
        asset,
      }))
    })
}

describe.each(CAPTURE_STORE_KINDS)('in a store on %s', (kind) => {
  const isWhole = kind === 'lmdb' || IS_LONG
  const withStore = (run: (store: AnyStore) => Promise<void> | void) => withStoreOf(kind, run)

  /** Returns all records of the market, date by date, in pages. */
  async function byDate(store: AnyStore, { venue, market }: text.StoredMarket, limit: number): Promise<StoredRecord[]> {
    const records: StoredRecord[] = []
    for (const date of await store.dates(venue, market))
      records.push(...(await store.records(venue, market, date, limit)))
    return records
  }

  const onlyMarket = async (store: AnyStore): Promise<text.StoredMarket> => {
    const [market, ...others] = await text.marketsOf(store)
    expect(others).toEqual([])
    return market!
  }

  describe.skipIf(!hasCaptures)('raw pages', () => {
    test.each(isWhole ? [KALSHI_QUIET, KALSHI_DAY_2] : [KALSHI_DAY_2])(
      'of %s hold each message once, in order',
      async (path) => {
        await withStore(async (store) => {
          await store.load(capture(path))
          const records = await byDate(store, await onlyMarket(store), 10_000)
          const actual = records.map(({ msg, received_at, sid, seq }) => ({ msg, receivedAt: received_at, sid, seq }))
          expect(Bun.deepEquals(actual, capturedKalshi(path))).toBe(true)
        })
      },
    )

    test.each(isWhole ? [FED, JOKIC, CHANGES] : [FED])('of %s hold each message once, in order', async (path) => {
      await withStore(async (store) => {
        await store.load(capture(path))
        const records = await byDate(store, await onlyMarket(store), 10_000)
        const actual = records.map(({ msg, received_at, asset_id }) => ({
          msg,
          receivedAt: received_at,
          asset: asset_id,
        }))
        expect(Bun.deepEquals(actual, capturedPolymarket(path))).toBe(true)
      })
    })

    test.each(isWhole ? [KALSHI_QUIET, FED, JOKIC] : [FED])(
      'of %s agree at every limit, by date and by range',
      async (path) => {
        await withStore(async (store) => {
          await store.load(capture(path))
          const market = await onlyMarket(store)
          const expected = await byDate(store, market, 10_000)
          expect(expected.length).toBeGreaterThan(20)
          for (const limit of LIMITS) {
            if (limit < 100 && expected.length > 10_000) continue
            const inRange = await store.range(market.venue, market.market, EVER.fromMs, EVER.toMs, limit)
            expect([limit, Bun.deepEquals(await byDate(store, market, limit), expected)]).toEqual([limit, true])
            expect([limit, Bun.deepEquals(inRange, expected)]).toEqual([limit, true])
          }
        })
      },
    )

    test('of one record each', async () => {
      await withStore(async (store) => {
        await store.load(capture(FED))
        const market = await onlyMarket(store)
        const expected = await byDate(store, market, 10_000)
        expect(await byDate(store, market, 1)).toEqual(expected)
        expect(await store.range(market.venue, market.market, EVER.fromMs, EVER.toMs, 1)).toEqual(expected)
      })
    })

    test('of a window hold its records, both ends included', async () => {
      await withStore(async (store) => {
        await store.load(capture(JOKIC))
        const { venue, market } = await onlyMarket(store)
        const all = await byDate(store, { venue, market }, 10_000)
        for (const [from, to] of [
          [0.2, 0.7],
          [0.5, 0.5],
          [0.99, 1],
        ] as const) {
          const fromMs = all[Math.floor(from * (all.length - 1))]!.timestamp
          const toMs = all[Math.floor(to * (all.length - 1))]!.timestamp
          const expected = all.filter(({ timestamp }) => timestamp >= fromMs && timestamp <= toMs)
          expect(Bun.deepEquals(await store.range(venue, market, fromMs, toMs, 123), expected)).toBe(true)
        }
      })
    })

    test('of one asset hold its records, and their total', async () => {
      await withStore(async (store) => {
        await store.load(capture(FED))
        const { venue, market } = await onlyMarket(store)
        const all = await byDate(store, { venue, market }, 10_000)
        const [date] = (await store.dates(venue, market)) as [string]
        for (const book of new Set(all.map(({ asset_id }) => asset_id as string))) {
          const expected = all.filter(({ asset_id }) => asset_id === book)
          expect(await store.records(venue, market, date, 3, book)).toEqual(expected)
          const page = { venue, market, book, limit: 5 }
          const { data, hasMore } = await store.page({ ...page, scope: { ...EVER, after: null } })
          expect(data).toEqual(expected.slice(0, 5))
          expect(hasMore).toBe(expected.length > 5)
        }
        expect(await store.records(venue, market, date, 10, 'no such asset')).toEqual([])
      })
    })

    test('beyond the last record are empty', async () => {
      await withStore(async (store) => {
        await store.load(capture(FED))
        const { venue, market } = await onlyMarket(store)
        const [date] = (await store.dates(venue, market)) as [string]
        const page = { venue, market, book: null, limit: 10 }
        expect(await store.page({ ...page, scope: { date, offset: 1_000_000 } })).toEqual({
          data: [],
          hasMore: false,
          next: null,
        })
        expect((await store.page({ ...page, scope: { date: '2026-07-19', offset: 0 } })).data).toEqual([])
        expect((await store.page({ ...page, scope: { fromMs: 0, toMs: 1, after: null } })).data).toEqual([])
      })
    })
  })
})
