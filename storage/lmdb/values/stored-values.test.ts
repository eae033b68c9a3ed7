// Goal: entries of markets and answers about slugs open as they were stored, and damage names them.

import { expect, test } from 'bun:test'
import { assertMarket, openMarket, openSlug, sealMarket, sealSlug } from './stored-values.ts'

const KEY = ['kalshi', 'KXA']
const ENTRY = {
  ...{ firstDate: '2026-08-09', lastDate: '2026-08-10', dateCount: 2, recordCount: Number.MAX_SAFE_INTEGER },
  ...{ revision: 7, base: 3 },
}

test('an entry of a market', () => {
  const sealed = sealMarket(KEY, ENTRY)
  expect(openMarket(KEY, sealed)).toEqual(ENTRY)
  expect(openMarket(KEY, new Uint8Array(sealed))).toEqual(ENTRY)
  expect(() => assertMarket(KEY, sealed)).not.toThrow()
  const message = 'The stored entry of the kalshi market KXB is damaged: it does not match its checksum'
  expect(() => openMarket(['kalshi', 'KXB'], sealed)).toThrow(message)
  expect(() => assertMarket(['kalshi', 'KXB'], sealed)).toThrow(message)
})

test('an answer about a slug', () => {
  const answer = { event: { slug: 'e', title: 'Event' }, markets: [] }
  const sealed = sealSlug(['event', 'e'], answer)
  expect(openSlug(['event', 'e'], sealed)).toEqual(answer)
  expect(() => openSlug(['market', 'e'], sealed)).toThrow('The stored answer about the market slug e is damaged')
})
