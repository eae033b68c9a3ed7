// long: each case in every kind of store or of compression
// The store has the venues' metadata of markets and events, the newest last, and loses no known value.

import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { capture, hasCaptures } from '../../support/captures.ts'
import { ALL_STORE_KINDS, type AnyStore, withStoreOf } from '../../support/store.ts'

const CONDITION = `0x${'1a'.repeat(32)}`
const GAMMA = {
  ...{ conditionId: CONDITION, question: 'Will it rain?', slug: 'will-it-rain', updatedAt: '2026-07-20T19:07:07.78Z' },
  ...{ outcomes: '["Yes", "No"]', clobTokenIds: '["11", "22"]', groupItemTitle: 'Rain' },
  events: [{ slug: 'weather', title: 'Weather on Monday' }],
}
const KALSHI = {
  ...{ ticker: 'KXRAIN-26JUL20-NYC', event_ticker: 'KXRAIN-26JUL20', title: 'Rain in NYC?' },
  ...{ yes_sub_title: 'It rains', no_sub_title: 'It does not', updated_time: '2026-07-20T10:00:00Z' },
}

const RAIN = {
  kalshi: { market: 'KXRAIN-26JUL20-NYC', event: 'KXRAIN-26JUL20' },
  polymarket: { market: CONDITION, event: 'weather' },
}

describe.each(ALL_STORE_KINDS)('in a store on %s', (kind) => {
  const withLines = (lines: unknown[], run: (store: AnyStore, metadata: number) => Promise<void>) =>
    withStoreOf(kind, async (store) => {
      const texts = lines.map((line) => JSON.stringify(line))
      const report = await store.loadLines('m.ndjson', texts)
      expect(report).toMatchObject({ records: 0, recordsAdded: 0, messages: 0, rejected: 0, skipped: {} })
      const known = await allOf(store)
      await store.loadLines('m.ndjson', texts)
      expect(await allOf(store)).toEqual(known)
      await run(store, report.metadata)
    })

  const allOf = async ({ store }: AnyStore) => [
    await store.catalogue.knownMarket('kalshi', RAIN.kalshi.market),
    await store.catalogue.knownMarket('polymarket', RAIN.polymarket.market),
  ]

  test.each([
    ['a market', [{ market: KALSHI }], 1, null],
    [
      'a page of markets',
      [{ markets: [KALSHI, { ...KALSHI, ticker: 'KXRAIN-26JUL20-LA', title: 'Rain in LA?' }], cursor: '' }],
      2,
      null,
    ],
    ['a bare market', [KALSHI], 1, null],
    ['an event', [{ event: { event_ticker: 'KXRAIN-26JUL20', title: 'Rain' }, markets: [KALSHI] }], 2, 'Rain'],
    [
      'an event that holds them',
      [{ event: { event_ticker: 'KXRAIN-26JUL20', title: 'Rain', markets: [KALSHI] } }],
      2,
      'Rain',
    ],
    [
      'a page of events',
      [{ events: [{ event_ticker: 'KXRAIN-26JUL20', title: 'Rain', markets: [KALSHI] }] }],
      2,
      'Rain',
    ],
    ['an answer that was saved', [{ status: 200, response: { market: KALSHI } }], 1, null],
    ['a lower-case ticker', [{ market: { ...KALSHI, ticker: 'kxrain-26jul20-nyc' } }], 1, null],
  ])('Kalshi: %s', (_, lines, count, title) =>
    withLines(lines, async ({ store }, metadata) => {
      expect(metadata).toBe(count)
      const { market, event } = RAIN.kalshi
      const known = (await store.catalogue.knownMarket('kalshi', market))!
      expect(known.card).toEqual({
        ...{ title: 'Rain in NYC?', subtitle: null, slug: null, event },
        outcomes: [
          { outcome: 'Yes', title: 'It rains', asset_id: null },
          { outcome: 'No', title: 'It does not', asset_id: null },
        ],
      })
      expect(known.event).toMatchObject({ id: event, title })
      expect(known.said['ticker']).toMatch(/^kxrain-26jul20-nyc$/i)
      expect((await store.catalogue.event('kalshi', event))!.markets).toContain(market)
      const [first] = await store.catalogue.search({ text: 'rain nyc', venue: undefined, limit: 5 })
      expect(first).toMatchObject({ venue: 'kalshi', market, entry: undefined })
    }),
  )

  test.each([
    ['a market', [GAMMA], 2],
    ['an event', [{ slug: 'weather', title: 'Weather on Monday', markets: [{ ...GAMMA, events: undefined }] }], 2],
    ['an array', [[GAMMA, GAMMA]], 2],
  ])('Polymarket: %s', (_, lines, count) =>
    withLines(lines, async ({ store }, metadata) => {
      expect(metadata).toBe(count)
      const known = (await store.catalogue.knownMarket('polymarket', CONDITION))!
      expect(known.card).toEqual({
        ...{ title: 'Will it rain?', subtitle: 'Rain', slug: 'will-it-rain', event: 'weather' },
        outcomes: [
          { outcome: 'Yes', title: null, asset_id: '11' },
          { outcome: 'No', title: null, asset_id: '22' },
        ],
      })
      expect(known.event).toMatchObject({ id: 'weather', title: 'Weather on Monday' })
      expect(known.said).not.toHaveProperty('events')
      expect(await store.catalogue.event('polymarket', 'weather')).toEqual({
        ...{ id: 'weather', title: 'Weather on Monday', markets: [CONDITION] },
      })
    }),
  )

  test('an empty value replaces nothing, nor does a value whose own time is older', () =>
    withLines([{ market: KALSHI }], async (store) => {
      const card = async () => (await store.store.catalogue.knownMarket('kalshi', KALSHI.ticker))!
      const say = (market: object) => store.loadLines('n.ndjson', [JSON.stringify({ market })])
      await say({ ...KALSHI, title: '', yes_sub_title: null, no_sub_title: '', updated_time: '2026-07-20T11:00:00Z' })
      expect((await card()).card).toMatchObject({ title: 'Rain in NYC?', outcomes: [{ title: 'It rains' }, {}] })
      await say({ ...KALSHI, title: 'Older', rules_primary: 'Rules', updated_time: '2026-07-20T09:00:00Z' })
      expect((await card()).card.title).toBe('Rain in NYC?')
      expect((await card()).said['rules_primary']).toBe('Rules')
      await say({ ticker: KALSHI.ticker, event_ticker: KALSHI.event_ticker, title: 'Newer' })
      expect((await card()).card).toMatchObject({ title: 'Newer', outcomes: [{ title: 'It rains' }, {}] })
    }))

  test('an invalid ticker is rejected', () =>
    withStoreOf(kind, async (store) => {
      const report = await store.loadLines('m.ndjson', [JSON.stringify({ market: { ...KALSHI, ticker: 'a b' } })])
      expect(report).toMatchObject({ metadata: 0, rejected: 1 })
      expect(report.rejects[0]!.reason).toBe('ticker must be a Kalshi ticker, got "a b"')
    }))
})

