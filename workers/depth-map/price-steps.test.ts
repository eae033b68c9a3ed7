// Compares sizes by price step and column of time with a model that checks every millisecond.

import { expect, test } from 'bun:test'
import { Random } from '../synthetic/random.ts'
import { AGGREGATES, type Aggregate, columnsOf, type MapShape, PriceSteps, stepsOf } from './price-steps.ts'

const FROM = 1_000
const shapeOf = (aggregate: Aggregate, of: Partial<MapShape> = {}): MapShape => ({
  ...{ fromMs: FROM, toMs: FROM + 94, resolutionMs: 10, stepMicros: 100_000, aggregate, isRounded: false },
  ...of,
})

/** For each ms, the sizes at the price step: bids and asks in 1e-6 contracts; undefined while the book is unknown. */
type SizesByMs = ([bid: number, ask: number] | undefined)[]

function expected(sizesByMs: SizesByMs, aggregate: Aggregate, columns: number): number[] {
  const larger = (bid: number, ask: number) => (bid >= ask ? bid : -ask) / 1e6
  return Array.from({ length: columns }, (_, column) => {
    const known = sizesByMs.slice(10 * column, 10 * column + 10).filter((each) => each !== undefined)
    if (known.length === 0) return 0
    const [bids, asks] = [known.map(([bid]) => bid), known.map(([, ask]) => ask)]
    if (aggregate === 'max') return larger(Math.max(...bids), Math.max(...asks))
    if (aggregate === 'last') return larger(bids.at(-1)!, asks.at(-1)!)
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / known.length
    return larger(mean(bids), mean(asks))
  })
}

test.each(AGGREGATES.flatMap((aggregate) => [1, 2, 3, 4].map((seed) => [aggregate, seed] as const)))(
  '%s, seed %d',
  (aggregate, seed) => {
    const random = new Random(seed, 'map')
    const shape = shapeOf(aggregate)
    const steps = new PriceSteps(shape)
    const sizesByMs: SizesByMs = []
    let [bid, ask, isKnown] = [0, 0, false]
    for (let ms = 0; ms < 95; ms++) {
      if (random.chance(0.06)) {
        isKnown ? steps.suspend(FROM + ms) : steps.resume(FROM + ms)
        isKnown = !isKnown
      }
      if (random.chance(0.3)) {
        const [nextBid, nextAsk] = [random.below(3) * 2e6, random.below(3) * 4e6]
        steps.change(450_000, false, nextBid - bid, FROM + ms)
        steps.change(410_000, true, nextAsk - ask, FROM + ms)
        bid = nextBid
        ask = nextAsk
      }
      sizesByMs.push(isKnown ? [bid, ask] : undefined)
    }
    steps.suspend(FROM + 95)
    steps.finish()
    const row = steps.rows[4] ?? new Float64Array(10)
    const wanted = expected(sizesByMs, aggregate, 10)
    expect([...row].map((size) => Math.round(size * 1e9) / 1e9 + 0)).toEqual(
      wanted.map((size) => Math.round(size * 1e9) / 1e9 + 0),
    )
    expect(steps.rows.every((sizes, step) => step === 4 || sizes === undefined)).toBe(true)
    expect([...steps.knownMs]).toEqual(
      Array.from(
        { length: 10 },
        (_, column) => sizesByMs.slice(10 * column, 10 * column + 10).filter((each) => each !== undefined).length,
      ),
    )
  },
)

test('columns and steps of a map', () => {
  expect([
    columnsOf(shapeOf('max')),
    columnsOf(shapeOf('max', { toMs: FROM + 99 })),
    columnsOf(shapeOf('max', { toMs: FROM + 100 })),
  ]).toEqual([10, 10, 11])
  expect([stepsOf(100_000), stepsOf(300_000), stepsOf(1_000_000)]).toEqual([11, 4, 2])
})

test('sizes are rounded to 32 bits on request, and clear removes them', () => {
  const steps = new PriceSteps(shapeOf('last', { isRounded: true }))
  steps.change(1_000_000, true, 100_000, FROM)
  steps.resume(FROM)
  steps.suspend(FROM + 5)
  steps.clear()
  steps.resume(FROM + 10)
  steps.suspend(FROM + 15)
  steps.finish()
  expect(steps.rows[10]).toEqual(Float32Array.of(-0.1, 0, 0, 0, 0, 0, 0, 0, 0, 0))
})
