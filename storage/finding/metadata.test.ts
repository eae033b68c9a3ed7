// The later of two descriptions wins, but does not remove known values.

import { expect, test } from 'bun:test'
import { type Description, type MarketCard, mergedMetadata } from './metadata.ts'

const NO_CARD: MarketCard = { title: null, subtitle: null, slug: null, event: null, outcomes: [] }
const description = (saidMs: number | null, card: Partial<MarketCard>, json: object = {}): Description<MarketCard> => ({
  ...{ card: { ...NO_CARD, ...card }, said: json as Description<MarketCard>['said'], saidMs },
})
const outcome = (name: string, token: string | null = null) => ({ outcome: name, title: null, asset_id: token })

test('the venue’s time decides which is later, not the order in which they came', () => {
  const merged = mergedMetadata(
    undefined,
    [description(20, { title: 'new' }), description(10, { title: 'old', slug: 'x' })],
    99,
  )
  expect([merged.card.title, merged.card.slug, merged.saidMs, merged.loadedMs]).toEqual(['new', 'x', 20, 99])
})

test('without a time the one that came later wins', () => {
  const merged = mergedMetadata(
    undefined,
    [description(20, { title: 'first' }), description(null, { title: 'second' })],
    99,
  )
  expect([merged.card.title, merged.saidMs]).toEqual(['second', 20])
})

test('values that the later description leaves empty stay', () => {
  const empty = { a: '', b: [], c: null, d: '0001-01-01T00:00:00Z', e: '[]', f: {}, g: 0, h: false }
  const full = { a: 'x', b: [1], c: 1, d: '2026-01-01', e: '["t"]', f: { y: 1 }, g: 5, h: true }
  const { said: merged } = mergedMetadata(undefined, [description(1, {}, full), description(2, {}, empty)], 99)
  // Zero and false count as values.
  expect(merged).toEqual({ ...full, g: 0, h: false })
})

test('names and tokens of outcomes come in lists of their own', () => {
  const named = description(1, { outcomes: [outcome('Yes'), outcome('No')] })
  const tokens = description(2, { outcomes: [outcome('', 't1'), outcome('', 't2')] })
  expect(mergedMetadata(undefined, [named, tokens], 99).card.outcomes).toEqual([
    outcome('Yes', 't1'),
    outcome('No', 't2'),
  ])
})

test('a repeated description changes nothing, not even its time of loading', () => {
  const stored = mergedMetadata(undefined, [description(1, { title: 'a' }, { x: 1 })], 99)
  expect(mergedMetadata(stored, [description(1, { title: 'a' }, { x: 1 })], 100)).toBe(stored)
  expect(mergedMetadata(stored, [description(1, { title: 'a' }, { x: 2 })], 100).loadedMs).toBe(100)
})
