// Tests the order of the records shown on a date, and its switches, on small stores. Times are ms after noon.

import { describe, expect, test } from 'bun:test'
import { toNumber } from '../exact.ts'
import type { JsonObject } from '../json.ts'
import { book, CONDITION, DAY, kalshiDelta, kalshiSnapshot, NOON, priceChange, received, TICKER } from '../lines.ts'
import { kalshiFill } from '../questions/made-lines.ts'
import { DAY_MS, day, gapOf, layered, spansIn } from './layered-lines.ts'
import type { LayeredModel } from './layered-model.ts'

const snapshot = (ms: number, size = '10') => received(ms, kalshiSnapshot([['0.40', size]], [['0.50', '20']]))
const delta = (ms: number, amount = '1') => kalshiDelta(ms, '0.40', amount)
/** The own recorder is away from 1500 to 4000. */
const own = [snapshot(0), delta(1_000), gapOf(1_500, 3_900), snapshot(4_000, '30'), delta(9_000)]

/** Prints each record as `ms source type`, with an `x` if replays pass over it. */
const order = (model: LayeredModel, date = DAY): string[] =>
  model.shown('kalshi', TICKER, date).map(({ record: { timestamp, type }, source, isPassedOver }) => {
    return `${timestamp - NOON} ${source ?? 'own'} ${type}${isPassedOver ? ' x' : ''}`
  })

/** Prints each switch as `place ms source`, and each of its books as `name trust bids/asks`. */
const switches = (model: LayeredModel, date = DAY, venue: 'kalshi' | 'polymarket' = 'kalshi'): string[][] =>
  model.switches(venue, venue === 'kalshi' ? TICKER : CONDITION, date).map(({ source, atMs, place, books }) => [
    `${place} ${atMs - NOON} ${source ?? 'own'}`,
    ...[...books].map(([name, { book: state, trust }]) => {
      const print = (side: Map<bigint, bigint>) =>
        [...side].map(([price, size]) => `${toNumber(price)}x${toNumber(size)}`).join()
      return `${name} ${trust} ${print(state.bids)}/${print(state.asks)}`
    }),
  ])

describe('records', () => {
  test('shown are all own ones, and those of an archive in its spans; by event time, own ones first in a ms', () => {
    const more = [delta(2_000), kalshiFill(2_000, '0.5', '1', 'yes'), delta(3_000)]
    const model = layered({
      own: [...own.slice(0, 3), delta(2_000), kalshiFill(2_500, '0.5', '1', 'yes', 'own'), ...own.slice(3)],
      alpha: [
        snapshot(-9),
        delta(1_499),
        delta(1_500),
        ...more,
        delta(3_999),
        delta(4_000),
        delta(9_001),
        delta(9_002),
      ],
    })
    expect(order(model)).toEqual([
      '-9 alpha snapshot',
      '0 own snapshot',
      '1000 own delta',
      '1500 own gap x',
      '1500 alpha delta',
      '2000 own delta x',
      '2000 alpha delta',
      '2000 alpha trade',
      '2500 own trade x',
      '3000 alpha delta',
      '3999 alpha delta',
      '4000 own snapshot',
      '9000 own delta',
      '9001 alpha delta',
      '9002 alpha delta',
    ])
  })
  test('are placed by their event time, not by a time that they print', () => {
    // The last delta before 5000 states 1400, but takes the time of the record before it.
    const model = layered({ own, alpha: [snapshot(-9), delta(1_600), delta(1_400), delta(5_000)] })
    expect(order(model).filter((line) => line.includes('alpha'))).toEqual([
      '-9 alpha snapshot',
      '1600 alpha delta',
      '1600 alpha delta',
    ])
  })
  test('are printed with their source, except own records', () => {
    const model = layered({ own, alpha: [snapshot(-9), delta(2_000), delta(5_000)] })
    expect(model.records('kalshi', TICKER, DAY).map((record) => record.source)).toEqual([
      ...['alpha', undefined, undefined, undefined, 'alpha', undefined, undefined],
    ])
    expect(model.counts('kalshi', TICKER, DAY)).toEqual({ records: 7, quotes: 6, trades: 0, gaps: 0 })
  })
  test('of one layer can be requested alone', () => {
    const model = layered({ own, alpha: [snapshot(-9), delta(2_000), delta(5_000)] })
    expect(model.layer('alpha')!.records('kalshi', TICKER, DAY)).toHaveLength(3)
    expect(model.layer(null)!.records('kalshi', TICKER, DAY)).toHaveLength(5)
  })
})

