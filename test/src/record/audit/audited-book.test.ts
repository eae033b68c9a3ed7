// Audits, against a book that keeps every state it was in.

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { AuditWindow, microsOf } from '../../../../src/record/audit/audited-book.ts'
import {
  LevelBook,
  levelsOf,
  orderbooksPath,
  readOrderbook,
  readOrderbooks,
} from '../../../../src/record/kalshi/level-book.ts'
import { isInWindow } from '../../../../src/record/kalshi/protocol.ts'

const levels = (...pairs: [number, number][]) => new Map(pairs)

describe('AuditWindow', () => {
  test('a book that did not change is exact, or inconsistent', () => {
    expect(new AuditWindow(levels([1, 5])).result(levels([1, 5]))).toBe('exact')
    expect(new AuditWindow(levels()).result(levels())).toBe('exact')
    expect(new AuditWindow(levels([1, 5])).result(levels([1, 6]))).toBe('inconsistent')
    expect(new AuditWindow(levels([1, 5])).result(levels())).toBe('inconsistent')
  })

  test('a state at any moment of the window is consistent', () => {
    for (const told of [levels([1, 5]), levels([1, 7]), levels([1, 7], [2, 1])]) {
      const window = new AuditWindow(levels([1, 5]))
      window.changed(1, 7)
      window.changed(2, 1)
      expect(window.result(told)).toBe('consistent')
    }
  })

  test('a book that was lost, or that REST does not have, is undecidable', () => {
    const window = new AuditWindow(levels([1, 5]))
    window.broken()
    expect(window.result(levels([1, 5]))).toBe('undecidable')
    expect(new AuditWindow(levels([1, 5])).result(undefined)).toBe('undecidable')
  })

  test('a snapshot within the window counts', () => {
    const window = new AuditWindow(levels([1, 5], [2, 5]))
    window.replaced(levels([2, 6], [3, 1]))
    expect(window.result(levels([2, 6], [3, 1]))).toBe('consistent')
  })

  test('any changes: consistent where one of the states is what was told, and else never', () => {
    const size = fc.integer({ min: 0, max: 2 })
    const price = fc.integer({ min: -2, max: 2 })
    fc.assert(
      fc.property(fc.array(fc.tuple(price, size)), fc.array(fc.tuple(price, size)), (changes, told) => {
        const toldLevels = new Map(told.filter(([, each]) => each > 0))
        const printed = (each: ReadonlyMap<number, number>) => JSON.stringify([...each].sort(([a], [b]) => a - b))
        const state = new Map<number, number>()
        const states = [printed(state)]
        const window = new AuditWindow(state)
        for (const [at, becomes] of changes) {
          window.changed(at, becomes)
          if (becomes === 0) state.delete(at)
          else state.set(at, becomes)
          states.push(printed(state))
        }
        expect(window.result(toldLevels) !== 'inconsistent').toBe(states.includes(printed(toldLevels)))
      }),
    )
  })
})

describe('LevelBook', () => {
  const delta = (side: string, price: string, change: string) => ({ side, price_dollars: price, delta_fp: change })

  test('is exact over signed changes, and keeps no level of nothing', () => {
    const book = new LevelBook()
    expect(book.apply(delta('yes', '0.5', '1'))).toBeUndefined()
    book.replace({ yes_dollars_fp: [['0.4800', '0.30']] })
    expect(book.apply(delta('yes', '0.4800', '-0.10'))).toBe(480_000)
    expect(book.apply(delta('yes', '0.4800', '-0.20'))).toBe(480_000)
    expect(book.apply(delta('no', '0.0010', '0.01'))).toBe(-1_000)
    expect([...book.levels]).toEqual([[-1_000, 10_000]])
  })

  test('a side that is absent is empty', () => {
    const book = new LevelBook()
    book.replace({})
    expect([book.isKnown, book.levels.size]).toEqual([true, 0])
  })

  test.each([
    { side: 'yes', price_dollars: '0.5' },
    { side: 'maybe', price_dollars: '0.5', delta_fp: '1' },
    { side: 'yes', price_dollars: 50, delta_fp: '1' },
    { side: 'yes', price_dollars: '0.5', delta_fp: '1e3' },
  ])('%j makes the book unknown until the next snapshot', (msg) => {
    const book = new LevelBook()
    book.replace({ yes_dollars_fp: [['0.4800', '0.30']] })
    book.apply(msg)
    expect([book.isKnown, book.levels.size]).toEqual([false, 0])
    book.replace({ yes_dollars_fp: [['0.4800', '0.30']] })
    expect(book.isKnown).toBe(true)
  })
})

test.each([
  ['0.1', 100_000],
  ['-40.00', -40_000_000],
  ['1505.000001', 1_505_000_001],
  ['0.0000001', undefined],
  ['', undefined],
  ['.5', 500_000],
  ['.', undefined],
  ['-', undefined],
  ['5.', undefined],
  ['1.2.3', undefined],
  ['1234567890', undefined],
  ['999999999.999999', 999_999_999_999_999],
  ['-0.50', -500_000],
  ['12', 12_000_000],
  [5, undefined],
])('microsOf %j', (text, micros) => expect(microsOf(text)).toBe(micros))

describe('order books of REST', () => {
  test('names each market by itself', () => {
    expect(orderbooksPath(['A-1', 'B&2'])).toBe('/markets/orderbooks?tickers=A-1&tickers=B%262')
  })

  test('reads one, and many by their tickers', () => {
    const book = '{"orderbook_fp":{"yes_dollars":[["0.0100","2.00"]],"no_dollars":null}}'
    expect([...readOrderbook(JSON.parse(book))!]).toEqual([[10_000, 2_000_000]])
    const many = `{"orderbooks":[{"ticker":"A-1",${book.slice(1)},{"ticker":"B"},{"orderbook_fp":{}}]}`
    expect([...readOrderbooks(JSON.parse(many))!].map(([ticker, each]) => [ticker, each.size])).toEqual([['A-1', 1]])
  })

  test.each(['null', '[]', '{"orderbook":{}}', '{"orderbook_fp":null}', '{"orderbook_fp":{"yes_dollars":5}}'])(
    '%j is no order book',
    (body) => expect(readOrderbook(JSON.parse(body))).toBeUndefined(),
  )

  test('a level that cannot be read makes no book', () => {
    expect(levelsOf([['0.5', '1'], ['0.6']], undefined)).toBeUndefined()
  })
})

describe('isInWindow', () => {
  const thursday = { day: 4, fromMinute: 180, toMinute: 300, timeZone: 'America/New_York' }

  test.each([
    ['2026-08-13T06:59:59.999Z', false],
    ['2026-08-13T07:00:00.000Z', true],
    ['2026-08-13T08:59:59.999Z', true],
    ['2026-08-13T09:00:00.000Z', false],
    ['2026-08-12T08:00:00.000Z', false],
    // An hour later by UTC in winter.
    ['2026-12-10T07:30:00.000Z', false],
    ['2026-12-10T08:30:00.000Z', true],
  ])('%s: %p', (at, expected) => expect(isInWindow(thursday, Date.parse(at))).toBe(expected))

  test('reaches past midnight, and past the end of the week', () => {
    const saturday = { day: 6, fromMinute: 1_380, toMinute: 60, timeZone: 'UTC' }
    const at = (text: string) => isInWindow(saturday, Date.parse(text))
    expect([at('2026-08-15T22:59:00Z'), at('2026-08-15T23:00:00Z'), at('2026-08-16T00:59:00Z')]).toEqual([
      false,
      true,
      true,
    ])
    expect(at('2026-08-16T01:00:00Z')).toBe(false)
  })
})
