// Prices and sizes are printed as the venues' sockets do.

import { expect, test } from 'bun:test'
import { parseExactly } from './exact-json.ts'
import { printed, printedMicros } from './printed-amounts.ts'

const cents = { mayBeCents: true }
const flipped = { isFlipped: true }

test.each<[string, number, Parameters<typeof printed>[2], string | undefined]>([
  ['"0.48"', 4, undefined, '0.4800'],
  ['0.4800', 0, undefined, '0.48'],
  ['"7.50"', 2, undefined, '7.50'],
  ['7', 2, undefined, '7.00'],
  ['-1.5', 2, undefined, '-1.50'],
  ['1.000000', 0, undefined, '1'],
  ['48', 4, cents, '0.4800'],
  ['"48.5"', 4, cents, '48.5000'],
  ['"0.47"', 4, flipped, '0.5300'],
  ['47', 4, { ...cents, ...flipped }, '0.5300'],
  ['"0.12345678"', 4, undefined, '0.12345678'],
  ['"0.12345678"', 4, flipped, undefined],
  ['"x"', 0, undefined, undefined],
  ['null', 0, undefined, undefined],
])('%s with %d places, %p: %p', (value, decimals, meaning, expected) =>
  expect(printed(parseExactly(`{"v":${value}}`)['v'], decimals, meaning)).toBe(expected),
)

test('micros', () => {
  expect([0, 1, -1_000_001, 480_000].map((micros) => printedMicros(micros, 2))).toEqual([
    '0.00',
    '0.000001',
    '-1.000001',
    '0.48',
  ])
  expect(printedMicros(2_000_000, 0)).toBe('2')
})
