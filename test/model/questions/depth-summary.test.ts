// Tests depth over time on the smallest capture that shows each rule. All expected values are worked out by hand.

import { describe, expect, test } from 'bun:test'
import { book, capture, DAY, kalshiDelta, kalshiGap, kalshiSnapshot, NOON, priceChange, received } from '../lines.ts'
import type { DepthRow } from './depth-summary.ts'
import * as made from './made-lines.ts'

type Pair = [string, string]

const opening = received(
  0,
  kalshiSnapshot(
    [
      ['0.40', '10'],
      ['0.39', '30'],
      ['0.10', '100'],
    ],
    [
      ['0.56', '20'],
      ['0.50', '5'],
    ],
  ),
)

const kalshi = async (lines: object[], query: Record<string, string>) =>
  (await made.askKalshi([capture(...(lines as []))], 'depth-summary', { resolution: '1', date: DAY, ...query }))[
    'data'
  ] as DepthRow[]
const polymarket = async (bids: Pair[], asks: Pair[], query: Record<string, string> = {}) => {
  const text = capture(book(0, bids, asks))
  const answer = await made.askPolymarket([text], 'depth-summary', { resolution: '1', date: DAY, ...query })
  return (answer['data'] as DepthRow[])[0]!
}

describe('a row', () => {
  test('has the levels, the depth, and values of the best prices of both sides', async () => {
    // The bids are 0.40, 0.39 and 0.10, the asks 0.44 (20) and 0.50 (5); mid is 0.42.
    const [row] = await kalshi([opening], { bands: '0.02,0.03,0.1', sizes: '5,22,1000' })
    expect(row).toEqual({
      timestamp: NOON,
      trust: 'established',
      bids: [
        [0.4, 10],
        [0.39, 30],
        [0.1, 100],
      ],
      asks: [
        [0.44, 20],
        [0.5, 5],
      ],
      bid_level_count: 3,
      ask_level_count: 2,
      bid_depth: 140,
      ask_depth: 25,
      imbalance: -1 / 3,
      // 0.40 × 20 + 0.44 × 10 = 12.4, over 30 contracts.
      microprice: 124 / 300,
      bid_depth_within: [10, 40, 40],
      ask_depth_within: [20, 20, 25],
      // 20 at 0.44 and 2 at 0.50 cost 9.8; all 25 cost 11.3.
      buy_price: [0.44, 98 / 220, 113 / 250],
      buy_filled: [5, 22, 25],
      // 10 at 0.40 and 12 at 0.39 bring 8.68; all 140 bring 4 + 11.7 + 10.
      sell_price: [0.4, 868 / 2_200, 257 / 1_400],
      sell_filled: [5, 22, 140],
    })
  })
  test('has no values for sizes if none are requested, and the four default bands if none are', async () => {
    const [row] = await kalshi([opening], { levels: '1' })
    expect(row).toMatchObject({
      ...{ bids: [[0.4, 10]], asks: [[0.44, 20]], bid_level_count: 3, bid_depth_within: [0, 10, 40, 40] },
      ...{ ask_depth_within: [0, 20, 20, 25], buy_price: [], buy_filled: [], sell_price: [], sell_filled: [] },
    })
  })
  test('with an empty side has no mid, and takes the existing levels', async () => {
    const row = await polymarket([], [['0.6', '2.5']], { bands: '0.05', sizes: '1,9' })
    expect(row).toMatchObject({
      ...{ imbalance: null, microprice: null, bid_depth_within: [null], ask_depth_within: [null] },
      ...{ bid_depth: 0, ask_depth: 2.5, bid_level_count: 0, buy_price: [0.6, 0.6], buy_filled: [1, 2.5] },
      ...{ sell_price: [null, null], sell_filled: [0, 0] },
    })
  })
  test('of a crossed book, with a mid between two units and sizes of six digits', async () => {
    const bids: Pair[] = [
      ['0.6', '1.000001'],
      ['0.557499', '3'],
      ['0.5', '2'],
    ]
    // Mid is 0.5575, so a band of 0.000001 begins at 0.557499 and includes the level there.
    const row = await polymarket(bids, [['0.515', '1']], { bands: '0.000001,0.0425' })
    expect(row).toMatchObject({
      ...{ bid_depth: 6.000001, bid_depth_within: [4.000001, 4.000001], ask_depth_within: [1, 1] },
      imbalance: 1 / 2_000_001,
      // 0.6 × 1 + 0.515 × 1.000001 = 1.115000515.
      microprice: 1_115_000_515 / 2_000_001_000,
    })
    const half = await polymarket(
      [
        ['0.41', '1'],
        ['0.400001', '2'],
      ],
      [['0.420001', '4']],
      { bands: '0.005,0.015' },
    )
    // Mid is 0.4150005, so a band of 0.005 begins at 0.4100005, just above the best bid.
    expect(half).toMatchObject({ bid_depth_within: [0, 3], ask_depth_within: [0, 4] })
  })
})

