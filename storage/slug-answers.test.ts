// A new answer about a slug adds values, and removes none.

import { expect, test } from 'bun:test'
import type { SlugAnswer } from './catalogue.ts'
import { mergedAnswer } from './slug-answers.ts'

const market = (id: string, more: object = {}) => ({
  ...{ question: `${id}?`, conditionId: id, slug: `s-${id}`, asset_ids: [`${id}1`], outcomes: ['Yes'] },
  ...more,
})
const answer = (markets: SlugAnswer['markets'], event: SlugAnswer['event'] = null): SlugAnswer => ({ event, markets })
const idsOf = ({ markets }: SlugAnswer) => markets.map(({ conditionId }) => conditionId)

test('the first answer is taken as it is', () => {
  const first = answer([market('a')])
  expect(mergedAnswer(undefined, first)).toBe(first)
})

test('an answer with all stored markets gives their order', () => {
  expect(
    idsOf(mergedAnswer(answer([market('a'), market('b')]), answer([market('c'), market('b'), market('a')]))),
  ).toEqual(['c', 'b', 'a'])
})

test('markets that the new answer does not name stay', () => {
  expect(idsOf(mergedAnswer(answer([market('a'), market('b')]), answer([market('b'), market('c')])))).toEqual([
    'a',
    'b',
    'c',
  ])
})

test('an empty value does not replace a known one, a new one does', () => {
  const received = market('a', { question: '', slug: 'new', asset_ids: [], outcomes: ['No'] })
  const merged = mergedAnswer(
    answer([market('a')], { slug: 'e', title: 'Event' }),
    answer([received], { slug: 'e2', title: '' }),
  )
  expect(merged).toEqual({
    event: { slug: 'e2', title: 'Event' },
    markets: [market('a', { slug: 'new', outcomes: ['No'] })],
  })
  const withoutSlug = answer([market('a', { slug: '' })], { slug: '', title: 'New' })
  expect(mergedAnswer(answer([market('a')], { slug: 'e', title: 'Event' }), withoutSlug)).toEqual({
    event: { slug: 'e', title: 'New' },
    markets: [market('a')],
  })
  expect(mergedAnswer(answer([], { slug: 'e', title: 'Event' }), answer([])).event).toEqual({
    slug: 'e',
    title: 'Event',
  })
})
