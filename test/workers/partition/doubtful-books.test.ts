// A book that contradicts itself is doubtful from the record before the contradiction to its next snapshot, loaded
// whole or record by record, as in the model. All expected values are worked out by hand.

import { expect, test } from 'bun:test'
import type { InferredReason } from '../../../storage/format/partition-head.ts'
import { partitionDamage } from '../../../workers/verify/check-partition.ts'
import {
  book,
  capture,
  DAY,
  kalshiDelta,
  kalshiGap,
  kalshiSnapshot,
  NOON,
  priceChange,
  received,
} from '../../model/lines.ts'
import { loadTexts } from '../../model/model.ts'
import { collectLines } from '../../support/collected.ts'
import { MemoryPartition } from '../../support/stored-partition.ts'

/** Reason, start and end of an inferred gap, ms after noon, and the number of levels that differ. */
type ExpectedGap = [reason: InferredReason, from: number, to: number | null, levels: number | null]

const NOW = Date.parse('2026-09-01')

/** Opens the book with a bid of 10 at 0.40 and an ask of 20 at 0.45. */
const opening = received(0, kalshiSnapshot([['0.40', '10']], [['0.55', '20']]))
const sold = kalshiDelta(1_000, '0.40', '-4')
const oversold = kalshiDelta(2_000, '0.40', '-9')

const opened = book(0, [['0.4', '10']], [['0.5', '10']])
const stated = (ms: number, bid: string, price = '0.3') =>
  priceChange(ms, { price, size: '1', best_bid: bid, best_ask: '0.5' })

const CASES: [name: string, lines: object[], expectedGaps: ExpectedGap[]][] = [
  ['a change that takes more than its level has', [opening, sold, oversold], [['below_zero', 1_000, null, null]]],
  ['a change that takes what is not there', [opening, kalshiDelta(5, '0.39', '-1')], [['below_zero', 0, null, null]]],
  [
    'what the next snapshot ends',
    // The snapshot has 5 at 0.40, where the book has nothing.
    [opening, sold, oversold, received(3_000, kalshiSnapshot([['0.40', '5']], [['0.55', '20']]))],
    [['below_zero', 1_000, 3_000, 1]],
  ],
  ['what a gap ends', [opening, sold, oversold, kalshiGap(3_000)], [['below_zero', 1_000, 3_000, null]]],
  ['evidence in a gap is none', [opening, kalshiGap(500), sold, oversold, kalshiGap(3_000)], []],
  ['numbers that step back in a gap that is open at the end', [opening, kalshiGap(500), { ...sold, seq: 3 }], []],
  ['bids that reach asks', [opening, sold, kalshiDelta(2_000, '0.45', '1')], [['crossed', 1_000, null, null]]],
  [
    'bids that reach asks until all of a venue time is applied',
    [opening, kalshiDelta(2_000, '0.45', '1'), kalshiDelta(2_000, '0.55', '-20', 'no')],
    [],
  ],
  [
    'a snapshot whose bids reach asks',
    [opening, received(2_000, kalshiSnapshot([['0.40', '10']], [['0.60', '20']]))],
    [
      ['snapshot_contradicts', 0, 2_000, 2],
      ['crossed', 2_000, null, null],
    ],
  ],
  [
    'a change without a price',
    [opening, sold, kalshiDelta(2_000, null, '1')],
    [['unreadable_change', 1_000, null, null]],
  ],
  [
    'two kinds of evidence: the first counts',
    [opening, sold, oversold, kalshiDelta(3_000, '0.46', '1')],
    [['below_zero', 1_000, null, null]],
  ],
  ['no book that is established', [sold, oversold, kalshiDelta(3_000, '0.60', '1', 'no')], []],
  [
    'no book that is established, but a change without a price',
    [sold, kalshiDelta(2_000, null, '1'), received(3_000, kalshiSnapshot([['0.40', '5']]))],
    [['unreadable_change', 1_000, 3_000, null]],
  ],
  [
    'the first record, a change without a price',
    [kalshiDelta(1_000, null, '1')],
    [['unreadable_change', 1_000, null, null]],
  ],
  ['a change without a price in a gap is none', [opening, kalshiGap(500), kalshiDelta(1_000, null, '1')], []],
  [
    'other best prices, stated at two times',
    [opened, stated(1_000, '0.4'), stated(2_000, '0.41'), stated(3_000, '0.41')],
    [['best_price_contradicts', 1_000, null, null]],
  ],
  [
    'other best prices, stated once between others',
    [opened, stated(1_000, '0.41'), stated(2_000, '0.4'), stated(3_000, '0.41')],
    [],
  ],
  ['crossed books of Polymarket', [opened, priceChange(1_000, { price: '0.6', size: '1' })], []],
]

test.each(CASES)('%s', (_, lines, expectedGaps) => {
  const text = capture(...(lines as []))
  for (const pieces of [[text], text.split('\n')]) {
    const memory = new MemoryPartition()
    for (const piece of pieces) for (const collected of collectLines(piece.split('\n'), NOW)) memory.add(collected)
    const { head } = memory.stored!
    const gaps = head.inferredGaps.map(({ reason, fromMs, toMs, levelsDiffering }): ExpectedGap => {
      return [reason, fromMs - NOON, toMs && toMs - NOON, levelsDiffering]
    })
    expect(gaps).toEqual(expectedGaps)
    expect(partitionDamage(collectLines(text.split('\n'), NOW)[0]!.key, memory.stored!, null)).toEqual([])
  }
  const model = loadTexts([text], NOW)
  const venue = model.markets('kalshi').length > 0 ? 'kalshi' : 'polymarket'
  const [market] = model.markets(venue)
  const quality = model.quality(venue, market!, DAY, venue === 'kalshi' ? market! : 'A')
  const gaps = quality.inferredGaps.map(({ reason, from, to, levelsDiffering }): ExpectedGap => {
    return [reason, from - NOON, to && to - NOON, levelsDiffering]
  })
  expect(gaps).toEqual(expectedGaps)
})