describe('a switch', () => {
  test('has the books of its layer after all records before its ms', () => {
    const model = layered({ own, alpha: [snapshot(-9, '5'), delta(1_499), delta(1_500), delta(5_000)] })
    expect(spansIn(model)).toEqual(['alpha start 0', 'own 0 1500', 'alpha 1500 4000', 'own 4000 end'])
    expect(switches(model)).toEqual([
      ['1 0 own'],
      ['3 1500 alpha', `${TICKER} established 0.4x6/0.5x20`],
      ['5 4000 own', `${TICKER} lost /`],
    ])
  })
  test('leaves a book unknown if its layer has no record of it yet', () => {
    const bids: [string, string][] = [['0.4', '1']]
    const changeOfB = priceChange(5_000, { asset_id: 'B', price: '0.3', size: '7' })
    const model = layered({
      own: [book(1_000, bids, []), book(1_005, bids, [], 'B')],
      alpha: [book(500, bids, [['0.6', '2']]), changeOfB, priceChange(9_000, { price: '0.3', size: '7' })],
    })
    expect(switches(model, DAY, 'polymarket')).toEqual([['1 1000 own'], ['3 1006 alpha', 'A established 0.4x1/0.6x2']])
  })
  test('states the trust of its books', () => {
    const restart = { ...delta(1_200), seq: 1 }
    const model = layered({ own, alpha: [snapshot(-9), delta(1_000), restart, snapshot(3_000), delta(5_000)] })
    expect(switches(model)[1]).toEqual(['3 1500 alpha', `${TICKER} doubtful 0.4x12/0.5x20`])
    const observed = layered({ own, alpha: [delta(1_000), delta(2_000), delta(5_000)] })
    expect(switches(observed).map(([head, state]) => [head, state])).toEqual([
      ['2 1500 alpha', `${TICKER} observed 0.4x1/`],
      ['4 4000 own', `${TICKER} lost /`],
    ])
  })
  test('is at the start of a date whose source differs from that of the date before', () => {
    const model = layered({ own: [snapshot(0), delta(9)], alpha: [snapshot(-DAY_MS), delta(DAY_MS)] })
    expect(spansIn(model)).toEqual(['own start end'])
    expect(spansIn(model, day(1))).toEqual(['alpha start end'])
    expect(switches(model, day(1))).toEqual([[`0 ${DAY_MS / 2} alpha`, `${TICKER} doubtful 0.4x10/0.5x20`]])
    // Both archives continue past midnight. Each date has its own order of archives.
    const [first, second] = [snapshot(-9), delta(DAY_MS, '2')]
    const other = layered({ alpha: [first, delta(5)], beta: [snapshot(-9, '7'), second, delta(DAY_MS + 5)] })
    expect([spansIn(other), spansIn(other, day(1))]).toEqual([['alpha start end'], ['beta start end']])
    expect(switches(other, day(1))).toEqual([[`0 ${DAY_MS / 2} beta`, `${TICKER} established 0.4x7/0.5x20`]])
  })
  test('does not exist where the same source continues, nor before the first date', () => {
    const model = layered({ alpha: [snapshot(0), delta(DAY_MS), delta(3 * DAY_MS)] as JsonObject[] })
    expect([0, 1, 3].flatMap((days) => model.switches('kalshi', TICKER, day(days)))).toEqual([])
  })
})
