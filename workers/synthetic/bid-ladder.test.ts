// Compares the ladder with an obvious model.

import { expect, test } from 'bun:test'
import { BidLadder } from './bid-ladder.ts'
import { Random } from './random.ts'

test('BidLadder agrees with a plain map after every change', () => {
  const random = new Random(3, 'ladder')
  const ladder = new BidLadder()
  const model = new Map<number, number>()
  for (let change = 0; change < 2_000; change++) {
    const price = random.between(1, 40)
    const size = model.get(price) ?? 0
    const delta = random.chance(0.5) ? -size : random.between(1, 100)
    if (delta === 0) continue
    ladder.add(price, delta)
    if (size + delta === 0) model.delete(price)
    else model.set(price, size + delta)

    const prices = [...model.keys()].sort((a, b) => a - b)
    expect(ladder.prices()).toEqual(prices)
    expect(ladder.prices().map((each) => ladder.sizeCenti(each))).toEqual(prices.map((each) => model.get(each)!))
    expect([ladder.count, ladder.bestMilli]).toEqual([prices.length, prices.at(-1) ?? 0])
    expect([ladder.atRank(2), ladder.atRank(99)]).toEqual([prices.at(-3) ?? 0, 0])
  }
})

test('BidLadder refuses to go below nothing', () => {
  const ladder = new BidLadder()
  ladder.add(500, 10)
  expect(() => ladder.add(500, -11)).toThrow()
})
