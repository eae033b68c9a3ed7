// Compares the worst trust of a book within each bucket with a check of every ms.

import { expect, test } from 'bun:test'
import { seeds } from '../../test/run/effort.ts'
import { Random } from '../synthetic/random.ts'
import { TRUSTS, type TrustStep } from '../trust/trust-steps.ts'
import { BucketGrid } from './bucket-grid.ts'
import { trustedRuns } from './trusted-runs.ts'

const DAY = Date.parse('2026-07-20')
const grid = new BucketGrid(1)
const FIRST = grid.numberAt(DAY)

/** Returns the worst trust in a bucket, from the trust at each of its instants. */
function worstIn(number: number, steps: TrustStep[], toMs: number): number {
  let worst = 0
  for (let ms = grid.startMs(number); ms < grid.endMs(number) && ms <= toMs; ms++) {
    worst = Math.max(worst, steps.findLast(({ fromMs }) => fromMs <= ms)?.trust ?? 0)
  }
  return worst
}

test.each(seeds(1, 20, 500))('any steps and runs, seed %p', (seed) => {
  const random = new Random(seed, 'steps')
  const times = Array.from({ length: random.between(0, 12) }, () => DAY + random.between(-500, 20_000))
  const edges = times.map((ms) => (random.chance(0.4) ? DAY + 1_000 * Math.round((ms - DAY) / 1_000) : ms))
  const ascending = [...new Set(edges)].sort((one, other) => one - other)
  const steps = ascending.map((fromMs) => ({ fromMs, trust: random.between(0, TRUSTS.length - 1) }))
  const toMs = DAY + random.between(5_000, 20_000)
  const last = grid.numberAt(toMs)
  const cut = random.between(FIRST, last)
  const runs = [
    { first: FIRST, last: cut },
    { first: cut + random.between(1, 3), last },
  ].filter((run) => run.first <= run.last)
  const shownTrusts = random.chance(0.5) ? undefined : TRUSTS.filter(() => random.chance(0.5))

  const trusted = trustedRuns(runs, steps, { grid, toMs, shownTrusts })
  const numbersIn = (run: { first: number; last: number }) =>
    Array.from({ length: run.last - run.first + 1 }, (_, i) => run.first + i)
  const bucketTrusts = trusted.flatMap((run) => numbersIn(run).map((number) => [number, run.trust]))
  const expected = runs.flatMap(numbersIn).map((number) => [number, worstIn(number, steps, toMs)] as const)
  expect(bucketTrusts).toEqual(
    expected.filter(([, trust]) => shownTrusts?.includes(TRUSTS[trust]!) ?? true).map((row) => [...row]),
  )
})

test('a whole day of one trust is one run', () => {
  const run = { first: FIRST, last: FIRST + 86_399 }
  expect(trustedRuns([run], [{ fromMs: DAY, trust: 0 }], { grid, toMs: DAY + 86_399_999 })).toEqual([
    { ...run, trust: 0 },
  ])
})
