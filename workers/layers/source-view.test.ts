// A view of one source has its days, its counts and its cursors, and nothing of others.

import { expect, test } from 'bun:test'
import { kalshiDelta, TICKER } from '../../test/model/lines.ts'
import { collectLines } from '../../test/support/collected.ts'
import { withStore } from '../../test/support/store.ts'
import { commitPart } from '../load/commit-part.ts'
import { catalogueOfSource, storeOfRequest, storeOfSource } from './source-view.ts'

const DAY_MS = 86_400_000
const MARKET = ['kalshi', TICKER] as const
const delta = (day: number, ms: number) => JSON.stringify(kalshiDelta(day * DAY_MS + ms, '0.5', '1'))

test('days of a source, and their neighbours', () =>
  withStore(async (store) => {
    await store.loadLines('own.ndjson', [delta(0, 0), delta(2, 0)])
    await commitPart(
      store.store,
      collectLines([delta(1, 0), delta(2, 5), delta(2, 6)], Date.parse('2026-11-01'), 'pmxt'),
    )
    store.store.refresh()
    const { catalogue } = store.store
    const views = [null, 'pmxt', 'none'].map((source) => catalogueOfSource(catalogue, source))
    const dates = await Promise.all(
      views.map(async (view) =>
        (await view.heads(...MARKET)).map(({ date, head }) => `${date.slice(-2)} ${head.recordCount}`),
      ),
    )
    expect(dates).toEqual([['10 1', '12 1'], ['11 1', '12 2'], []])
    const key = (date: string) => ({ venue: 'kalshi', market: TICKER, date }) as const
    expect((await views[0]!.neighbour(key('2026-08-12'), 'before'))?.date).toBe('2026-08-10')
    expect(await views[1]!.neighbour(key('2026-08-11'), 'before')).toBeUndefined()
    expect(await views[0]!.head(key('2026-08-11'))).toBeUndefined()
    expect(await views[1]!.market(...MARKET)).toMatchObject({
      firstDate: '2026-08-11',
      lastDate: '2026-08-12',
      dateCount: 2,
      recordCount: 3,
    })
    expect(await views[2]!.market(...MARKET)).toBeUndefined()
    const secrets = await Promise.all(
      [catalogue, ...views].map(async (view) => Buffer.from(await view.cursorSecret()).toString('hex')),
    )
    expect(new Set(secrets).size).toBe(4)
  }))

test('a request that names no source sees the store itself', () =>
  withStore(async ({ store }) => {
    expect(storeOfRequest(store, { market: 'x' })).toBe(store)
    expect(storeOfRequest(store, { source: null })).not.toBe(store)
    expect(storeOfSource(store, 'pmxt').partitionsAtOnce).toBe(store.partitionsAtOnce)
  }))
