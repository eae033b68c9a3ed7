// A copy takes effect only if the target is unchanged since the plan: it replaces nothing that was stored meanwhile.

import { expect, test } from 'bun:test'
import type { Store } from '../../storage/open-store.ts'
import { TICKER } from '../../test/model/lines.ts'
import { ALL, DATES, expectSound, fourDays, lines, load, withTwo } from '../../test/support/copy/two-stores.ts'
import { copyStore } from './copy-store.ts'

test('records that the target stores at any moment of a copy stay', async () => {
  const own = lines(1, TICKER, 500)
  let calls = Number.POSITIVE_INFINITY
  for (let at = 1; at <= calls; at++) {
    await withTwo(['memory', 'memory'], async ({ from, to }) => {
      await fourDays(from)
      let call = 0
      const revision = async (...of: Parameters<Store['catalogue']['revision']>) => {
        const found = await to.store.catalogue.revision(...of)
        if (++call === at) await load(to, own)
        return found
      }
      const catalogue = new Proxy(to.store.catalogue, {
        get: (all, name) => (name === 'revision' ? revision : Reflect.get(all, name, all).bind(all)),
      })
      await copyStore({ source: from.store, target: { ...to.store, catalogue } }, ALL)
      if (call < at) calls = call
      else {
        const stored = await to.records('kalshi', TICKER, DATES[1]!)
        expect(stored.filter(({ timestamp }) => timestamp % 1_000 === 500).length).toBe(own.length)
      }
      await expectSound(to)
    })
  }
  expect(calls).toBeGreaterThan(3)
})
