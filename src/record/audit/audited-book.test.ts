// Tests audits against a book that stores every state it had.

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type AuditWindow, auditResult, microsOf, SignedBook } from './audited-book.ts'

const levels = (...pairs: [number, number][]) => new Map(pairs)

describe('auditResult', () => {
  test('a book that did not change is exact, or inconsistent', () => {
    expect(auditResult([levels([1, 5])], levels([1, 5]))).toBe('exact')
    expect(auditResult([levels()], levels())).toBe('exact')
    expect(auditResult([levels([1, 5])], levels([1, 6]))).toBe('inconsistent')
    expect(auditResult([levels([1, 5])], levels())).toBe('inconsistent')
  })

  test('a state at any moment of the window is consistent', () => {
    const window: AuditWindow = [levels([1, 5]), [1, 7], [2, 1]]
    for (const restLevels of [levels([1, 5]), levels([1, 7]), levels([1, 7], [2, 1])]) {
      expect(auditResult(window, restLevels)).toBe('consistent')
    }
  })

  test('a book that was lost, or that REST does not have, is undecidable', () => {
    expect(auditResult([levels([1, 5]), undefined], levels([1, 5]))).toBe('undecidable')
    expect(auditResult([levels([1, 5])], undefined)).toBe('undecidable')
  })

  test('a snapshot within the window counts', () => {
    const window: AuditWindow = [levels([1, 5], [2, 5]), levels([2, 6], [3, 1])]
    expect(auditResult(window, levels([2, 6], [3, 1]))).toBe('consistent')
  })

  test('any changes: inconsistent exactly if REST returned none of the states of the book', () => {
    const size = fc.integer({ min: 0, max: 2 })
    const price = fc.integer({ min: -2, max: 2 })
    fc.assert(
      fc.property(fc.array(fc.tuple(price, size)), fc.array(fc.tuple(price, size)), (changes, restPairs) => {
        const restLevels = new Map(restPairs.filter(([, each]) => each > 0))
        const printed = (each: ReadonlyMap<number, number>) => JSON.stringify([...each].sort(([a], [b]) => a - b))
        const state = new Map<number, number>()
        const states = [printed(state)]
        for (const [at, becomes] of changes) {
          if (becomes === 0) state.delete(at)
          else state.set(at, becomes)
          states.push(printed(state))
        }
        const result = auditResult([levels(), ...changes], restLevels)
        expect(result !== 'inconsistent').toBe(states.includes(printed(restLevels)))
      }),
    )
  })
})

test('a watched book notes its changes and snapshots until it is concluded', () => {
  const book = new SignedBook()
  expect([book.watch(), book.conclude(levels())]).toEqual([false, undefined])
  book.become(levels([1, 5]))
  expect([book.watch(), book.watch()]).toEqual([true, false])
  book.set(1, 7)
  book.become(levels([2, 1]))
  expect(book.conclude(levels([1, 7]))).toBe('consistent')
  book.watch()
  book.set(2, undefined)
  expect([book.isKnown, book.conclude(levels())]).toEqual([false, 'undecidable'])
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
