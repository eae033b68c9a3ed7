// Tests lookup/slug: slugs, addresses, and other text.

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { SLUG_BYTES_MAX, type SlugAnswer } from '../../storage/catalogue.ts'
import { ask, CONDITION, fakeCatalogue, testApp } from '../../test/support/server.ts'
import { TestStore } from '../../test/support/store.ts'
import { slugOf } from './lookup.ts'

const ANSWER: SlugAnswer = {
  event: { slug: 'fed-october', title: 'Fed in October?' },
  markets: [
    {
      question: 'No change?',
      conditionId: CONDITION,
      slug: 'no-change',
      asset_ids: ['1', '2'],
      outcomes: ['Yes', 'No'],
    },
  ],
}
const catalogue = fakeCatalogue({ slug: (slug) => (slug === 'fed-october' ? ANSWER : undefined) })
const LONG = 'x'.repeat(SLUG_BYTES_MAX)
const path = (slug: string) => `/lookup/slug?slug=${encodeURIComponent(slug)}`

test.each(['/lookup/slug', '/polymarket/lookup/slug', '/api/v1/lookup/slug', '/api/v1/polymarket/lookup/slug'])(
  '%s answers without a key',
  async (route) => {
    const { body } = await ask(testApp({ catalogue }), `${route}?slug=fed-october`, { headers: {} })
    expect(body).toEqual({ slug: 'fed-october', ...ANSWER })
  },
)

test.each([
  ['fed-october', 'fed-october'],
  [' fed-october ', 'fed-october'],
  ['https://polymarket.com/event/fed-october', 'fed-october'],
  ['https://polymarket.com/event/fed-october/', 'fed-october'],
  ['https://polymarket.com/event/fed-october?tid=17#top', 'fed-october'],
  ['https://polymarket.com/event/fed-october/no-change?tid=1', 'no-change'],
  ['polymarket.com/event/fed-october', 'fed-october'],
  ['/event/fed-october', 'fed-october'],
  ['will-x-reach-1.5', 'will-x-reach-1.5'],
  ['-a', '-a'],
  ['_a', '_a'],
  ['.5-or-more', '.5-or-more'],
  ['...', '...'],
  ['-', '-'],
  ['https://polymarket.com/event/_a/-b?tid=1', '-b'],
])('the slug of %p is %s', (given, slug) => expect(slugOf(given)).toBe(slug))

test('a slug may be as long as a stored slug, in an address too', async () => {
  for (const given of [LONG, `https://polymarket.com/event/${LONG}/${LONG}?tid=1700000000000`]) {
    expect(slugOf(given)).toBe(LONG)
    expect((await ask(testApp({ catalogue }), path(given))).status).toBe(404)
  }
  expect((await ask(testApp({ catalogue }), path(`${LONG}x`))).status).toBe(400)
})

test.each([
  ...['a b', 'https://polymarket.com', 'https://polymarket.com/', '?', '/', 'a"b'],
  ...['.', '..', '../..', 'https://polymarket.com/event/..', 'a\\b', '..\\..', '%2e%2e', 'a%2Fb', 'a&slug=b'],
  ...['a\r\nhost: b', 'a\n-b', 'a\0', '-\u007f', 'é', '\u2024\u2024', '-\ud800'],
])('%p is no slug', async (given) => {
  const lookups: string[] = []
  const askForSlug = async (slug: string) => {
    lookups.push(slug)
    return undefined
  }
  const { status, body } = await ask(testApp({ catalogue, askForSlug }), path(given.toWellFormed()))
  expect([status, lookups]).toEqual([400, []])
  expect(body).toMatchObject({ code: 'parameters_invalid', errors: [{ field: 'slug' }] })
})

test.each([
  '/lookup/slug',
  '/lookup/slug?slug=',
  `/lookup/slug?slug=https://a.example/${'x/'.repeat(1_000)}a`,
  '/lookup/slug?slug=a&x=1',
])('%s is 400', async (wrong) => expect((await ask(testApp({ catalogue }), wrong)).status).toBe(400))

