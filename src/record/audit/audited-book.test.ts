// Tests audits against a book that stores every state it had.

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { AuditWindow, microsOf } from './audited-book.ts'

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

  test('any changes: inconsistent exactly if REST returned none of the states of the book', () => {
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
