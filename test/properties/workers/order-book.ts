// The book: after any operations, on rungs and between them, it has the levels of a Map that is sorted on each read.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { MICROS } from '../../../storage/units.ts'
import { ASK, BID, type Side } from '../../../workers/book/ladder.ts'
import { NO_PRICE, OrderBook } from '../../../workers/book/order-book.ts'
import { property } from '../property.ts'

type Step = { side: Side; height: number; size: number } | 'snapshot'

/** Heights of levels, 1e-6 dollars: a few that repeat often, heights on rungs, and any others. */
const height = fc.oneof(
  fc.constantFrom(0, MICROS, 100, 500_000, 500_100, 515_000, 999_900),
  fc.integer({ min: 0, max: 10_000 }).map((rung) => rung * 100),
  fc.integer({ min: 0, max: MICROS }),
)
const size = fc.oneof(fc.constantFrom(0, -1, 1), fc.integer({ min: -5, max: 100 }), fc.maxSafeInteger())
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 40, arbitrary: fc.record({ side: fc.constantFrom(BID, ASK), height, size }) },
  { weight: 1, arbitrary: fc.constant('snapshot' as const) },
)

const descending = (levels: Map<number, number>) => [...levels].sort(([a], [b]) => b - a)

export const orderBookProperties = [
  property('the book has the levels of a sorted Map', 150, [fc.array(step, { size: 'large' })], (steps) => {
    const book = new OrderBook()
    const model: [Map<number, number>, Map<number, number>] = [new Map(), new Map()]
    book.reset('snapshot')
    for (const step of steps) {
      if (step === 'snapshot') {
        book.reset('snapshot')
        for (const side of model) side.clear()
      } else {
        book.setLevel(step.side, step.height, step.size)
        if (step.size > 0) model[step.side].set(step.height, step.size)
        else model[step.side].delete(step.height)
        assert.equal(book.sizeAt(step.side, step.height), Math.max(0, step.size))
      }
      const [bid, ask] = [descending(model[BID])[0], descending(model[ASK])[0]]
      const top = { bid: 0, bidSize: 0, ask: 0, askSize: 0 }
      book.readTop(top)
      assert.deepEqual(top, {
        bid: bid?.[0] ?? NO_PRICE,
        bidSize: bid?.[1] ?? 0,
        ask: ask === undefined ? NO_PRICE : MICROS - ask[0],
        askSize: ask?.[1] ?? 0,
      })
    }
    for (const side of [BID, ASK]) assert.deepEqual(book.levels(side), descending(model[side]))
  }),
]
