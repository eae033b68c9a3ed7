// Tests the limit on the rate of a client's messages, on a clock that is set by hand.

import { expect, test } from 'bun:test'
import { MessageRate } from './message-rate.ts'

function made() {
  const clock = { nowMs: 5_000 }
  const rate = new MessageRate(() => clock.nowMs)
  const take = (count: number, message: string | Uint8Array = 'x') => {
    const all = Array.from({ length: count }, () => rate.take(message))
    const counts: Record<string, number> = {}
    for (const each of all) counts[each] = (counts[each] ?? 0) + 1
    return counts
  }
  return { clock, take }
}

test('a thousand messages are answered at once, then a hundred a second', () => {
  const { clock, take } = made()
  expect(take(1_005)).toEqual({ answered: 1_000, refused: 5 })
  clock.nowMs += 1_000
  // Refused messages count as well.
  expect(take(100)).toEqual({ answered: 95, refused: 5 })
  clock.nowMs += 3_600_000
  expect(take(1_001)).toEqual({ answered: 1_000, refused: 1 })
})

test('a long message counts as several', () => {
  const { take } = made()
  expect(take(500, 'x'.repeat(4_096))).toEqual({ answered: 500 })
  expect(take(1)).toEqual({ refused: 1 })
  const other = made()
  expect(other.take(1_001, new Uint8Array(4_095))).toEqual({ answered: 1_000, refused: 1 })
})

test('after ten thousand refusals the connection is over', () => {
  const { take } = made()
  expect(take(11_002)).toEqual({ answered: 1_000, refused: 10_000, over: 2 })
})
