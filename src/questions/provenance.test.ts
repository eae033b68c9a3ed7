// An answer with data from an archive states the archive and its licence. An answer with only the user's own data does
// not.

import { describe, expect, test } from 'bun:test'
import { CONDITION, DAY, kalshiDelta, kalshiSnapshot, priceChange, TICKER } from '../../test/model/lines.ts'
import { LOAD } from '../../test/support/import/made-loads.ts'
import { ask, testApp } from '../../test/support/server.ts'
import { type AnyStore, STORE_KINDS, withStoreOf } from '../../test/support/store.ts'

const DAY_MS = 86_400_000
const text = (lines: object[]) => lines.map((line) => JSON.stringify(line))
const FACTS = {
  ...{ source: 'pmxt-v2', format: 'pmxt-v2', licence: 'CC BY 4.0', attribution: 'pmxt.dev', clock: 'batch' },
  ...{ order: 'file', hash_kept: false, is_rebuilt: true, repairs: [] },
}

describe.each(STORE_KINDS)('in a store on %s', (kind) => {
  const withApp = (run: (get: (path: string) => Promise<Answered>, store: AnyStore) => Promise<void>) =>
    withStoreOf(kind, async (store) => {
      const snapshot = kalshiSnapshot([['0.2000', '5.00']], [['0.3000', '7.00']])
      await store.loadLines(
        'own.ndjson',
        text([snapshot, kalshiDelta(0, '0.4000', '1.00'), kalshiDelta(DAY_MS, '0.4100', '1.00')]),
      )
      const app = testApp({ catalogue: store.store.catalogue })
      await run(async (path) => {
        store.store.refresh()
        const { body, headers } = await ask(app, path)
        return { body: body as Answered['body'], tag: headers.get('etag') }
      }, store)
    })
  type Answered = { body: { dates: Record<string, unknown>[]; sources?: unknown[] }; tag: string | null }
  const archive = async (store: AnyStore) => {
    await store.loadLines('a.ndjson', text([1_000, 2_000].map((ms) => kalshiDelta(ms, '0.4200', '1.00'))), 'pmxt-v2')
    await store.loadLines('b.ndjson', text([kalshiDelta(3_000, '0.4200', '1.00')]), 'ag6')
  }

  test('coverage names the archives of each date that has records of one', () =>
    withApp(async (get, store) => {
      const path = `/kalshi/market/coverage?ticker=${TICKER}`
      const own = await get(path)
      for (const date of own.body.dates) expect(date).not.toContainKey('sources')
      await archive(store)
      const loaded = await get(path)
      await store.store.catalogue.putLoads([LOAD])
      const { body, tag } = await get(path)
      expect(new Set([own.tag, loaded.tag, tag]).size).toBe(3)
      expect(body.dates[0]).toMatchObject({
        date: DAY,
        // Counts only the recorder's own records. It shows the whole day: the recorder has the book from noon on, and
        // no archive has it earlier.
        record_count: 2,
        spans: [{ source: null, from: Date.parse(DAY), to: Date.parse(DAY) + DAY_MS }],
        sources: [
          { source: 'ag6', records: 1, licence: null, attribution: null },
          { source: 'pmxt-v2', records: 2, licence: 'CC BY 4.0', attribution: 'pmxt.dev' },
        ],
      })
      expect(body.dates[1]).not.toContainKey('sources')
    }))

  test.each([
    ['none', { licence: null }, 'CC BY 4.0; none stated'],
    ['none, and only other markets', { licence: null, markets: ['KXELSE'] }, 'CC BY 4.0'],
  ])('coverage hides no licence where another file has %s', (_, other, licence) =>
    withApp(async (get, store) => {
      await archive(store)
      await store.store.catalogue.putLoads([LOAD, { ...LOAD, sha256: 'cd'.repeat(32), ...other }])
      const { body } = await get(`/kalshi/market/coverage?ticker=${TICKER}`)
      expect(body.dates[0]?.['sources']).toContainEqual(expect.objectContaining({ source: 'pmxt-v2', licence }))
    }),
  )

  test('info names the publishers of the records of the market', () =>
    withApp(async (get, store) => {
      const path = `/kalshi/market/info?ticker=${TICKER}`
      await store.store.catalogue.putLoads([LOAD])
      const own = await get(path)
      expect(own.body).not.toContainKey('sources')
      await archive(store)
      const others = [
        { ...LOAD, sha256: 'cd'.repeat(32) },
        { ...LOAD, sha256: 'ef'.repeat(32), repairs: ['clip-beyond-best'] },
        // Loads of other markets, and of an archive without records of this market.
        { ...LOAD, markets: ['KXELSE'] },
        { ...LOAD, source: 'else' },
      ]
      await store.store.catalogue.putLoads(others)
      const { body, tag } = await get(path)
      expect(body.sources).toEqual([
        { ...FACTS, files: 2 },
        { ...FACTS, repairs: ['clip-beyond-best'], files: 1 },
      ])
      expect(tag).not.toBe(own.tag)
      await store.loadLines('p.ndjson', text([priceChange(0, { asset_id: '1', price: '0.4', size: '3', side: 'BUY' })]))
      expect((await get(`/polymarket/market/info?condition_id=${CONDITION}`)).body).not.toContainKey('sources')
    }))
})
