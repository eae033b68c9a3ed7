// Tests the lists of series and events over HTTP: each store lists those that the venue's metadata names.

import { describe, expect, test } from 'bun:test'
import { ask, testApp } from '../../../test/support/server.ts'
import { STORE_KINDS, withStoreOf } from '../../../test/support/store.ts'

describe.each(STORE_KINDS)('in a store on %s', (kind) => {
  test('series with their categories, and the events of each', () =>
    withStoreOf(kind, async (store) => {
      const app = testApp({ catalogue: store.store.catalogue })
      const get = async (path: string) => {
        const { status, body } = await ask(app, path)
        return { status, body: body as Record<string, unknown> }
      }
      const events = [
        {
          event_ticker: 'KXHIGHNY-26JUL20',
          title: 'A',
          sub_title: 'On Jul 20',
          category: 'Climate',
          series_ticker: 'KXHIGHNY',
        },
        { event_ticker: 'KXHIGHNY-26JUL21', title: 'B', category: 'Climate', series_ticker: 'kxhighny' },
        { event_ticker: 'KXRAIN-26JUL21', title: 'C', category: 'Climate' },
      ]
      const flips = { slug: 'flips', title: 'Flips', markets: [], seriesSlug: 'coins', tags: [{ label: 'Games' }] }
      await store.loadLines(
        'events.ndjson',
        [{ events }, flips].map((each) => JSON.stringify(each)),
      )
      expect((await get('/api/v1/kalshi/series')).body).toEqual({
        data_count: 2,
        data: [
          { category: 'Climate', series: 'KXHIGHNY', events: 2 },
          { category: 'Climate', series: 'KXRAIN', events: 1 },
        ],
      })
      const page = await get('/api/v1/kalshi/events?series=KXHIGHNY&limit=1')
      expect(page.body).toEqual({
        ...{ data_count: 1, offset: 0, limit: 1, total_count: 2, has_more: true },
        data: [
          { event: 'KXHIGHNY-26JUL20', title: 'A', subtitle: 'On Jul 20', category: 'Climate', series: 'KXHIGHNY' },
        ],
      })
      const second = await get('/api/v1/kalshi/events?category=Climate&offset=1')
      expect((second.body['data'] as { event: string }[]).map(({ event }) => event)).toEqual([
        'KXHIGHNY-26JUL21',
        'KXRAIN-26JUL21',
      ])
      expect((await get('/api/v1/polymarket/series')).body['data']).toEqual([
        { category: 'Games', series: 'coins', events: 1 },
      ])
      expect((await get('/api/v1/kalshi/events?series=NONE')).body).toMatchObject({ data: [], total_count: 0 })
      expect(await get('/api/v1/kalshi/events?series=')).toMatchObject({ status: 400 })
    }))
})
