// Tests answers over the records shown, on small stores. Times are ms after noon. The own recorder is away from 1500
// to 4000.

import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../json.ts'
import { DAY, kalshiDelta, kalshiSnapshot, NOON, NOW, received, TICKER } from '../lines.ts'
import { kalshiFill } from '../questions/made-lines.ts'
import { DAY_MS, day, gapOf, layered, spansIn } from './layered-lines.ts'
import type { LayeredModel } from './layered-model.ts'

const snapshot = (ms: number, size = '10') => received(ms, kalshiSnapshot([['0.40', size]], [['0.50', '20']]))
const delta = (ms: number, amount = '1', price = '0.40') => kalshiDelta(ms, price, amount)
const own = [snapshot(0), delta(1_000), gapOf(1_500, 3_900), snapshot(4_000, '30'), delta(9_000)]
const alpha = [snapshot(-9, '5'), delta(1_200), delta(2_000, '2', '0.41'), delta(4_500)]
const window = (from: number, to: number) => ({ startTimestamp: NOON + from, endTimestamp: NOON + to })

/** Prints each row as `ms record kind side price before→after trust`. */
const changes = (model: LayeredModel, request: { startTimestamp: number; endTimestamp: number } | object): string[] =>
  model
    .bookChanges('kalshi', TICKER, TICKER, request as ReturnType<typeof window>)
    .map(({ timestamp, record, kind, side, price, before, after, trust }) => {
      return `${timestamp - NOON} ${record} ${kind} ${side} ${price} ${before}→${after} ${trust}`
    })
const bookAt = (model: LayeredModel, ms: number) => model.bookAt('kalshi', TICKER, TICKER, { until: { ms: NOON + ms } })
const seconds = (model: LayeredModel, from: number, to: number): string[] =>
  model
    .summary('kalshi', TICKER, TICKER, { ...window(from, to), resolution: 1, fill: 'observed', nowMs: NOW })
    .map(({ timestamp, quote_count, best_bid, best_bid_size, best_bid_ohlc, trust }) => {
      const { open, close } = best_bid_ohlc
      return `${timestamp - NOON} ${quote_count} ${best_bid}x${best_bid_size} ${open}-${close} ${trust}`
    })

describe('changes of a book', () => {
  const model = layered({ own, alpha })
  test('have a switch as a snapshot without a record', () => {
    expect(spansIn(model)).toEqual(['alpha start 0', 'own 0 1500', 'alpha 1500 4000', 'own 4000 end'])
    // The own recorder's gap at 1500 is at place 3. It has no row, but counts as a place.
    expect(changes(model, window(1_001, 8_999))).toEqual([
      '1500 null snapshot bid 0.4 11→6 established',
      '2000 4 level bid 0.41 0→2 established',
      '4000 null snapshot bid 0.41 2→0 established',
      '4000 null snapshot bid 0.4 6→0 established',
      '4000 null snapshot ask 0.5 20→0 established',
      '4000 5 snapshot bid 0.4 0→30 established',
      '4000 5 snapshot ask 0.5 0→20 established',
    ])
  })
  test('by places return a switch together with the record that it precedes', () => {
    expect(changes(model, { date: DAY, record: 3, limit: 1 })).toEqual(['1500 null snapshot bid 0.4 11→6 established'])
    expect(changes(model, { date: DAY, record: 4, limit: 1 })).toEqual(['2000 4 level bid 0.41 0→2 established'])
  })
  test('are doubtful or unknown after a switch', () => {
    const restart = { ...delta(1_300), seq: 1 }
    const doubted = layered({ own, alpha: [snapshot(-9, '5'), delta(1_200), restart, delta(2_000), snapshot(3_000)] })
    expect(changes(doubted, window(1_001, 2_500))).toEqual([
      '1500 null snapshot bid 0.4 11→7 doubtful',
      '2000 4 level bid 0.4 7→8 doubtful',
    ])
    const late = layered({ own, alpha: [snapshot(3_000, '5'), delta(5_000)] })
    expect(changes(late, window(1_001, 2_999))).toEqual([
      '1500 null snapshot bid 0.4 11→0 unknown',
      '1500 null snapshot ask 0.5 20→0 unknown',
    ])
  })
})

describe('the book at an instant', () => {
  const model = layered({ own, alpha })
  test('comes from the layer shown', () => {
    expect(bookAt(model, 1_499)).toMatchObject({ as_of: NOON + 1_000, record: 2, bids: [[0.4, 11]] })
    expect(bookAt(model, 2_000)).toMatchObject({
      ...{ as_of: NOON + 2_000, record: 4, trust: 'established' },
      bids: [
        [0.41, 2],
        [0.4, 6],
      ],
    })
    expect(bookAt(model, 4_000)).toMatchObject({ as_of: NOON + 4_000, record: 5, bids: [[0.4, 30]] })
  })
  test('has the time of the switch until the next record', () => {
    expect(bookAt(model, 1_500)).toMatchObject({
      ...{ as_of: NOON + 1_500, date: DAY, record: null, trust: 'established', bids: [[0.4, 6]] },
    })
    const late = layered({ own, alpha: [snapshot(3_000, '5'), delta(5_000)] })
    expect(bookAt(late, 2_000)).toMatchObject({ as_of: null, record: null, trust: 'unknown', bids: [], asks: [] })
  })
  test('after a record at a place', () => {
    const at = (place: number) => model.bookAt('kalshi', TICKER, TICKER, { until: { date: DAY, place } })
    expect(at(2)).toMatchObject({ timestamp: NOON + 1_000, record: 2, bids: [[0.4, 11]] })
    expect(at(3)).toMatchObject({ timestamp: NOON + 1_500, record: null, bids: [[0.4, 6]] })
  })
})

