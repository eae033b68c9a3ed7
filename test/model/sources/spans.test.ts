// Tests which source a date shows when: each sentence of the contract about spans on a small store. Times are ms after
// noon.

import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../json.ts'
import { book, CONDITION, DAY, kalshiDelta, kalshiSnapshot, priceChange, received } from '../lines.ts'
import { kalshiFill, polymarketGap } from '../questions/made-lines.ts'
import { DAY_MS, day, gapOf, layered, loadLines, spansIn } from './layered-lines.ts'

const snapshot = (ms: number) => received(ms, kalshiSnapshot([['0.40', '10']], [['0.50', '20']]))
const delta = (ms: number) => kalshiDelta(ms, '0.40', '1')
const segment = (recorder: string) => ({ backbook: 'segment', recorder })
/** This archive knows the book all the time around noon. */
const alpha = [snapshot(-20_000), delta(2_500), delta(20_000)]
const ofPolymarket = (captures: Record<string, JsonObject[]>) =>
  spansIn(layered(captures), DAY, 'polymarket', CONDITION)

describe('a hole is', () => {
  test('all of a date on which own has no book record', () => {
    expect(spansIn(layered({ own: [kalshiFill(5, '0.5', '1', 'yes')], alpha }))).toEqual(['alpha start end'])
    expect(spansIn(layered({ alpha }))).toEqual(['alpha start end'])
  })
  test('the time before the first record, and the time after the last one', () => {
    const own = [snapshot(1_000), delta(2_000), kalshiFill(3_000, '0.5', '1', 'yes')]
    expect(spansIn(layered({ own, alpha }))).toEqual(['alpha start 1000', 'own 1000 3001', 'alpha 3001 end'])
  })
  test('not the end of a date, nor the start of the next one, if own continues over midnight', () => {
    const next = [delta(DAY_MS), delta(DAY_MS + 5)]
    const model = layered({ own: [snapshot(0), ...next], alpha: [...alpha, snapshot(DAY_MS - 9), delta(DAY_MS + 9)] })
    expect(spansIn(model)).toEqual(['alpha start 0', 'own 0 end'])
    expect(spansIn(model, day(1))).toEqual(['own start 6', 'alpha 6 end'])
  })
  test('the end of a date and the start of a later one, if own skips a day in between', () => {
    const next = [delta(2 * DAY_MS), delta(2 * DAY_MS + 5)]
    const later = [snapshot(2 * DAY_MS - 9), delta(2 * DAY_MS + 9)]
    const model = layered({ own: [snapshot(0), ...next], alpha: [...alpha, ...later] })
    expect(spansIn(model)).toEqual(['alpha start 0', 'own 0 1', 'alpha 1 end'])
    expect(spansIn(model, day(2))).toEqual(['alpha start 0', 'own 0 6', 'alpha 6 end'])
  })
  test('the start of a date after a date that only continues an older book', () => {
    const ofB = (ms: number) => book(ms, [['0.3', '1']], [], 'B')
    const changeOfA = priceChange(2 * DAY_MS + 50, { price: '0.1', size: '1' })
    const own = [book(0, [['0.4', '1']], []), ofB(2 * DAY_MS), ofB(3 * DAY_MS), { ...changeOfA }]
    const model = layered({ own: own.slice(0, 3), alpha: [book(3 * DAY_MS - 9, [['0.4', '1']], [])] })
    expect(spansIn(model, day(3), 'polymarket', CONDITION)).toEqual(['alpha start 0', 'own 0 end'])
    // After a new record of the book, it is known again, and stays known on the next date.
    const again = layered({ own, alpha: [book(3 * DAY_MS - 9, [['0.4', '1']], [])] })
    expect(spansIn(again, day(3), 'polymarket', CONDITION)).toEqual(['own start end'])
  })
  test('the time before the first record that makes a book known, which a change of a lost book does not', () => {
    const bids: [string, string][] = [['0.4', '1']]
    const ofA = (ms: number) => priceChange(2 * DAY_MS + ms, { price: '0.1', size: '1' })
    const own = [book(0, bids, []), book(0, bids, [], 'B'), polymarketGap(500, 'A'), ofA(5), ofA(2_000)]
    const model = layered({ own, alpha: [book(2 * DAY_MS - 9, bids, []), ofA(5_000)] })
    expect(spansIn(model, day(2), 'polymarket', CONDITION)).toEqual(['alpha start end'])
    const known = [...own.slice(0, 4), book(2 * DAY_MS + 1_000, bids, [], 'B'), own[4]!]
    const other = layered({ own: known, alpha: [book(2 * DAY_MS - 9, bids, []), ofA(5_000)] })
    expect(spansIn(other, day(2), 'polymarket', CONDITION)).toEqual([
      'alpha start 1000',
      'own 1000 2001',
      'alpha 2001 end',
    ])
  })
  test('a gap from its start to the first snapshot after it', () => {
    const own = [snapshot(0), delta(1_000), gapOf(1_500, 3_900), delta(3_950), snapshot(4_000), delta(30_000)]
    expect(spansIn(layered({ own, alpha }))).toEqual(['alpha start 0', 'own 0 1500', 'alpha 1500 4000', 'own 4000 end'])
  })
  test('a gap of more than an hour from its start, although its event time is its end', () => {
    const hour = 3_600_000
    const own = [snapshot(0), delta(1_000), gapOf(1_500, 2 * hour), snapshot(2 * hour), delta(3 * hour)]
    const long = [snapshot(-20_000), delta(hour), delta(3 * hour)]
    expect(spansIn(layered({ own, alpha: long }))).toEqual([
      'alpha start 0',
      'own 0 1500',
      `alpha 1500 ${2 * hour}`,
      `own ${2 * hour} end`,
    ])
  })
  test('a gap from its start, although a change before it is later', () => {
    const own = [snapshot(0), delta(1_000), gapOf(900, 3_900), snapshot(4_000), delta(30_000)]
    expect(spansIn(layered({ own, alpha }))).toEqual(['alpha start 0', 'own 0 900', 'alpha 900 4000', 'own 4000 end'])
  })
  test('a gap over midnight on the date of its record', () => {
    const midnight = DAY_MS / 2
    const own = [snapshot(0), gapOf(midnight - 9, midnight + 9), delta(midnight + 10), snapshot(midnight + 20)]
    const model = layered({ own, alpha: [snapshot(-9), delta(midnight + 5), delta(midnight + 30)] })
    expect(spansIn(model)).toEqual(['alpha start 0', 'own 0 end'])
    expect(spansIn(model, day(1))).toEqual([
      `alpha start ${20 - midnight}`,
      `own ${20 - midnight} ${21 - midnight}`,
      `alpha ${21 - midnight} end`,
    ])
  })
  test('only a gap of all books that were known', () => {
    const bids: [string, string][] = [['0.4', '1']]
    const end = [book(9_000, bids, [], 'A'), book(20_000, bids, [], 'B')]
    const archive = [book(-5, bids, []), ...[900, 15_000].map((ms) => priceChange(ms, { price: '0.3', size: '1' }))]
    const ofOne = [book(0, bids, []), book(0, bids, [], 'B'), polymarketGap(500, 'A'), ...end]
    expect(ofPolymarket({ own: ofOne, alpha: archive })).toEqual(['alpha start 0', 'own 0 end'])
    const ofBoth = [...ofOne.slice(0, 3), polymarketGap(700, 'B'), ...end]
    expect(ofPolymarket({ own: ofBoth, alpha: archive })).toEqual([
      'alpha start 0',
      'own 0 700',
      'alpha 700 9000',
      'own 9000 end',
    ])
    const ofMarket = [...ofOne.slice(0, 2), polymarketGap(600, null), ...end]
    expect(ofPolymarket({ own: ofMarket, alpha: archive })).toEqual([
      'alpha start 0',
      'own 0 600',
      'alpha 600 9000',
      'own 9000 end',
    ])
    // The other book is unknown before its first record.
    const ofKnown = [book(0, bids, []), polymarketGap(500, 'A'), book(1_000, bids, [], 'B'), ...end]
    expect(ofPolymarket({ own: ofKnown, alpha: archive })).toEqual([
      'alpha start 0',
      'own 0 500',
      'alpha 500 1000',
      'own 1000 end',
    ])
  })
  test('no gap that another own recorder covers', () => {
    const model = layered({ alpha })
    loadLines(model, 'own', [segment('one'), snapshot(0), gapOf(1_500, 3_900), snapshot(4_000), delta(30_000)])
    expect(spansIn(model)).toEqual(['alpha start 0', 'own 0 1500', 'alpha 1500 4000', 'own 4000 end'])
    loadLines(model, 'own', [segment('two'), snapshot(-5), delta(5_000)])
    expect(spansIn(model)).toEqual(['alpha start -5', 'own -5 end'])
  })
  test('no gap that an archive covers: that is another layer', () => {
    const own = [snapshot(0), gapOf(1_500, 3_900), snapshot(4_000), delta(30_000)]
    expect(spansIn(layered({ own, alpha }))).toContain('alpha 1500 4000')
  })
  test('no inferred gap', () => {
    const restart = { ...delta(1_000), seq: 1 }
    const model = layered({ own: [snapshot(0), delta(500), restart, delta(30_000)], alpha })
    expect(spansIn(model)).toEqual(['alpha start 0', 'own 0 end'])
    expect(model.layer(null)?.quality('kalshi', 'KXTEST-1', DAY, 'KXTEST-1').inferredGaps).toMatchObject([
      { reason: 'sequence_restart' },
    ])
  })
})

