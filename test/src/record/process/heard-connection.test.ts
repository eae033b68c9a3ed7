// Tests until when each book of a connection counts as complete, from the lines of its segments.

import { describe, expect, test } from 'bun:test'
import { HeardConnection } from '../../../../src/record/process/heard-connection.ts'
import { controlLine, frameLine, restLine } from '../../../../workers/segment/segment-lines.ts'

const MARKET = `0x${'a'.repeat(64)}`
const ns = (ms: number) => BigInt(ms) * 1_000_000n

const state = (name: string, fields: object = {}) => controlLine('state', 0n, { state: name, ...fields })
const carries = (...books: string[]) => state('carries', { books })
const frame = (ms: number, message: unknown) => frameLine(JSON.stringify(message), ns(ms), 0n)
const snapshot = (ms: number, ticker: string) =>
  frame(ms, { type: 'orderbook_snapshot', sid: 1, seq: 1, msg: { market_ticker: ticker } })
const delta = (ms: number, ticker: string) => frame(ms, { type: 'orderbook_delta', msg: { market_ticker: ticker } })
const book = (ms: number, ...tokens: string[]) =>
  frame(
    ms,
    tokens.map((token) => ({ event_type: 'book', market: MARKET, asset_id: token, bids: [], asks: [] })),
  )
const change = (ms: number, token: string) =>
  frame(ms, { event_type: 'price_change', market: MARKET, price_changes: [{ asset_id: token }] })

/** Lines of its segments. */
function heard(venue: 'kalshi' | 'polymarket', ...segments: string[][]) {
  const connection = new HeardConnection(venue)
  for (const lines of segments) {
    connection.begin()
    for (const line of lines) connection.read(line.trimEnd())
  }
  return Object.fromEntries(connection.heard().map(([name, { untilMs }]) => [name, untilMs]))
}

describe('of Kalshi', () => {
  const opened = [carries('A', 'B'), state('open')]

  test('a book is complete from its snapshot to the last frame of the connection', () => {
    expect(heard('kalshi', [...opened, snapshot(1_000, 'A'), snapshot(1_001, 'B'), delta(9_000, 'B')])).toEqual({
      A: 9_000,
      B: 9_000,
    })
  })

  test('a book without a snapshot is not, nor one that was given up', () => {
    expect(heard('kalshi', [...opened, snapshot(1_000, 'A'), delta(2_000, 'B')])).toEqual({ A: 2_000 })
    expect(heard('kalshi', [...opened, snapshot(1_000, 'A'), state('drops', { books: ['A'] })])).toEqual({})
  })

  test.each([
    state('sequence_hole', { sid: 1 }),
    state('subscription_ended'),
    state('open'),
    controlLine('overflow', 0n, { dropped: 3 }),
  ])('after %j it is complete until then, until its next snapshot', (line) => {
    const lines = [...opened, snapshot(1_000, 'A'), snapshot(1_001, 'B'), line, snapshot(5_000, 'B'), delta(9_000, 'B')]
    expect(heard('kalshi', lines)).toEqual({ A: 1_001, B: 9_000 })
  })

  test('a book of REST is a snapshot', () => {
    const lines = [...opened, delta(1_000, 'A'), restLine('{"orderbook_fp":{}}', ns(2_000), 'A'), delta(3_000, 'A')]
    expect(heard('kalshi', lines)).toEqual({ A: 3_000 })
  })

  test('a segment goes on with what the one before it knew', () => {
    expect(heard('kalshi', [...opened, snapshot(1_000, 'A')], [carries('A', 'B'), delta(5_000, 'A')])).toEqual({
      A: 5_000,
    })
  })

  test('where the one before is not there, all that is carried is taken for complete', () => {
    expect(heard('kalshi', [carries('A', 'B'), delta(5_000, 'A')])).toEqual({ A: 5_000, B: 5_000 })
  })
})

describe('of Polymarket', () => {
  test('a book is complete from its snapshot on, and its market is read of any message', () => {
    const lines = [carries('1', '2'), state('open'), book(1_000, '1'), change(2_000, '2'), book(3_000, '2')]
    expect(heard('polymarket', lines)).toEqual({ '1': 3_000, '2': 3_000 })
    expect(heard('polymarket', [carries('1', '2'), change(2_000, '2')])).toEqual({ '2': 2_000 })
  })

  test('a token that is not carried is none of its books', () => {
    expect(heard('polymarket', [carries('1'), state('open'), book(1_000, '1', '2')])).toEqual({ '1': 1_000 })
  })
})
