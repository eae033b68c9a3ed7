// Tests the levels that records change on the smallest capture that shows each rule. All expected values are worked out
// by hand.

import { describe, expect, test } from 'bun:test'
import { book, capture, DAY, kalshiDelta, kalshiGap, kalshiSnapshot, NOON, priceChange, received } from '../lines.ts'
import type { ChangeRow } from './book-changes.ts'
import * as made from './made-lines.ts'
import type { Answer } from './model-ask.ts'

/** Prints each row as `ms record kind side price before→after`, ms after noon. */
function print(answer: Answer): string[] {
  return (answer['data'] as ChangeRow[]).map(
    ({ timestamp, record, kind, side, price, before, after }) =>
      `${timestamp - NOON} ${record} ${kind} ${side} ${price} ${before}→${after}`,
  )
}
const kalshi = async (lines: object[], query = made.window(0, 1_000)) =>
  print(await made.askKalshi([capture(...(lines as []))], 'book/changes', query))
const polymarket = async (lines: object[], query = made.window(0, 1_000)) =>
  print(await made.askPolymarket([capture(...(lines as []))], 'book/changes', query))

const opening = received(
  0,
  kalshiSnapshot(
    [
      ['0.40', '10'],
      ['0.41', '2'],
    ],
    [['0.50', '20.5']],
  ),
)

describe('rows', () => {
  test('for a snapshot list the levels that it changes: bids, then asks, best first', async () => {
    const next = received(
      5,
      kalshiSnapshot(
        [
          ['0.40', '11'],
          ['0.38', '1'],
        ],
        [
          ['0.50', '20.5'],
          ['0.45', '3'],
        ],
      ),
    )
    expect(await kalshi([opening, next])).toEqual([
      '0 0 snapshot bid 0.41 0→2',
      '0 0 snapshot bid 0.4 0→10',
      '0 0 snapshot ask 0.5 0→20.5',
      '5 1 snapshot bid 0.41 2→0',
      '5 1 snapshot bid 0.4 10→11',
      '5 1 snapshot bid 0.38 0→1',
      '5 1 snapshot ask 0.55 0→3',
    ])
  })
  test('are absent for a snapshot that equals the book', async () => {
    const same = received(
      5,
      kalshiSnapshot(
        [
          ['0.41', '2.00'],
          ['0.40', '10'],
        ],
        [['0.5', '20.5']],
      ),
    )
    expect(await kalshi([opening, same], made.window(1, 9))).toEqual([])
  })
  test('of a delta: a size of 0 or less removes the level; a delta that changes nothing has no row', async () => {
    const lines = [
      kalshiDelta(1, '0.41', '-5'),
      kalshiDelta(2, '0.41', '-1'),
      kalshiDelta(3, null, '1'),
      kalshiDelta(4, '0.60', '0.25', 'no'),
    ]
    expect(await kalshi([opening, ...lines], made.window(1, 9))).toEqual([
      '1 1 level bid 0.41 2→0',
      '4 4 level ask 0.4 0→0.25',
    ])
  })
  test('for a message with several entries list each of its levels once', async () => {
    const entries = [
      { price: '0.6', size: '7', side: 'SELL' },
      { price: '0.3', size: '1' },
      { price: '0.4', size: '3' },
      { price: '0.5', size: '9' },
      { price: '0.4', size: '2' },
      { price: '0.5', size: '0' },
      { price: '0.55', size: '216.216215', side: 'SELL' },
    ]
    expect(await polymarket([book(0, [], []), priceChange(1, ...entries)])).toEqual([
      '1 1 level bid 0.4 0→2',
      '1 1 level bid 0.3 0→1',
      '1 1 level ask 0.55 0→216.216215',
      '1 1 level ask 0.6 0→7',
    ])
  })
  test('for a gap list the levels that it removes; a gap that removes none has one row without a level', async () => {
    const lines = [kalshiGap(1), kalshiDelta(2, '0.3', '1'), kalshiGap(3), received(4, kalshiSnapshot([['0.2', '1']]))]
    expect(await kalshi([opening, ...lines], made.window(1, 9))).toEqual([
      '1 1 gap bid 0.41 2→0',
      '1 1 gap bid 0.4 10→0',
      '1 1 gap ask 0.5 20.5→0',
      '3 3 gap null null null→null',
      '4 4 snapshot bid 0.2 0→1',
    ])
  })
  test('of an observed book include levels beyond the best prices that a record states', async () => {
    const lines = [
      priceChange(0, { price: '0.3', size: '5', best_bid: '0.3', best_ask: '0.4' }),
      priceChange(1, { price: '0.45', size: '7', side: 'SELL', best_bid: '0.3', best_ask: '0.4' }),
      priceChange(2, { price: '0.2', size: '1', best_bid: '0.25', best_ask: '0.5' }),
    ]
    expect(await polymarket(lines)).toEqual([
      '0 0 level bid 0.3 0→5',
      '1 1 level ask 0.45 0→7',
      '2 2 level bid 0.3 5→0',
      '2 2 level bid 0.2 0→1',
      '2 2 level ask 0.45 7→0',
    ])
  })
  test('of an observed book list the levels as they are seen', async () => {
    const change = (ms: number, size: string) => priceChange(ms, { price: '0.3', size, best_bid: '0.4', best_ask: '1' })
    expect(await polymarket([change(0, '5'), change(1, '0'), change(2, '0')])).toEqual([
      '0 0 level bid 0.3 0→5',
      '1 1 level bid 0.3 5→0',
    ])
  })
})

describe('which records', () => {
  const lines = [
    opening,
    kalshiDelta(1_000, '0.40', '1'),
    kalshiDelta(1_999, '0.40', '1'),
    kalshiDelta(2_000, '0.40', '1'),
  ]
  test('of a window, both ends included; a second is whole', async () => {
    expect(await kalshi(lines, made.window(1_000, 1_999))).toEqual([
      '1000 1 level bid 0.4 10→11',
      '1999 2 level bid 0.4 11→12',
    ])
    const second = String(NOON / 1_000 + 1)
    expect(await kalshi(lines, { start_timestamp: second, end_timestamp: second })).toHaveLength(2)
  })
  test('of places: `limit` counts records of the date, also of other books', async () => {
    const other = priceChange(1, { asset_id: 'B', price: '0.1', size: '1' })
    const own = (ms: number, size: string) => priceChange(ms, { price: '0.3', size })
    const all = [own(0, '1'), other, own(2, '2'), own(3, '3')]
    const places = (record: string, limit: string) => polymarket(all, { date: DAY, record, limit })
    expect(await places('1', '2')).toEqual(['2 2 level bid 0.3 1→2'])
    expect(await places('3', '9')).toEqual(['3 3 level bid 0.3 2→3'])
    expect(await places('4', '9')).toEqual([])
    expect(await polymarket(all, { date: DAY })).toHaveLength(3)
  })
  test('the first snapshot of a day is compared with the closing book of the day before', async () => {
    const later = received(made.DAY_MS, kalshiSnapshot([['0.40', '10']], [['0.5', '20.5']]))
    expect(await kalshi([opening, later], { date: '2026-08-11' })).toEqual([`${made.DAY_MS} 0 snapshot bid 0.41 2→0`])
  })
})