describe.skipIf(!hasCaptures)('metadata of the real captures', () => {
  test.each(ALL_STORE_KINDS)('is stored in a store on %s', (kind) =>
    withStoreOf(kind, async (store) => {
      const [kalshi, gamma] = [capture('kalshi'), capture('polymarket/gamma')]
      const files = [
        ...readdirSync(kalshi)
          .filter((name) => name.endsWith('.json'))
          .map((name) => join(kalshi, name)),
        ...readdirSync(gamma).map((name) => join(gamma, name)),
      ]
      const reports = await store.load(...files)
      expect(reports.every(({ records, rejected, metadata }) => records === 0 && rejected === 0 && metadata > 0)).toBe(
        true,
      )
      const { catalogue } = store.store
      const gold = (await catalogue.knownMarket('kalshi', 'KXGOLD15M-26AUG101800-00'))!
      expect(gold.card.title).toBe('Gold price up in next 15 mins?')
      expect(gold.event).toMatchObject({ id: 'KXGOLD15M-26AUG101800', title: 'Gold 15 min · $4,394.94 target' })
      const found = async (text: string) =>
        (await catalogue.search({ text, venue: undefined, limit: 100 })).map(({ market }) => market)
      expect(await found('gold 4,394')).toEqual(['KXGOLD15M-26AUG101800-00'])
      expect(await found('lebron spurs')).toEqual([
        '0x06866503ec6a8f9d16ad80d668433eae895e9b98b7f50a1b80c1bc1afaa13183',
      ])
      expect(await found('bitcoin up down')).toHaveLength(100)
    }),
  )
})
