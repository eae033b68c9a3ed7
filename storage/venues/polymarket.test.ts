// Tests which texts are condition ids, and their spelling in the store.

import { expect, test } from 'bun:test'
import { POLYMARKET } from './polymarket.ts'

const ID = `0x${'aB'.repeat(32)}`

test('a condition id has 64 hexadecimal digits and is stored in small letters; slugs stay as they are', () => {
  expect(POLYMARKET.isMarket(ID)).toBe(true)
  expect([ID.slice(0, -1), `${ID}0`, ID.slice(2), ID.replace('a', 'g'), ''].some(POLYMARKET.isMarket)).toBe(false)
  expect(POLYMARKET.canonical(ID)).toBe(ID.toLowerCase())
  expect(POLYMARKET.canonicalEvent('Who-Wins')).toBe('Who-Wins')
})
