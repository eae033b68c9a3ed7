// The lookup of a slug answers from loaded metadata, in whatever form it was saved.

import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { kalshiTrade, TICKER } from '../../../test/model/lines.ts'
import { capture, hasCaptures } from '../../../test/support/captures.ts'
import { withStore } from '../../../test/support/store.ts'
import { syntheticDay } from '../../synthetic/synthetic-day.ts'

const CONDITIONS = ['a', 'b'].map((digit) => `0x${digit.repeat(64)}`)
const market = (index: number, more: object = {}) => ({
  id: String(index),
  question: `Question ${index}?`,
  conditionId: CONDITIONS[index]!,
  slug: `market-${index}`,
  outcomes: '["Yes", "No"]',
  clobTokenIds: JSON.stringify([`10${index}`, `20${index}`]),
  ...more,
})
const EVENT = { id: '1', slug: 'the-event', title: 'The event', markets: [market(0), market(1)] }
const answered = (index: number) => ({
  question: `Question ${index}?`,
  conditionId: CONDITIONS[index]!,
  slug: `market-${index}`,
  asset_ids: [`10${index}`, `20${index}`],
  outcomes: ['Yes', 'No'],
})
const EVENT_ANSWER = { slug: 'the-event', title: 'The event' }

/** Loads a file and looks up slugs. */
async function check(name: string, text: string, expected: Record<string, unknown>): Promise<void> {
  await withStore(async (store) => {
    await Bun.write(join(store.folder, name), text)
    const [report] = await store.load(join(store.folder, name))
    expect(report).toMatchObject({ rejected: 0, error: null, records: 0 })
    for (const [slug, answer] of Object.entries(expected))
      expect(await store.store.catalogue.slug(slug)).toEqual(answer as never)
  })
}

describe('an event', () => {
  const expected = {
    'the-event': { event: EVENT_ANSWER, markets: [answered(0), answered(1)] },
    'market-1': { event: EVENT_ANSWER, markets: [answered(1)] },
    'no-such-slug': undefined,
  }
  test('as a document', () => check('event.json', JSON.stringify(EVENT, null, 2), expected))
  test('as a list, as the API answers', () => check('events.json', JSON.stringify([EVENT]), expected))
  test('as a line', () => check('events.ndjson', JSON.stringify(EVENT), expected))
  test('on a page, in an envelope', () =>
    check(
      'page.ndjson',
      JSON.stringify({ recv_ms: 1_786_000_000_000, source: 'rest', raw: JSON.stringify(page('events', EVENT)) }),
      expected,
    ))
})

const page = (list: string, ...entries: object[]) => ({ [list]: entries, next_cursor: 'bmV4dA==' })

describe('a market', () => {
  test('without an event', () =>
    check('market.json', JSON.stringify(market(0)), { 'market-0': { event: null, markets: [answered(0)] } }))
  test('with its event', () =>
    check('market.json', JSON.stringify(market(0, { events: [{ slug: 'the-event', title: 'The event' }] })), {
      'market-0': { event: EVENT_ANSWER, markets: [answered(0)] },
    }))
  test('on a page with others', () =>
    check('page.json', JSON.stringify(page('markets', market(0), market(1))), {
      'market-0': { event: null, markets: [answered(0)] },
      'market-1': { event: null, markets: [answered(1)] },
    }))
  test('in an envelope, with lists that are lists', () =>
    check('m.jsonl', JSON.stringify({ raw: market(0, { outcomes: ['Yes', 'No'], clobTokenIds: ['100', '200'] }) }), {
      'market-0': { event: null, markets: [answered(0)] },
    }))
  test('with a condition in upper case', () =>
    check('m.json', JSON.stringify(market(0, { conditionId: `0x${'A'.repeat(64)}` })), {
      'market-0': { event: null, markets: [answered(0)] },
    }))
})

test('an event slug comes before a market slug', () =>
  check('all.ndjson', [EVENT, market(1, { slug: 'the-event' })].map((line) => JSON.stringify(line)).join('\n'), {
    'the-event': { event: EVENT_ANSWER, markets: [answered(0), answered(1)] },
  }))

test('metadata between records costs neither', () =>
  withStore(async (store) => {
    const lines = [
      kalshiTrade(1, '1'),
      EVENT,
      kalshiTrade(2, '2'),
      { event: { event_ticker: 'KX-1', series_ticker: 'KX', title: 'T', markets: [{ ticker: 'KX-1' }] } },
    ]
    const report = await store.loadLines(
      'c.ndjson',
      lines.map((line) => JSON.stringify(line)),
    )
    expect(report).toMatchObject({ records: 2, metadata: 5, rejected: 0, skipped: {} })
    expect((await store.dates('kalshi', TICKER)).length).toBe(1)
    expect(await store.store.catalogue.slug('the-event')).toBeDefined()
  }))

test('of the synthetic day is found', () => {
  const day = syntheticDay({ date: '2026-08-10' })
  return withStore(async (store) => {
    await store.loadLines('c.ndjson', [JSON.stringify(day.gammaEvent)])
    const found = await store.store.catalogue.slug(day.slug)
    expect(found?.event?.slug).toBe(day.slug)
    expect(found?.markets.map(({ conditionId }) => conditionId)).toContain(day.conditionId)
    expect(found?.markets.flatMap(({ asset_ids }) => asset_ids)).toEqual(expect.arrayContaining(day.assetIds))
  })
})

describe.skipIf(!hasCaptures)('real metadata', () => {
  test('of Gamma is found by its slug', () =>
    withStore(async (store) => {
      const folder = capture('polymarket/gamma')
      for (const name of readdirSync(folder).slice(0, 12)) {
        const path = join(folder, name)
        const [report] = await store.load(path)
        expect(report).toMatchObject({ rejected: 0, error: null, records: 0 })
        expect(report!.metadata).toBeGreaterThan(0)
        if (!name.endsWith('.json')) continue
        const value = await Bun.file(path).json()
        const one = Array.isArray(value) ? value[0] : value
        expect((await store.store.catalogue.slug(one.slug))?.markets[0]).toMatchObject({
          conditionId: one.conditionId,
          question: one.question,
          asset_ids: JSON.parse(one.clobTokenIds),
          outcomes: JSON.parse(one.outcomes),
        })
      }
    }))

  test('of Kalshi is known, and no reject', () =>
    withStore(async (store) => {
      for (const name of readdirSync(capture('kalshi')).filter((file) => file.endsWith('.json'))) {
        const [report] = await store.load(capture(`kalshi/${name}`))
        expect(report).toMatchObject({ rejected: 0, error: null, records: 0 })
      }
    }))

  test('REST books are snapshots', () =>
    withStore(async (store) => {
      const folder = capture('polymarket/rest-books')
      for (const name of readdirSync(folder)) {
        const value = await Bun.file(join(folder, name)).json()
        const [report] = await store.load(join(folder, name))
        if (value.market === undefined) continue
        expect(report).toMatchObject({ records: 1, rejected: 0, error: null })
        const [date] = await store.dates('polymarket', value.market)
        expect(await store.records('polymarket', value.market, date!)).toMatchObject([
          { type: 'snapshot', asset_id: value.asset_id, timestamp: Number(value.timestamp), msg: value },
        ])
      }
    }))
})
