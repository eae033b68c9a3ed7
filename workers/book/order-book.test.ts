// Goal: any sequence of changes leaves the same levels as the obvious, slow book: a Map that is sorted when it is read.

import { describe, expect, test } from 'bun:test'
import { Random } from '../synthetic/random.ts'
import { NO_MARK } from './book-mark.ts'
import { decodeBooks, encodeBooks } from './book-state.ts'
import { ASK, BID, type Side } from './ladder.ts'
import { NO_PRICE, OrderBook, SideLevels, type Top } from './order-book.ts'

const MICROS = 1_000_000
const NOON = Date.parse('2026-08-10T12:00:00Z')

/** Maps heights to sizes. The height of a bid is its price; the height of an ask is one dollar minus its price. */
class SlowBook {
  readonly sides: [Map<number, number>, Map<number, number>] = [new Map(), new Map()]

  set(side: Side, height: number, size: number): void {
    if (size > 0) this.sides[side].set(height, size)
    else this.sides[side].delete(height)
  }

  levels = (side: Side) => [...this.sides[side]].sort(([a], [b]) => b - a)

  top(): Top {
    const [bid, ask] = [this.levels(BID)[0], this.levels(ASK)[0]]
    return {
      bid: bid?.[0] ?? NO_PRICE,
      bidSize: bid?.[1] ?? 0,
      ask: ask === undefined ? NO_PRICE : MICROS - ask[0],
      askSize: ask?.[1] ?? 0,
    }
  }
}

const topOf = (book: OrderBook): Top => {
  const top = { bid: 0, bidSize: 0, ask: 0, askSize: 0 }
  book.readTop(top)
  return top
}

function expectSame(book: OrderBook, model: SlowBook): void {
  expect(topOf(book)).toEqual(model.top())
  for (const side of [BID, ASK] as const) {
    expect(book.levels(side)).toEqual(model.levels(side))
    const read = new SideLevels()
    const count = book.readSide(side, read)
    const prices = Array.from(read.prices.subarray(0, count), (price) => (side === BID ? price : MICROS - price))
    expect(prices.map((height, i) => [height, read.sizes[i]!])).toEqual(model.levels(side))
  }
}

// Steps in 1e-6 dollars: of a coarse market, of the rungs, and two finer than a rung.
const STEPS = [10_000, 1_000, 100, 1]
const cases = STEPS.flatMap((step) => [1, 2, 3].map((seed) => [step, seed] as const))

describe('OrderBook', () => {
  test.each(cases)('agrees with a sorted Map in steps of %d, seed %d', (step, seed) => {
    const random = new Random(seed, `book ${step}`)
    const [book, model] = [new OrderBook(), new SlowBook()]
    book.reset('snapshot')
    const heights = Array.from({ length: 30 }, () => step * random.between(0, MICROS / step))
    heights.push(0, MICROS)
    for (let change = 0; change < 1_500; change++) {
      const [side, height] = [random.pick([BID, ASK]), random.pick(heights)]
      const size = random.chance(0.45) ? -random.below(2) : random.between(1, 9) * MICROS
      book.setLevel(side, height, size)
      model.set(side, height, size)
      expect(topOf(book)).toEqual(model.top())
      expect(book.sizeAt(side, height)).toBe(Math.max(0, size) || 0)
      if (change % 100 === 0) expectSame(book, model)
    }
    expectSame(book, model)
    const [restored] = decodeBooks(encodeBooks([{ id: 'A', book, mark: NO_MARK }]))
    expectSame(restored!.book, model)
    book.reset('snapshot')
    expectSame(book, new SlowBook())
  })

  test('that is observed takes the top that the venue states, with the size seen there', () => {
    const book = new OrderBook()
    book.setLevel(BID, 480_000, 5)
    book.setLevel(ASK, MICROS - 520_000, 7)
    expect(topOf(book)).toEqual({ bid: 480_000, bidSize: 5, ask: 520_000, askSize: 7 })
    book.venueBid = 480_000
    book.venueAsk = 510_000
    expect(topOf(book)).toEqual({ bid: 480_000, bidSize: 5, ask: 510_000, askSize: 0 })
    book.venueBid = NO_PRICE
    expect(topOf(book)).toEqual({ bid: NO_PRICE, bidSize: 0, ask: 510_000, askSize: 0 })
    book.trust = 'established'
    expect(topOf(book)).toEqual({ bid: 480_000, bidSize: 5, ask: 520_000, askSize: 7 })
  })
})

describe('encodeBooks', () => {
  test('keeps several books with all their state', () => {
    const books = (['observed', 'established', 'lost'] as const).map((trust, index) => {
      const book = new OrderBook()
      book.trust = trust
      book.venueBid = index === 0 ? 450_000 : Number.NaN
      book.venueAsk = index === 0 ? NO_PRICE : Number.NaN
      book.openQuoteMs = index - 1
      if (trust !== 'lost') book.setLevel(ASK, 470_000, 123_456_789_000_001)
      const place = { timeMs: NOON + index, record: index }
      const mark = { last: place, change: null, trade: place, tickSize: { timeMs: NOON, micros: 10_000 } }
      return { id: `book ${index}`, book, mark }
    })
    const restored = decodeBooks(encodeBooks(books))
    expect(restored.map(({ id }) => id)).toEqual(['book 0', 'book 1', 'book 2'])
    restored.forEach(({ book, mark }, index) => {
      expect(mark).toEqual(books[index]!.mark)
      const { trust, venueBid, venueAsk, openQuoteMs } = books[index]!.book
      expect(book).toMatchObject({ trust, venueBid, venueAsk, openQuoteMs })
      expect(book.levels(ASK)).toEqual(books[index]!.book.levels(ASK))
    })
  })

  test('refuses damaged bytes', () => {
    const bytes = encodeBooks([{ id: 'A', book: new OrderBook(), mark: NO_MARK }])
    for (let at = 0; at < bytes.length; at++) {
      const damaged = bytes.with(at, bytes[at]! ^ 1)
      expect(() => decodeBooks(damaged)).toThrow(expect.objectContaining({ code: 'block_corrupt' }))
    }
  })
})
