// Tests which texts are tickers, and their spelling in the store.

import { expect, test } from 'bun:test'
import { KALSHI } from './kalshi.ts'

test('a ticker has letters, digits, dots, dashes and underscores, and is stored in capitals', () => {
  expect(['KXA-26AUG-T4394.94', 'kxa_1', 'A'.repeat(128)].every(KALSHI.isMarket)).toBe(true)
  expect(['', 'KX A', 'KXÄ', 'KX/A', 'A'.repeat(129)].some(KALSHI.isMarket)).toBe(false)
  expect(KALSHI.canonical('kxa-26aug')).toBe('KXA-26AUG')
  expect(KALSHI.canonicalEvent('kxa')).toBe('KXA')
})
