// A stretch begins where the clock of a capture steps back by more than jitter.

import { expect, test } from 'bun:test'
import { Stretches } from './capture-facts.ts'

test('a clock that steps back often belongs to several feeds', () => {
  const turns = (steps: number, messages: number) => {
    const stretches = new Stretches()
    for (let i = 0; i < messages; i++) stretches.note(i + 1, i < 2 * steps ? 10_000 * (1 - (i % 2)) : i, Number.NaN)
    return stretches.isSound
  }
  expect([turns(16, 32), turns(17, 34), turns(17, 1_699), turns(17, 1_700)]).toEqual([true, false, false, true])
})

/** Returns the stretch of each message, given their times. */
function stretchesOf(received: number[], sent: number[] = received.map(() => Number.NaN)): number[] {
  const stretches = new Stretches()
  for (const [i, receivedMs] of received.entries()) stretches.note(i + 1, receivedMs, sent[i]!)
  return received.map((_, i) => stretches.of(i + 1))
}

test('a receipt more than a second before the latest one begins a stretch', () => {
  expect(stretchesOf([0, 5_000, 4_000, 9_000])).toEqual([0, 0, 0, 0])
  expect(stretchesOf([0, 5_000, 3_999, 9_000])).toEqual([0, 0, 1, 1])
  expect(stretchesOf([5_000, 4_500, 3_800, 1_000, 0])).toEqual([0, 0, 1, 2, 2])
  expect(stretchesOf([0, 5_000, 0, 5_000, 0])).toEqual([0, 0, 1, 1, 2])
})

test('a venue time more than a minute before the latest one does, and an unknown time does not', () => {
  const none = (sent: number[]) => sent.map(() => Number.NaN)
  const sent = [0, 90_000, 30_000, 29_999, 90_000]
  expect(stretchesOf(none(sent), sent)).toEqual([0, 0, 0, 1, 1])
  expect(stretchesOf([9_000, Number.NaN, 8_500], [90_000, Number.NaN, 80_000])).toEqual([0, 0, 0])
})
