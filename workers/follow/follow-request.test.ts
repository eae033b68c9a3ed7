// Positions of a market are ordered by date, record and step; nothing is before all.

import { expect, test } from 'bun:test'
import { comparePositions, type Followed } from './follow-request.ts'

const at = (date: string, record: number, step: number): Followed => ({ date, record, step, revision: 1, earlier: 0 })

test('each is after those before it, and as itself', () => {
  const positions: Followed[] = [
    'nothing',
    at('2026-08-09', 9, 2),
    at('2026-08-10', 2, 3),
    at('2026-08-10', 10, 0),
    at('2026-08-10', 10, 1),
  ]
  for (const [i, one] of positions.entries()) {
    expect(positions.map((other) => comparePositions(one, other))).toEqual(positions.map((_, j) => Math.sign(i - j)))
  }
})