describe('rows', () => {
  const lines = [opening, kalshiDelta(1_500, '0.41', '3'), kalshiDelta(1_600, '0.41', '-1'), kalshiGap(3_100)]
  const bestOf = (rows: DepthRow[]): unknown[] =>
    rows.map(({ timestamp, trust, bids }) => [(timestamp - NOON) / 1_000, trust, bids[0]])
  const known = [
    [0, 'established', [0.4, 10]],
    [1, 'established', [0.41, 2]],
  ]
  test('have the buckets of the order-book summary', async () => {
    expect(bestOf(await kalshi(lines, { fill: 'observed' }))).toEqual(known)
    const later = [...lines, received(4_000, kalshiSnapshot([['0.2', '1']]))]
    const carried = [...known, [2, 'established', [0.41, 2]], [3, 'lost', undefined], [4, 'established', [0.2, 1]]]
    expect(bestOf(await kalshi(later, {}))).toEqual(carried)
    expect(bestOf(await kalshi(later, { fill: 'none' }))).toEqual([...known, carried[4]])
  })
  test('are doubtful if the book is doubtful at some time', async () => {
    const snapshot = (ms: number) => received(ms, kalshiSnapshot([['0.2', '1']]))
    const doubted = [opening, kalshiDelta(1_500, '0.41', '3'), kalshiDelta(3_100, '0.41', '-4')]
    const trusts = async (more: object[]) => (await kalshi([...doubted, ...more], {})).map(({ trust }): string => trust)
    const known = ['established', 'doubtful', 'doubtful', 'doubtful']
    expect(await trusts([snapshot(4_000), kalshiDelta(5_000, '0.2', '1')])).toEqual([
      ...known,
      'established',
      'established',
    ])
    expect(await trusts([snapshot(4_001), kalshiDelta(5_000, '0.2', '1')])).toEqual([
      ...known,
      'doubtful',
      'established',
    ])
  })
  test('of a window begin in it, and use no record after its end', async () => {
    const cut = { start_timestamp: String(NOON + 1), end_timestamp: String(NOON + 1_500) }
    const answer = await made.askKalshi([capture(...(lines as []))], 'depth-summary', { resolution: '1', ...cut })
    expect(bestOf(answer['data'] as DepthRow[])).toEqual([[1, 'established', [0.41, 3]]])
  })
  test('of a day that only continues the book begin at midnight', async () => {
    const days = [capture(...(lines.slice(0, 3) as [])), capture(kalshiDelta(made.DAY_MS, '0.41', '1'))]
    const query = { resolution: '3600', date: '2026-08-11' }
    const rows = (await made.askKalshi(days, 'depth-summary', query))['data'] as DepthRow[]
    expect(rows.map(({ bids }) => bids[0])).toEqual([...new Array(12).fill([0.41, 2]), [0.41, 3]])
  })
  test('of an observed book end at the stated best prices, whose size may be unknown', async () => {
    const lines = [
      priceChange(0, { price: '0.3', size: '5', best_bid: '0.3', best_ask: '0.4' }),
      priceChange(1, { price: '0.45', size: '7', side: 'SELL', best_bid: '0.3', best_ask: '0.4' }),
      priceChange(2, { price: '0.25', size: '9', best_bid: '0.25', best_ask: '0.4' }),
    ]
    const query = { date: DAY, bands: '0.1', sizes: '5' }
    const answer = await made.askPolymarket([capture(...(lines as []))], 'depth-summary', query)
    // Mid is 0.325, and 0.25 is within 0.1 of it.
    expect(answer['data']).toMatchObject([
      {
        ...{ trust: 'observed', imbalance: null, microprice: null },
        ...{ bids: [[0.25, 9]], bid_level_count: 1, bid_depth: 9, bid_depth_within: [9] },
        asks: [
          [0.4, 0],
          [0.45, 7],
        ],
        ...{ ask_level_count: 2, ask_depth: 7, ask_depth_within: [null] },
        ...{ buy_price: [null], buy_filled: [null], sell_price: [0.25], sell_filled: [5] },
      },
    ])
  })
  test('of an observed book have no levels on a side that the venue states as empty', async () => {
    const lines = [
      priceChange(0, { price: '0.3', size: '5', best_bid: '0.3', best_ask: '0.4' }),
      priceChange(1, { price: '0.45', size: '7', side: 'SELL', best_bid: '0', best_ask: '0.45' }),
    ]
    const answer = await made.askPolymarket([capture(...(lines as []))], 'depth-summary', { date: DAY, sizes: '5' })
    const none = { bids: [], bid_level_count: 0, bid_depth: 0, sell_price: [null], sell_filled: [0] }
    expect(answer['data']).toMatchObject([{ ...none, asks: [[0.45, 7]], buy_price: [0.45], buy_filled: [5] }])
  })
})
