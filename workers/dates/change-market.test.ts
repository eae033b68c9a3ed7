// A plan changes a market. It is made again if another process changed the market first.

import { expect, test } from 'bun:test'
import { PartGone } from '../../storage/damage.ts'
import { kalshiDelta, TICKER } from '../../test/model/lines.ts'
import { withStore } from '../../test/support/store.ts'
import { changeMarket } from './change-market.ts'

const MARKET = { venue: 'kalshi', market: TICKER } as const

/** Wraps a store so that it refuses the given number of commits; also returns how many commits were requested. */
function refusing<S extends { catalogue: object }>(store: S, times: number) {
  const requested = { commits: 0 }
  const commit = async () => (++requested.commits <= times ? [MARKET] : [])
  const catalogue = new Proxy(store.catalogue, {
    get: (of, name) => (name === 'commit' ? commit : Reflect.get(of, name).bind(of)),
  })
  return { store: { ...store, refresh: () => undefined, catalogue }, requested }
}

test('a refused plan is made again; without days nothing is committed', () =>
  withStore(async (of) => {
    await of.loadLines('c.ndjson', [JSON.stringify(kalshiDelta(0, '0.5', '1'))])
    const { store, requested } = refusing(of.store, 2)
    let plans = 0
    expect(await changeMarket(store as never, MARKET, async () => [++plans])).toEqual([3])
    expect([plans, requested.commits]).toEqual([3, 3])
    expect(await changeMarket(store as never, MARKET, async () => [])).toEqual([])
    expect(requested.commits).toBe(3)
  }))

test('a part that is gone is planned again, another failure is not', () =>
  withStore(async (of) => {
    const { store } = refusing(of.store, 0)
    let plans = 0
    const once = async () => {
      if (++plans === 1) throw new PartGone({ ...MARKET, date: '2026-08-10' }, 'head')
      return [plans]
    }
    expect(await changeMarket(store as never, MARKET, once)).toEqual([2])
    const bug = new TypeError('x')
    await expect(changeMarket(store as never, MARKET, () => Promise.reject(bug))).rejects.toBe(bug)
  }))
