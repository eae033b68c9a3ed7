// Makes the No side of a market of Kalshi from answers about Yes. It is exact, and a second flip gives Yes again.

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { ticksOf } from '../ticks.ts'
import {
  flippedBook,
  flippedChanges,
  flippedDepth,
  flippedEach,
  flippedPrice,
  flippedQuotes,
  flippedStudy,
  flippedTrades,
} from './flips.ts'

const numbers = (...values: number[]) => Float64Array.from(values)

describe('the No side', () => {
  test('has exact prices, and none where Yes has none', () => {
    fc.assert(
      // Mids are multiples of half of 1e-6 dollars.
      fc.property(fc.integer({ min: 0, max: 2e6 }), (halves) => {
        expect(flippedPrice(halves / 2e6)).toBe((2e6 - halves) / 2e6)
        expect(flippedPrice(flippedPrice(halves / 2e6))).toBe(halves / 2e6)
      }),
    )
    expect(flippedPrice(Number.NaN)).toBeNaN()
  })

  test('has bids where Yes has asks, starting with the best', () => {
    const book = {
      bids: [
        [0.41, 5],
        [0.4, 7],
      ],
      asks: [[0.44, 2]],
      last_trade: { price: 0.43, side: 'buy' as const, size: 1 },
    }
    expect<object>(flippedBook(book)).toEqual({
      bids: [[0.56, 2]],
      asks: [
        [0.59, 5],
        [0.6, 7],
      ],
      last_trade: { price: 0.57, side: 'sell', size: 1 },
    })
    expect(flippedBook(flippedBook(book))).toEqual(book)
    expect(flippedBook({ bids: [], asks: [], last_trade: null })).toEqual({ bids: [], asks: [], last_trade: null })
  })

  test('has the lowest price of a bucket where Yes has the highest', () => {
    const bucket = {
      ...{ best_bid: 0.3, best_bid_low: 0.2, best_bid_high: 0.35, best_ask: 0.5, best_ask_low: 0.45 },
      ...{ best_ask_high: 0.6, mid_price_open: 0.31, mid_price_high: 0.42, mid_price_low: 0.29, mid_price_close: 0.4 },
      ...{ spread: 0.2, quote_count: 9 },
    }
    const columns = Object.fromEntries(Object.entries(bucket).map(([name, value]) => [name, numbers(value)]))
    const flipped = flippedQuotes({ columns }).columns
    expect(Object.fromEntries(Object.entries(flipped).map(([name, [value]]) => [name, value!]))).toEqual({
      ...{ best_bid: 0.5, best_bid_low: 0.4, best_bid_high: 0.55, best_ask: 0.7, best_ask_low: 0.65 },
      ...{ best_ask_high: 0.8, mid_price_open: 0.69, mid_price_high: 0.71, mid_price_low: 0.58, mid_price_close: 0.6 },
      ...{ spread: 0.2, quote_count: 9 },
    })
  })

  test('has sellers where Yes has buyers', () => {
    const side = ['buy', 'sell', null] as const
    const other = ['sell', 'buy', null] as const
    const [price, flipped] = [numbers(0.1, 0.25, 0.999), numbers(0.9, 0.75, 0.001)]
    expect<object>(flippedEach({ price, side })).toEqual({ price: flipped, side: [...other] })
    const bucket = {
      ...{ open: numbers(0.2), high: numbers(0.4), low: numbers(0.1), close: numbers(0.3) },
      vwap: numbers(0.25),
      buyVolume: numbers(3),
      sellVolume: numbers(8),
    }
    expect(flippedTrades(bucket)).toEqual({
      ...{ open: numbers(0.8), high: numbers(0.9), low: numbers(0.6), close: numbers(0.7) },
      ...{ vwap: numbers(0.75), buyVolume: numbers(8), sellVolume: numbers(3) },
    })
    const study = { imbalance: numbers(0.5, 0), bidDepth: numbers(3), askDepth: numbers(1) }
    expect(flippedStudy(study)).toEqual({ imbalance: numbers(-0.5, 0), bidDepth: numbers(1), askDepth: numbers(3) })
    const block = { prices: numbers(0.4, 0.6, Number.NaN), sides: Uint8Array.of(0, 1, 255) }
    const { prices, sides } = flippedChanges(block)
    expect([[...prices], [...sides]]).toEqual([
      [0.6, 0.4, Number.NaN],
      [1, 0, 255],
    ])
  })

  test('has a depth map whose rows start at their lowest No price', () => {
    const map = {
      columns: 2,
      priceStep: 0.01,
      prices: numbers(0.4, 0.41, 0.5),
      sizes: Float32Array.of(1, 2, 3, 0, -5, -6),
    }
    const flipped = flippedDepth(map, () => 0.01, 0.01)
    expect(flipped.prices).toEqual(numbers(0.5, 0.59, 0.6))
    expect(flipped.sizes).toEqual(Float32Array.of(5, 6, -3, 0, -1, -2))
    // The row has several ticks: 40.0, 40.1, … 40.4¢ of Yes are 59.6 to 60.0¢ of No.
    const tall = { ...map, priceStep: 0.005, prices: numbers(0.4), sizes: Float32Array.of(1, 2) }
    expect(flippedDepth(tall, () => 0.001, 0.001).prices).toEqual(numbers(0.596))
    // With a tick of one cent, only 40¢ is a valid price in this row.
    expect(flippedDepth(tall, () => 0.01, 0.001).prices).toEqual(numbers(0.6))
  })

  test('has the ticks of Yes at the prices of No', () => {
    const ranges = [
      { start: 0, end: 0.1, step: 0.001 },
      { start: 0.1, end: 1, step: 0.01 },
    ]
    const of = (asset: string | null) =>
      ticksOf({ venue: 'kalshi', market: 'A', asset }, { tick_size: null, price_ranges: ranges })
    expect(of(null)).toEqual(ranges)
    expect(of('no')).toEqual([
      { start: 0, end: 0.9, step: 0.01 },
      { start: 0.9, end: 1, step: 0.001 },
    ])
  })
})