describe('the summary', () => {
  test('continues across switches, which do not count as quotes', () => {
    expect(seconds(layered({ own, alpha }), 0, 4_999)).toEqual([
      '0 1 0.4x10 0.4-0.4 established',
      // The last state of the bucket is from alpha.
      '1000 1 0.4x6 0.4-0.4 established',
      '2000 1 0.41x2 0.41-0.41 established',
      '3000 0 0.41x2 0.41-0.41 established',
      '4000 1 0.4x30 0.4-0.4 established',
    ])
  })
  test('has the worst trust of both layers in a bucket', () => {
    const observed = layered({ own, alpha: [delta(1_200), delta(2_000, '2', '0.41'), delta(4_500)] })
    expect(seconds(observed, 0, 4_999).map((row) => row.split(' ').at(-1))).toEqual([
      ...['established', 'observed', 'observed', 'observed', 'established'],
    ])
    const late = layered({ own, alpha: [snapshot(3_000, '5'), delta(5_000)] })
    expect(seconds(late, 0, 4_999).map((row) => row.split(' ').slice(2).join(' '))).toEqual([
      '0.4x10 0.4-0.4 established',
      'nullx0 0.4-0.4 established',
      'nullx0 null-null unknown',
      '0.4x5 0.4-0.4 established',
      '0.4x30 0.4-0.4 established',
    ])
  })
  test('without an archive equals that of own records', () => {
    expect(seconds(layered({ own }), 0, 4_999)).toEqual([
      '0 1 0.4x10 0.4-0.4 established',
      '1000 1 nullx0 0.4-0.4 lost',
      '2000 0 nullx0 null-null lost',
      '3000 0 nullx0 null-null lost',
      '4000 1 0.4x30 0.4-0.4 established',
    ])
  })
  test('of a date that an archive shows begins with its opening book', () => {
    const rows = (lines: JsonObject[]) =>
      layered({ own, alpha: lines }).summary('kalshi', TICKER, TICKER, {
        ...{ date: day(1), resolution: 3_600, fill: 'observed', nowMs: NOW },
      })
    expect(rows([...alpha, delta(DAY_MS)])).toHaveLength(13)
    expect(rows([...alpha, snapshot(DAY_MS)])).toHaveLength(1)
  })
})

describe('trades', () => {
  const fill = (ms: number, id: string) => kalshiFill(ms, '0.5', '1', 'yes', id)
  const ids = (model: LayeredModel) =>
    model
      .trades('kalshi', TICKER, null, { date: DAY })
      .map(({ timestamp, trade_id, record }) => `${timestamp - NOON} ${trade_id} ${record}`)
  const withTrades = (lines: JsonObject[], name: string) => [
    ...[lines[0]!, fill(500, `${name}1`), lines[1]!, fill(1_900, `${name}2`)],
    ...[...lines.slice(2), fill(9_500, `${name}3`)],
  ]
  test('are those of the source of each span', () => {
    const model = layered({ own: withTrades(own, 'o'), alpha: withTrades(alpha, 'a') })
    expect(spansIn(model)).toEqual(['alpha start 0', 'own 0 1500', 'alpha 1500 4000', 'own 4000 end'])
    expect(ids(model)).toEqual(['500 o1 2', '1900 a2 6', '9500 o3 10'])
  })
  test('in own spans of a date without own trades come from the first archive that has trades', () => {
    const model = layered({ own, alpha: alpha, beta: withTrades(alpha, 'b'), gamma: withTrades(alpha, 'g') })
    expect(spansIn(model)).toEqual([
      ...['alpha start 0', 'own 0 1500', 'alpha 1500 4000', 'own 4000 9001', 'beta 9001 end'],
    ])
    // The trade at 1900 is in alpha's span, and alpha has no trades.
    expect(ids(model)).toEqual(['500 b1 null', '9500 b3 7'])
    expect(bookAt(model, 1_000).last_trade).toMatchObject({ trade_id: 'b1', record: null })
    expect(model.counts('kalshi', TICKER, DAY).trades).toBe(2)
    const request = { date: DAY, resolution: 60, fill: 'none' as const, nowMs: NOW }
    expect(model.tradeSummary('kalshi', TICKER, TICKER, request)).toMatchObject([{ trade_count: 2, volume: 2 }])
    const preferred = { sources: ['gamma', 'beta', 'alpha'] }
    const other = layered({ own, beta: withTrades(alpha, 'b'), gamma: withTrades(alpha, 'g') }, preferred)
    expect(ids(other)).toEqual(['500 g1 null', '1900 g2 4', '9500 g3 8'])
  })
  test('are not borrowed on a date with an own trade; trades that are passed over are not listed', () => {
    const lost = [...own.slice(0, 3), fill(2_500, 'own'), ...own.slice(3)]
    expect(ids(layered({ own: lost, alpha: withTrades(alpha, 'a') }))).toEqual(['1900 a2 4', '9500 a3 9'])
  })
})
