// lookup/slug: slugs, addresses, and what is neither.

import { expect, test } from 'bun:test'
import { slugOf } from '../../../src/routes/lookup.ts'
import type { SlugAnswer } from '../../../storage/catalogue.ts'
import { ask, CONDITION, fakeCatalogue, testApp } from '../../support/server.ts'

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
])('the slug of %p is %s', (given, slug) => expect(slugOf(given)).toBe(slug))

test.each(['a b', 'https://polymarket.com', 'https://polymarket.com/', '?', '/', '-a', 'a"b', 'x'.repeat(257)])(
  '%p is no slug',
  async (given) => {
    const { status, body } = await ask(testApp({ catalogue }), path(given))
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'parameters_invalid', errors: [{ field: 'slug' }] })
  },
)

test.each(['/lookup/slug', '/lookup/slug?slug=', `/lookup/slug?slug=${'x'.repeat(1001)}`, '/lookup/slug?slug=a&x=1'])(
  '%s is 400',
  async (wrong) => expect((await ask(testApp({ catalogue }), wrong)).status).toBe(400),
)

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
