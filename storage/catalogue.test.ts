// Goal: lists, dates and slugs are complete and in order, and are read from small entries.

import { describe, expect, test } from 'bun:test'
import { CONDITION, kalshiTrade, priceChange, TICKER } from '../test/model/lines.ts'
import { ALL_STORE_KINDS, type AnyStore, withStoreOf } from '../test/support/store.ts'
import { DAY_MS } from './units.ts'

const TICKERS = ['KXA', 'KXA-1', 'KXA-10', 'KXA-2', 'KXAB', 'KXB-1', 'KXZ', 'Z']

describe.each(ALL_STORE_KINDS)('in a store on %s', (kind) => {
  const withStore = (run: (store: AnyStore) => Promise<void> | void) => withStoreOf(kind, run)

  async function withMarkets(run: (store: AnyStore) => Promise<void> | void): Promise<void> {
    await withStore(async (store) => {
      const trades = TICKERS.toReversed().map((ticker) =>
        JSON.stringify(kalshiTrade(0, '1')).replaceAll(TICKER, ticker),
      )
      await store.loadLines('c.ndjson', [...trades, JSON.stringify(priceChange(0, { price: '0.5', size: '1' }))])
      await run(store)
    })
  }

  describe('markets', () => {
    test.each([
      ['', 0, 100, TICKERS, 8],
      ['KXA', 0, 100, ['KXA', 'KXA-1', 'KXA-10', 'KXA-2', 'KXAB'], 5],
      ['KXA-1', 0, 100, ['KXA-1', 'KXA-10'], 2],
      ['KXA', 1, 2, ['KXA-1', 'KXA-10'], 5],
      ['', 6, 100, ['KXZ', 'Z'], 8],
      ['', 8, 100, [], 8],
      ['KX', 999, 10, [], 7],
      ['NONE', 0, 10, [], 0],
      ['KXA', 0, 1, ['KXA'], 5],
    ])('of prefix "%s" from %d, at most %d', (prefix, offset, limit, markets, totalCount) =>
      withMarkets(async (store) => {
        const page = await store.store.catalogue.markets('kalshi', { prefix, offset, limit })
        expect(page).toEqual({ markets, totalCount })
      }),
    )

    test('of one venue are not those of the other', () =>
      withMarkets(async (store) => {
        const page = { prefix: '', offset: 0, limit: 10 }
        expect(await store.store.catalogue.markets('polymarket', page)).toEqual({ markets: [CONDITION], totalCount: 1 })
        expect(await store.store.catalogue.market('polymarket', TICKERS[0]!)).toBeUndefined()
      }))

    test('are counted again when a market is added, but not when a date is', () =>
      withMarkets(async (store) => {
        const stamp = async () => await store.store.catalogue.marketsStamp()
        const before = await stamp()
        const count = async () =>
          (await store.store.catalogue.markets('kalshi', { prefix: 'KXA', offset: 0, limit: 1 })).totalCount
        expect(await count()).toBe(5)
        const add = (ticker: string, ms: number) =>
          store.loadLines(`${ticker}-${ms}`, [JSON.stringify(kalshiTrade(ms, '2')).replaceAll(TICKER, ticker)])
        await add('KXA-3', 0)
        const added = await stamp()
        expect([await count(), added === before]).toEqual([6, false])
        await add('KXA-3', -DAY_MS)
        expect([await count(), await stamp()]).toEqual([6, added])
      }))
  })

  describe('dates', () => {
    test('are stored in one small entry, in whatever order they arrive', () =>
      withStore(async (store) => {
        const { catalogue } = store.store
        expect(await catalogue.market('kalshi', TICKER)).toBeUndefined()
        for (const [index, day] of [0, 5, -3, 5, 1].entries()) {
          await store.loadLines(`c-${index}`, [JSON.stringify(kalshiTrade(day * DAY_MS, `${index}`))])
        }
        const [firstDate, lastDate] = ['2026-08-07', '2026-08-15']
        expect(await catalogue.market('kalshi', TICKER)).toEqual({
          ...{ firstDate, lastDate, dateCount: 4, recordCount: 5, revision: 5 },
        })
        const dates = async (range?: { from: string; to: string }) =>
          (await catalogue.heads('kalshi', TICKER, range)).map(({ date }) => date)
        expect(await dates()).toEqual([firstDate, '2026-08-10', '2026-08-11', lastDate])
        expect(await dates({ from: '2026-08-08', to: '2026-08-11' })).toEqual(['2026-08-10', '2026-08-11'])
        expect(await dates({ from: '2026-08-11', to: '2026-08-11' })).toEqual(['2026-08-11'])
        expect(await dates({ from: '2026-08-12', to: '2026-08-14' })).toEqual([])
        const last = (await store.records('kalshi', TICKER, lastDate)).at(-1)!
        expect(await catalogue.lastRecordMs('kalshi')).toBe(last.timestamp)
        expect(await catalogue.lastRecordMs('polymarket')).toBeNull()
      }))

    test('of a market are not those of a longer name that begins with it', () =>
      withMarkets(async (store) => {
        expect((await store.store.catalogue.heads('kalshi', 'KXA')).length).toBe(1)
        expect(await store.store.catalogue.heads('kalshi', 'KX')).toEqual([])
        const key = { venue: 'kalshi', market: 'KXA', date: '2026-08-10' } as const
        expect(await store.store.catalogue.neighbour(key, 'after')).toBeUndefined()
        expect(await store.store.catalogue.neighbour(key, 'before')).toBeUndefined()
      }))

    test('have neighbours, stored themselves or not', () =>
      withStore(async (store) => {
        await store.loadLines(
          'c',
          [0, 4].map((day) => JSON.stringify(kalshiTrade(day * DAY_MS, '1'))),
        )
        const near = async (date: string, direction: 'before' | 'after') =>
          (await store.store.catalogue.neighbour({ venue: 'kalshi', market: TICKER, date }, direction))?.date
        expect([await near('2026-08-12', 'before'), await near('2026-08-12', 'after')]).toEqual([
          '2026-08-10',
          '2026-08-14',
        ])
        expect([await near('2026-08-10', 'before'), await near('2026-08-10', 'after')]).toEqual([
          undefined,
          '2026-08-14',
        ])
        expect([await near('2026-08-14', 'before'), await near('2026-08-14', 'after')]).toEqual([
          '2026-08-10',
          undefined,
        ])
        const keys = await Array.fromAsync(store.store.catalogue.partitions('kalshi'))
        expect(keys.map(({ market, date }) => `${market} ${date}`)).toEqual([
          `${TICKER} 2026-08-10`,
          `${TICKER} 2026-08-14`,
        ])
      }))
  })

  test('a stamp changes with the dates of the range and the one after them, and with nothing else', () =>
    withStore(async (store) => {
      const trade = (dayNumber: number, id: string, ticker = TICKER) =>
        JSON.stringify(kalshiTrade(dayNumber * DAY_MS, id)).replaceAll(TICKER, ticker)
      await store.loadLines('first', [trade(0, '1'), trade(2, '1'), trade(5, '1')])
      const [first, second] = (await store.store.catalogue.heads('kalshi', TICKER)).map(({ date }) => date)
      const stampOf = async () => await store.store.catalogue.stamp('kalshi', TICKER, { from: first!, to: first! })
      expect(await stampOf()).toContain(second!)
      const changes: boolean[] = []
      for (const [name, line] of [
        ['same', trade(0, '1')],
        ['other market', trade(0, '9', 'KXOTHER')],
        ['far later', trade(5, '2')],
        ['in range', trade(0, '2')],
        ['day after', trade(2, '2')],
        ['between', trade(1, '1')],
      ] as const) {
        const before = await stampOf()
        await store.loadLines(name, [line])
        changes.push((await stampOf()) !== before)
      }
      expect(changes).toEqual([false, false, false, true, true, true])
    }))
})
