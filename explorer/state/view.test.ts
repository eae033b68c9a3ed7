// A view and its address: the code reads back what it wrote, and treats any other value as absent.

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  AGGREGATES,
  AXES,
  CANDLES_OF,
  CHARTS,
  marketView,
  NO,
  ORDERS,
  PALETTES,
  PARTS,
  parseBook,
  parseView,
  printView,
  STUDIES,
  type View,
  WITHIN,
} from './view.ts'

const read = (address: string) => {
  const { pathname, search } = new URL(address, 'http://x')
  return parseView(pathname, search)
}

const nullable = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null })
const instant = fc.integer({ min: 0, max: 4e12 })
const prices = fc
  .tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 1, max: 50 }))
  .filter(([low, span]) => low + span <= 100)
  .map(([low, span]) => ({ low: low / 100, high: (low + span) / 100 }))
const stretch = fc.record({
  fromMs: nullable(instant),
  toMs: nullable(instant),
  atMs: nullable(instant),
  record: nullable(fc.nat()),
  hidesFuture: fc.boolean(),
  chart: fc.constantFrom(...CHARTS),
  candlesOf: fc.constantFrom(...CANDLES_OF),
  candleMs: nullable(
    fc.oneof(fc.integer({ min: 1, max: 3_600 }), fc.constantFrom(14_400, 86_400)).map((seconds) => seconds * 1_000),
  ),
  aggregate: fc.constantFrom(...AGGREGATES),
  palette: fc.constantFrom(...PALETTES),
  axes: fc.constantFrom(...AXES),
  studies: fc.subarray([...STUDIES]),
  hidden: fc.subarray([...PARTS]),
  within: fc.constantFrom(...WITHIN),
  cutOff: fc.record({ lowest: nullable(fc.nat()), highest: nullable(fc.nat()) }),
  prices: nullable(prices),
  leastTrade: nullable(fc.nat()),
  zone: fc.constantFrom('UTC', 'local', 'America/New_York'),
})
const id = fc
  .string({ minLength: 1 })
  .filter((text) => text.isWellFormed() && !/[:]/.test(text) && !/^\.{1,2}$/.test(text))
const book = fc.oneof(
  fc.record({ venue: fc.constant('kalshi' as const), market: id, asset: fc.constantFrom(null, NO) }),
  fc.record({ venue: fc.constant('polymarket' as const), market: id, asset: nullable(id) }),
)

describe('an address', () => {
  test('of any market leads back to its view', () => {
    fc.assert(
      fc.property(
        book,
        stretch,
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        (which, shown, showsMessages, showsTrades, isEmbedded) => {
          const view: View = { page: 'market', book: which, showsMessages, showsTrades, isEmbedded, ...shown }
          expect(read(printView(view))).toEqual(view)
        },
      ),
    )
  })

  test('of any event leads back to its view', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('kalshi' as const, 'polymarket' as const),
        id,
        fc.boolean(),
        nullable(instant),
        (venue, event, isDated, untilMs) => {
          const dated = { ...(isDated && { date: '2026-08-10' }), ...(untilMs !== null && { untilMs }) }
          const view: View = { page: 'event', venue, event, ...dated }
          expect(read(printView(view))).toEqual(view)
        },
      ),
    )
  })

  test('of any list of markets leads back to its view', () => {
    const list = fc.record({
      venue: fc.constantFrom('kalshi' as const, 'polymarket' as const),
      ...{ by: fc.constantFrom(...ORDERS), words: fc.string(), offset: fc.nat({ max: 999_999_999 }) },
    })
    fc.assert(
      fc.property(list, fc.boolean(), (shown, isDated) => {
        const view: View = { page: 'markets', ...shown, ...(isDated && { date: '2026-08-10' }) }
        expect(read(printView(view))).toEqual(view)
      }),
    )
  })

  test('of any pair leads back to its view', () => {
    fc.assert(
      fc.property(nullable(book), nullable(book), stretch, (first, second, shown) => {
        const view: View = { page: 'compare', first, second, ...shown, record: null }
        expect(read(printView(view))).toEqual(view)
      }),
    )
  })

  test('is short if all values are the defaults', () => {
    expect(printView(marketView({ venue: 'kalshi', market: 'KXA-B', asset: null }))).toBe('/explore/kalshi/KXA-B')
  })

  test.each([
    ['/explore', { page: 'start' }],
    ['/explore/', { page: 'start' }],
    ['/explore?date=2026-07-20', { page: 'start', date: '2026-07-20' }],
    ['/explore?date=2026-13-20', { page: 'start' }],
    ['/status', { page: 'status' }],
    ['/explore/keys', { page: 'keys' }],
    ['/explore/nowhere/A', { page: 'lost' }],
    ['/explore/nowhere', { page: 'lost' }],
    [
      '/explore/kalshi?date=x&by=size&offset=-1',
      { page: 'markets', venue: 'kalshi', by: 'records', words: '', offset: 0 },
    ],
  ] as const)('%s', (address, view) => {
    expect(read(address)).toEqual(view)
  })

  test('names no side of a Kalshi market except No', () => {
    expect(read('/explore/kalshi/A?book=yes')).toEqual(marketView({ venue: 'kalshi', market: 'A', asset: null }))
    expect(parseBook('kalshi:A:maybe')).toEqual({ venue: 'kalshi', market: 'A', asset: null })
  })

  test('ignores values that it cannot read', () => {
    const nonsense =
      'from=yesterday&to=2026-99-99&at=1&record=-1&chart=pie&candle=9999s&palette=rainbow&prices=9-1&cut_low=x&zone=Mars/Phobos'
    expect(read(`/explore/kalshi/A?${nonsense}`)).toEqual(marketView({ venue: 'kalshi', market: 'A', asset: null }))
  })
})
