// Tests values of trades in other programs' files: times in any spelling, and how a time is printed.

import { expect, test } from 'bun:test'
import { instantText, messageBytesOf, refused, timeUsOf } from './trade-values.ts'

const US = Date.parse('2026-08-10T12:00:00Z') * 1_000

test.each<[unknown, number]>([
  ['2026-08-10T12:00:00.5Z', US + 500_000],
  ['2026-08-10 12:00:00.000001Z', US + 1],
  [US / 1e6, US],
  [`${US / 1_000}`, US],
  [`${US + 7}`, US + 7],
  [`${US + 7}123`, US + 7],
  ['noon', Number.NaN],
  [null, Number.NaN],
  [{}, Number.NaN],
])('%p', (value, expected) => expect(timeUsOf(value)).toBe(expected))

test.each([
  [US, '2026-08-10T12:00:00Z'],
  [US + 120_000, '2026-08-10T12:00:00.12Z'],
  [US + 1, '2026-08-10T12:00:00.000001Z'],
])('%d is printed as %s', (us, text) => expect(instantText(us)).toBe(text))

test('the messages of a compressed file are expected to have more bytes than the file', () => {
  const bytes = (name: string) => messageBytesOf({ name, byteLength: 10 } as never)
  expect([bytes('a.csv'), bytes('a.csv.gz'), bytes('https://x/a.zst?sig=1'), bytes('a.gz.csv')]).toEqual([
    10, 160, 160, 10,
  ])
})

test('a value that cannot be read is undefined', () => {
  expect(refused(() => JSON.parse('{') as unknown)).toBeUndefined()
  expect(refused(() => 7)).toBe(7)
})
