// Tests that layers are independent: loading or deleting records of one source changes nothing in another.

import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../json.ts'
import { DAY, kalshiDelta, kalshiSnapshot, NOON, received, TICKER } from '../lines.ts'
import { DAY_MS, day, gapOf, layered, loadLines, spansIn } from './layered-lines.ts'
import type { LayeredModel } from './layered-model.ts'

const snapshot = (ms: number, size = '10') => received(ms, kalshiSnapshot([['0.40', size]], [['0.50', '20']]))
const delta = (ms: number, amount = '1') => kalshiDelta(ms, '0.40', amount)
const ownTimes = (model: LayeredModel, date = DAY): number[] =>
  model
    .shown('kalshi', TICKER, date)
    .filter(({ source }) => source === null)
    .map(({ record }) => record.timestamp - NOON)
const all = (model: LayeredModel) =>
  model.dates('kalshi', TICKER).map((date) => ({
    records: model.records('kalshi', TICKER, date),
    spans: model.spans('kalshi', TICKER, date),
    switches: model.switches('kalshi', TICKER, date),
    counts: model.counts('kalshi', TICKER, date),
  }))

const own = [snapshot(0), delta(1_000), gapOf(1_500, 3_900), snapshot(4_000), delta(9_000)]
// These records are at the times of own snapshots, or shortly before. In one capture with the own records, they would
// change the times of the own snapshots.
const alpha: JsonObject[] = [
  snapshot(-9),
  delta(-1),
  snapshot(0),
  delta(0),
  delta(3_995),
  snapshot(4_000),
  delta(3_999),
]
const beta = [snapshot(-20), delta(2_000), delta(20_000)]

describe('own records', () => {
  test('keep their times whatever archives are loaded, and after the archives are gone', () => {
    // Kalshi's snapshots have no venue time. The next record of the same source would decide the time of a snapshot.
    const model = layered({ own })
    const times = [0, 1_000, 1_500, 4_000, 9_000]
    expect(ownTimes(model)).toEqual(times)
    loadLines(model, 'alpha', alpha)
    expect(ownTimes(model)).toEqual(times)
    loadLines(model, 'alpha', [received(3_990, kalshiSnapshot([['0.40', '10']], [['0.50', '20']])), delta(3_990)])
    loadLines(model, 'beta', beta)
    expect(ownTimes(model)).toEqual(times)
    model.delete('alpha')
    expect(ownTimes(model)).toEqual(times)
  })
  test('stay apart from the same records of an archive', () => {
    const model = layered({ own, alpha: own })
    expect(model.shown('kalshi', TICKER, DAY).map(({ source }) => source)).toEqual([null, null, null, null, null])
    expect(model.layer('alpha')!.recordCount()).toBe(5)
  })
  test('are not contradicted by an earlier date of an archive', () => {
    const qualityOf = (model: LayeredModel) => model.layer(null)!.quality('kalshi', TICKER, DAY, TICKER)
    const alone = layered({ own: [snapshot(0), delta(5)] })
    const beside = layered({ own: [snapshot(0), delta(5)], alpha: [snapshot(-DAY_MS, '77'), delta(-DAY_MS + 5)] })
    expect(qualityOf(beside)).toEqual(qualityOf(alone))
    expect(qualityOf(beside)).toMatchObject({ snapshotsContradicted: 0, inferredGaps: [] })
    // Own records do not continue a book of an archive, either.
    const going = layered({ own: [delta(5), delta(9)], alpha: [snapshot(-DAY_MS, '77')] })
    expect(going.bookAt('kalshi', TICKER, TICKER, { until: { ms: NOON + 5 } })).toMatchObject({
      ...{ trust: 'observed', bids: [[0.4, 1]] },
    })
  })
})

describe('a file', () => {
  test.each(['own', 'alpha'])('of %s that is loaded twice changes nothing', (source) => {
    const model = layered({ own, alpha, beta })
    const before = all(model)
    loadLines(model, source, source === 'own' ? own : alpha)
    expect(all(model)).toEqual(before)
  })
})

describe('an archive', () => {
  test('that is deleted leaves the other whole, and the store as if it had never been loaded', () => {
    const model = layered({ own, alpha, beta })
    expect(spansIn(model)).toEqual(['alpha start 0', 'own 0 1500', 'alpha 1500 4000', 'own 4000 9001', 'beta 9001 end'])
    model.delete('alpha')
    expect(all(model)).toEqual(all(layered({ own, beta })))
    expect(spansIn(model)).toEqual(['beta start 0', 'own 0 1500', 'beta 1500 4000', 'own 4000 9001', 'beta 9001 end'])
    model.delete('beta')
    expect(all(model)).toEqual(all(layered({ own })))
    expect(model.layer('beta')).toBeUndefined()
  })
  test('that alone has a date removes the date with itself', () => {
    const model = layered({ own, alpha: [...alpha, snapshot(DAY_MS)] })
    expect(model.dates('kalshi', TICKER)).toEqual([DAY, day(1)])
    model.delete('alpha')
    expect(model.dates('kalshi', TICKER)).toEqual([DAY])
  })
})

test('the order in which sources are loaded does not matter', () => {
  const captures = { own, alpha, beta }
  const first = all(layered(captures))
  const orders = [
    ['own', 'beta', 'alpha'],
    ['alpha', 'own', 'beta'],
    ['alpha', 'beta', 'own'],
    ['beta', 'own', 'alpha'],
    ['beta', 'alpha', 'own'],
  ] as const
  for (const order of orders) {
    expect(all(layered(Object.fromEntries(order.map((source) => [source, captures[source]]))))).toEqual(first)
  }
})
