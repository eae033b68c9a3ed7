// Tests names of a Nautilus catalog, and how many digits a price needs.

import { expect, test } from 'bun:test'
import { MEANINGS } from '../../venues.ts'
import { catalogPath, precisionOf } from './catalog-names.ts'

test('instruments are named as Nautilus names them', () => {
  expect(MEANINGS.kalshi.instrument.id('KX-1', 'KX-1')).toBe('KX-1.KALSHI')
  expect(MEANINGS.polymarket.instrument.id('0xab', '17')).toBe('0xab-17.POLYMARKET')
})

test('files by their first and last time, to the nanosecond', () =>
  expect(catalogPath('quotes', 'A/B^C.KALSHI', 1_786_363_200_000_007, 1_786_363_200_123_450)).toBe(
    'data/quotes/AB_C.KALSHI/2026-08-10T12-00-00-000007000Z_2026-08-10T12-00-00-123450000Z.parquet',
  ))

test.each([
  [480_000, 2],
  [485_000, 3],
  [1, 6],
  [1_000_000, 0],
  [0, 0],
])('%d millionths: %d digits', (micros, digits) => expect(precisionOf(micros)).toBe(digits))
