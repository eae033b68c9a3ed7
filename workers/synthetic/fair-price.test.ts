// Tests the two kinds of paths that a price can take.

import { expect, test } from 'bun:test'
import { settlingPrice, wanderingPrice } from './fair-price.ts'
import { Random } from './random.ts'

const STEPS = 5_000
const course = (fair: (lifeShare: number) => number) =>
  Array.from({ length: STEPS + 1 }, (_, step) => fair(step / STEPS))

test('wanderingPrice moves, and stays near the path from one value to the other', () => {
  for (let seed = 0; seed < 20; seed++) {
    const prices = course(wanderingPrice(new Random(seed, 'w'), { fromMilli: 300, toMilli: 600, widthMilli: 20 }))
    expect(new Set(prices).size).toBeGreaterThan(STEPS / 2)
    prices.forEach((price, step) => {
      expect(Math.abs(price - 300 - (300 * step) / STEPS)).toBeLessThan(110)
    })
  }
})

test('settlingPrice begins near a half and ends near nothing or everything, either way', () => {
  const ends = Array.from({ length: 200 }, (_, seed) => {
    const prices = course(settlingPrice(new Random(seed, 's')))
    expect(Math.abs(prices[0]! - 500)).toBeLessThan(250)
    for (const price of prices) expect(price).toBeWithin(4, 996.1)
    return prices.at(-1)!
  })
  const decided = ends.filter((end) => end < 60 || end > 940)
  expect(decided.length).toBeGreaterThan(100)
  expect(decided.filter((end) => end < 60).length / decided.length).toBeWithin(0.35, 0.65)
})
