// lookup/slug: slugs, addresses, and what is neither.

import { expect, test } from 'bun:test'
import { slugOf } from '../../../src/routes/lookup.ts'
import { SLUG_BYTES_MAX, type SlugAnswer } from '../../../storage/catalogue.ts'
import { ask, CONDITION, fakeCatalogue, testApp } from '../../support/server.ts'
import { TestStore } from '../../support/store.ts'

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

test('a slug is as long as one that is stored, in an address too', async () => {
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
  const asked: string[] = []
  const askForSlug = async (slug: string) => {
    asked.push(slug)
    return undefined
  }
  const { status, body } = await ask(testApp({ catalogue, askForSlug }), path(given.toWellFormed()))
  expect([status, asked]).toEqual([400, []])
  expect(body).toMatchObject({ code: 'parameters_invalid', errors: [{ field: 'slug' }] })
})

test.each([
  '/lookup/slug',
  '/lookup/slug?slug=',
  `/lookup/slug?slug=https://a.example/${'x/'.repeat(1_000)}a`,
  '/lookup/slug?slug=a&x=1',
])('%s is 400', async (wrong) => expect((await ask(testApp({ catalogue }), wrong)).status).toBe(400))

test('what is stored is found by its slug', async () => {
  const store = new TestStore()
  try {
    const slugs = ['-a', '_b', '.5-or-more', '...', 'x'.repeat(257), LONG]
    const market = { conditionId: CONDITION, question: 'No change?' }
    const lines = slugs.map((slug) => JSON.stringify({ ...market, slug }))
    expect(await store.loadLines('slugs.ndjson', lines)).toMatchObject({ metadata: slugs.length, rejected: 0 })
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

test('an unknown slug is asked for elsewhere where that is set up', async () => {
  const asked: string[] = []
  const askForSlug = async (slug: string) => {
    asked.push(slug)
    return ANSWER
  }
  expect((await ask(testApp({ catalogue, askForSlug }), path('other'))).body).toEqual({ slug: 'other', ...ANSWER })
  await ask(testApp({ catalogue, askForSlug }), path('fed-october'))
  expect(asked).toEqual(['other'])
})
