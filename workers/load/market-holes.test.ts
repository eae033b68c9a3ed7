// A hole in the numbers of a subscription affects a market from its last record before the hole.

import { expect, test } from 'bun:test'
import { SequenceHoles } from '../venues/sequence-holes.ts'
import { MarketHoles } from './market-holes.ts'

const DAY = Date.parse('2026-08-10')
const DATE = '2026-08-10'

/** Notes messages 1 to 400 of subscription 7, whose sequence numbers jump before the given messages. */
function holesBefore(...messages: number[]) {
  const holes = new SequenceHoles()
  let seq = 0
  for (let message = 1; message <= 400; message++) {
    seq += messages.includes(message) ? 5 : 1
    holes.note(7, seq, message, DAY + message)
  }
  return holes
}

test('a hole between two records of the market, and one after the last', () => {
  const market = new MarketHoles(holesBefore(150, 390))
  for (const message of [100, 120, 200]) market.place(7, message, DAY + message)
  expect(market.on(DATE)).toEqual([DAY + 120, DAY + 200])
  expect(market.on('2026-08-11')).toEqual([])
})

test('holes before its first record are not its own, nor those of other subscriptions', () => {
  const market = new MarketHoles(holesBefore(150))
  for (const message of [200, 300]) market.place(7, message, DAY + message)
  expect(market.on(DATE)).toEqual([])
  const other = new MarketHoles(holesBefore(150))
  for (const message of [100, 200]) other.place(8, message, DAY + message)
  expect(other.on(DATE)).toEqual([])
})

test('several holes after one record are one; a trade between is a record too', () => {
  const market = new MarketHoles(holesBefore(150, 160, 180))
  market.place(7, 100, DAY + 100)
  market.place(-1, 170, DAY + 170)
  market.place(7, 200, DAY + 200)
  expect(market.on(DATE)).toEqual([DAY + 100, DAY + 170])
})

test('a hole belongs to the date on which it was received', () => {
  const market = new MarketHoles(holesBefore(150))
  market.place(7, 100, DAY - 500)
  market.place(7, 200, DAY + 200)
  expect([market.on('2026-08-09'), market.on(DATE)]).toEqual([[], [DAY]])
})

test('a subscription that jumps often has none', () => {
  const market = new MarketHoles(holesBefore(...Array.from({ length: 50 }, (_, i) => 10 + 5 * i)))
  for (const message of [1, 400]) market.place(7, message, DAY + message)
  expect(market.on(DATE)).toEqual([])
})
