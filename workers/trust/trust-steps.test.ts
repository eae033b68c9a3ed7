// The head stores enough to give the trust of a book at each instant, loaded whole or record by record, and over
// several days.

import { describe, expect, test } from 'bun:test'
import type { StoredDay } from '../../storage/catalogue.ts'
import { kalshiDelta, kalshiGap, kalshiSnapshot, NOON, received, TICKER } from '../../test/model/lines.ts'
import { collectLines } from '../../test/support/collected.ts'
import { MemoryPartition } from '../../test/support/stored-partition.ts'
import { TRUSTS, trustSteps } from './trust-steps.ts'

const snapshot = (ms: number, yes = '0.40') => received(ms, kalshiSnapshot([[yes, '10']], [['0.55', '20']]))
const DAY_MS = 86_400_000

/** Returns the steps as `ms after noon: trust`. */
function stepsOf(...days: object[][]): string[] {
  const stored: StoredDay[] = []
  let closing: Uint8Array | null = null
  for (const lines of days) {
    const [whole, piecemeal] = [new MemoryPartition(), new MemoryPartition()]
    for (const collected of collectLines(lines.map((line) => JSON.stringify(line)))) {
      whole.add(collected, closing)
    }
    for (const line of lines) {
      for (const collected of collectLines([JSON.stringify(line)])) piecemeal.add(collected, closing)
    }
    const { head, books } = whole.stored!
    expect(piecemeal.stored!.head.books.map(({ trust }) => trust)).toEqual(head.books.map(({ trust }) => trust))
    stored.push({ date: new Date(head.firstMs).toISOString().slice(0, 10), head })
    closing = books.closing
  }
  return trustSteps(stored, TICKER).map(({ fromMs, trust }) => `${fromMs - NOON}: ${TRUSTS[trust]}`)
}

describe('steps', () => {
  test('a snapshot establishes, a gap loses, the next snapshot establishes again', () =>
    expect(stepsOf([snapshot(0), kalshiGap(5), kalshiDelta(6, '0.40', '1'), snapshot(9)])).toEqual([
      '0: established',
      '5: lost',
      '9: established',
    ]))
  test('without a snapshot a book is observed, until there is one', () =>
    expect(stepsOf([kalshiDelta(0, '0.40', '1'), snapshot(9)])).toEqual(['0: observed', '9: established']))
  test('a gap and a snapshot in one ms lose nothing', () =>
    expect(stepsOf([snapshot(0), kalshiGap(5), snapshot(5)])).toEqual(['0: established']))
  test('an inferred gap is doubtful until the next snapshot', () =>
    expect(stepsOf([snapshot(0), kalshiDelta(4, '0.40', '-1'), kalshiDelta(7, '0.40', '-99'), snapshot(9)])).toEqual([
      '0: established',
      '4: doubtful',
      '9: established',
    ]))
  test('a day continues with the trust that the day before closed with', () => {
    const next = [kalshiDelta(DAY_MS, '0.40', '1')]
    expect(stepsOf([snapshot(0)], next)).toEqual(['0: established'])
    expect(stepsOf([snapshot(0), kalshiGap(5)], next)).toEqual(['0: established', '5: lost'])
    expect(stepsOf([kalshiDelta(0, '0.40', '1')], next)).toEqual(['0: observed'])
  })
  test('a day continues a doubtful book as doubtful, until its next snapshot', () => {
    const doubtful = [snapshot(0), kalshiDelta(7, '0.40', '-99')]
    const next = [kalshiDelta(DAY_MS, '0.40', '1'), snapshot(DAY_MS + 5)]
    expect(stepsOf(doubtful, next)).toEqual(['0: doubtful', '86400005: established'])
    expect(stepsOf(doubtful, [kalshiDelta(DAY_MS, '0.40', '1')], [kalshiDelta(2 * DAY_MS, '0.40', '1')])).toEqual([
      '0: doubtful',
    ])
    expect(stepsOf(doubtful, [snapshot(DAY_MS)])).toEqual(['0: doubtful', '86400000: established'])
  })
  test('a book from before days without data is doubtful, until its next snapshot', () => {
    const later = [kalshiDelta(2 * DAY_MS, '0.40', '1'), snapshot(2 * DAY_MS + 5)]
    expect(stepsOf([snapshot(0)], later)).toEqual(['0: established', '129600000: doubtful', '172800005: established'])
    expect(stepsOf([snapshot(0)], [kalshiGap(2 * DAY_MS)])).toEqual([
      '0: established',
      '129600000: doubtful',
      '172800000: lost',
    ])
  })
  test('a book from before days without data is doubtful on a later day that begins with a snapshot', () => {
    const later = [snapshot(2 * DAY_MS)]
    expect(stepsOf([snapshot(0)], later)).toEqual(['0: established', '129600000: doubtful', '172800000: established'])
    expect(stepsOf([kalshiDelta(0, '0.40', '1')], later)).toEqual(['0: observed', '172800000: established'])
    expect(stepsOf([snapshot(0), kalshiGap(5)], later)).toEqual(['0: established', '5: lost', '172800000: established'])
  })
  test('until the first snapshot of a day that begins with one, the trust is that at the end of the day before', () =>
    expect(stepsOf([snapshot(0), kalshiGap(5)], [snapshot(DAY_MS)])).toEqual([
      '0: established',
      '5: lost',
      '86400000: established',
    ]))
})