test('a stored market is found by its slug', async () => {
  const store = new TestStore()
  try {
    const slugs = ['-a', '_b', '.5-or-more', '...', 'x'.repeat(257), LONG]
    const market = { conditionId: CONDITION, question: 'No change?' }
    const lines = slugs.map((slug) => JSON.stringify({ ...market, slug }))
    expect(await store.loadLines('slugs.ndjson', lines)).toMatchObject({ metadata: 1, rejected: 0 })
    const app = testApp({ catalogue: store.store.catalogue })
    for (const slug of slugs) {
      const { status, body } = await ask(app, path(slug))
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ slug, markets: [expect.objectContaining({ slug })] }),
      ])
    }
  } finally {
    await store.close()
  }
})

test('an upper-case spelling is found, too', async () =>
  expect((await ask(testApp({ catalogue }), path('Fed-October'))).status).toBe(200))

test('an unknown slug is 404', async () =>
  expect((await ask(testApp({ catalogue }), path('other'))).body).toMatchObject({
    status: 404,
    code: 'slug_not_found',
  }))

test('an unknown slug is looked up elsewhere if that is set up', async () => {
  const lookups: string[] = []
  const askForSlug = async (slug: string) => {
    lookups.push(slug)
    return ANSWER
  }
  expect((await ask(testApp({ catalogue, askForSlug }), path('other'))).body).toEqual({ slug: 'other', ...ANSWER })
  await ask(testApp({ catalogue, askForSlug }), path('fed-october'))
  expect(lookups).toEqual(['other'])
})

test('a market names its event, and later metadata removes nothing', async () => {
  const store = new TestStore()
  const id = (digit: string) => `0x${digit.repeat(64)}`
  const event = { slug: 'the-event', title: 'The event?' }
  const market = (digit: string) => ({
    question: `Question ${digit}?`,
    conditionId: id(digit),
    slug: `market-${digit}`,
    clobTokenIds: '["1", "2"]',
    outcomes: '["Yes", "No"]',
    events: [event],
  })
  const answers = (digit: string) => ({
    question: `Question ${digit}?`,
    conditionId: id(digit),
    slug: `market-${digit}`,
    asset_ids: ['1', '2'],
    outcomes: ['Yes', 'No'],
  })
  const load = (...documents: object[]) =>
    store.loadLines(
      'gamma.ndjson',
      documents.map((document) => JSON.stringify(document)),
    )
  try {
    const app = testApp({ catalogue: store.store.catalogue })
    const find = async (slug: string) => (await ask(app, path(slug))).body
    await load(market('a'), market('b'))
    const both = { event, markets: [answers('a'), answers('b')] }
    expect(await find('the-event')).toEqual({ slug: 'the-event', ...both })

    // Metadata with fewer fields for the markets, and for the event as a whole.
    await load({ ...market('a'), clobTokenIds: '[]', outcomes: '', events: [{ slug: 'the-event' }] })
    await load({ slug: 'the-event', title: '', markets: [] })
    expect(await find('the-event')).toEqual({ slug: 'the-event', ...both })
    expect(await find('market-a')).toEqual({ slug: 'market-a', event, markets: [answers('a')] })

    // Trades and positions of the data API name a market, and so do objects with an invalid condition id. None is
    // metadata.
    const trade = { conditionId: id('a'), slug: 'market-a', title: 'Question a?', eventSlug: 'the-event', price: 0.5 }
    const report = await load(trade, { ...market('c'), conditionId: '0xabc' })
    expect(report).toMatchObject({ metadata: 0, rejected: 2 })
    expect(readFileSync(report.rejectFile!, 'utf8')).toContain('eventSlug')
    expect(await find('market-a')).toEqual({ slug: 'market-a', event, markets: [answers('a')] })
    expect((await ask(app, path('market-c'))).status).toBe(404)
  } finally {
    await store.close()
  }
})
