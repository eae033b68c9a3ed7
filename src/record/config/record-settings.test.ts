// Tests the share of a recorder. A market must belong to the same share in all versions of the program, because
// recorders of different versions share the markets.

import { expect, test } from 'bun:test'
import { isOfShare, shareOf } from './record-settings.ts'

const shareIn = (market: string, count: number) =>
  Array.from({ length: count }, (_, index) => index + 1).filter((number) =>
    isOfShare({ market, books: [] }, { number, count }),
  )

test.each([
  // Columns: id, first 8 bytes of its SHA-256, share of three, share of four.
  ['KXBTCD-26NOV2217-T99999.99', 6476613778569142645n, 2, 2],
  ['KXREC-0', 2215145107986212048n, 3, 1],
  ['FED-25DEC-T4.00', 16470126761461286357n, 3, 2],
  [`0x${'ab'.repeat(32)}`, 7509378537272286955n, 2, 4],
  ['0xe3b423dfad8c22ff75c9899c4e8176f628cf4ad4caa00481764d320e7415f7a9', 16453714704024623138n, 3, 3],
])('%s belongs to the shares that its hash determines', (market, hash, ofThree, ofFour) => {
  expect([Number(hash % 3n) + 1, Number(hash % 4n) + 1]).toEqual([ofThree, ofFour])
  expect(shareIn(market, 3)).toEqual([ofThree])
  expect(shareIn(market, 4)).toEqual([ofFour])
  expect(shareIn(market, 1)).toEqual([1])
})

test('a token whose market is not known counts by its own id', () => {
  expect(isOfShare({ market: null, books: ['KXREC-0'] }, { number: 3, count: 3 })).toBe(true)
})

test('shares are about even', () => {
  const counts = [0, 0, 0, 0]
  for (let n = 0; n < 4_000; n++) counts[shareIn(`KXTEST-${n}`, 4)[0]! - 1]!++
  expect(Math.min(...counts)).toBeGreaterThan(900)
})

test('a text is a share, or invalid', () => {
  expect(shareOf('2/3')).toEqual({ number: 2, count: 3 })
  for (const text of ['', '0/3', '4/3', '3', 'a/b', '1/0']) expect(shareOf(text)).toBeUndefined()
})