describe('a hole shows', () => {
  const own = [snapshot(0), gapOf(1_500, 3_900), snapshot(4_000), delta(50_000)]

  test('own, if no archive knows a book in it', () => {
    expect(spansIn(layered({ own }))).toEqual(['own start end'])
    const early = [snapshot(-30_000), delta(-20_000)]
    expect(spansIn(layered({ own, early }))).toEqual(['early start 0', 'own 0 end'])
    const late = [snapshot(3_999), delta(4_500)]
    expect(spansIn(layered({ own, late }))).toEqual(['own start 1500', 'late 1500 4000', 'own 4000 end'])
    const lost = [snapshot(-5), gapOf(1_000, 4_000), snapshot(4_000)]
    expect(spansIn(layered({ own, lost }))).toEqual(['lost start 0', 'own 0 end'])
  })
  test('the first of the archives that know a book, in the order of the operator', () => {
    expect(spansIn(layered({ own, alpha, beta: alpha }))).toContain('alpha 1500 4000')
    expect(spansIn(layered({ own, alpha, beta: alpha }, { sources: ['beta', 'alpha'] }))).toContain('beta 1500 4000')
    expect(spansIn(layered({ own, alpha, beta: alpha }, { sources: ['beta'] }))).toContain('beta 1500 4000')
    expect(spansIn(layered({ own, alpha, beta: [snapshot(9_000)] }, { sources: ['beta'] }))).toContain(
      'alpha 1500 4000',
    )
  })
  test('without such an order, the archive whose best prices agree more often with the stated ones', () => {
    const stated = (ms: number, best_bid: string) =>
      priceChange(ms, { price: '0.1', size: '1', best_bid, best_ask: '1' })
    const archive = (...bests: string[]) => [book(-9, [['0.4', '1']], []), ...bests.map((best, i) => stated(i, best))]
    const [right, half] = [archive('0.4', '0.4'), archive('0.4', '0.3')]
    const ofOwn = [book(5_000, [['0.4', '1']], [])]
    expect(ofPolymarket({ own: ofOwn, alpha: half, beta: right })).toContain('beta start 5000')
    expect(ofPolymarket({ own: ofOwn, alpha: right, beta: half })).toContain('alpha start 5000')
    expect(ofPolymarket({ own: ofOwn, beta: right, alpha: right })).toContain('alpha start 5000')
    expect(ofPolymarket({ own: ofOwn, alpha: archive(), beta: half })).toContain('beta start 5000')
  })
  test('the first archive that has a record, if own has none and no archive knows a book', () => {
    const trades = [kalshiFill(5, '0.5', '1', 'yes')]
    expect(spansIn(layered({ beta: trades, gamma: trades }))).toEqual(['beta start end'])
    expect(spansIn(layered({ beta: trades, gamma: alpha }))).toEqual(['gamma start end'])
    expect(spansIn(layered({ own: trades, beta: trades }))).toEqual(['own start end'])
  })
})
