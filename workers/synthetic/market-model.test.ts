// The market keeps its promises whatever the price does: never crossed, never negative, every change reported.

import { describe, expect, test } from 'bun:test'
import { BidLadder } from './bid-ladder.ts'
import { MarketModel, type MarketShape } from './market-model.ts'
import { Random } from './random.ts'

const SHAPE: MarketShape = { tickMilli: 1, halfSpreadMilli: 1.2, levelsMin: 40, levelsMax: 80, lotCenti: 100 }
const copy = (ladder: BidLadder) => {
  const same = new BidLadder()
  for (const price of ladder.prices()) same.add(price, ladder.sizeCenti(price))
  return same
}
const levels = (ladder: BidLadder) => ladder.prices().map((price) => [price, ladder.sizeCenti(price)])

describe.each([
  { name: 'in mills', shape: SHAPE },
  { name: 'in cents', shape: { ...SHAPE, tickMilli: 10, halfSpreadMilli: 4 } },
])('MarketModel $name', ({ shape }) => {
  test('follows a price that jumps anywhere, and reports every change', () => {
    const random = new Random(5, 'model')
    const model = new MarketModel(random, shape, 500)
    const reported = { yes: copy(model.yes), no: copy(model.no) }
    let fairMilli = 500
    for (let step = 0; step < 20_000; step++) {
      if (step % 50 === 0) fairMilli = random.between(4, 996)
      const { changes, fills } = model.next(fairMilli)
      for (const { side, priceMilli, deltaCenti } of changes) {
        expect(priceMilli % shape.tickMilli).toBe(0)
        reported[side].add(priceMilli, deltaCenti)
      }
      for (const { side, priceMilli, sizeCenti } of fills) {
        expect(changes).toContainEqual({ side, priceMilli, deltaCenti: -sizeCenti })
      }
      expect(model.yes.bestMilli + model.no.bestMilli).toBeLessThan(1_000)
    }
    expect(levels(reported.yes)).toEqual(levels(model.yes))
    expect(levels(reported.no)).toEqual(levels(model.no))
  })

  test('keeps its depth and a narrow spread while the price is calm', () => {
    const model = new MarketModel(new Random(6, 'model'), shape, 500)
    for (let step = 0; step < 5_000; step++) {
      model.next(500)
      expect(Math.min(model.yes.count, model.no.count)).toBeGreaterThanOrEqual(30)
      expect(Math.max(model.yes.count, model.no.count)).toBeLessThanOrEqual(90)
    }
    expect(1_000 - model.yes.bestMilli - model.no.bestMilli).toBeLessThan(5 * shape.tickMilli)
  })

  test('removes orders at the close', () => {
    const model = new MarketModel(new Random(7, 'model'), shape, 500)
    const { changes } = model.withdraw(12)
    expect(changes).toHaveLength(12)
    expect(changes.every(({ deltaCenti }) => deltaCenti < 0)).toBe(true)
  })
})
