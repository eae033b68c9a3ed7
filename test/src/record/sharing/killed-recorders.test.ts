// Recorders as processes over one cluster: one is killed, another is stopped as by a debugger and goes on when its
// shards are taken. Nothing is lost untold, and whoever has lost a lease stores nothing under it.

import { describe, expect, test } from 'bun:test'
import { PACE } from '../../../../src/record/sharing/sharing.ts'
import { SHARD_COUNT } from '../../../../storage/cluster/leases/sharing.ts'
import { Random } from '../../../../workers/synthetic/random.ts'
import { ClusterTrial } from '../../../support/record/cluster-trial.ts'

const POSTGRES = process.env['POSTGRES_TEST_URL']
const isSome = (held: number) => held > 0
const isAll = (held: number) => held === SHARD_COUNT
const TAKEN_WITHIN_MS = 15_000

test('whoever ends is replaced in time: its lease runs out, and then somebody looks', () => {
  expect(PACE.leaseMs + PACE.turnMs).toBeLessThanOrEqual(TAKEN_WITHIN_MS - 5_000)
  // Some renewals may fail before a lease is lost.
  expect(PACE.leaseMs / PACE.turnMs).toBeGreaterThanOrEqual(4)
})

const suite = () => {
  test('one is killed, one is frozen and goes on too late', async () => {
    const trial = await ClusterTrial.start(POSTGRES!, new Random(16, 'killed recorders'), 6)
    try {
      trial.venues.talk(100)
      const [first, b] = [trial.record('a'), trial.record('b')]
      await trial.hold(isSome, first, b)
      await first.kill()
      const left = trial.left(first)
      expect(left.length).toBeGreaterThan(0)
      await trial.hold(isAll, b)
      // What was on its disk is loaded as any capture.
      const a = trial.record('a')
      await trial.hold(isSome, a, b)
      await trial.loaded(a, left)
      b.freeze()
      await trial.hold(isAll, a)
      b.goOn()
      await b.until('its shards are lost', ({ shards }) => (shards?.lost ?? 0) > 0)
      await trial.hold(isSome, a, b)
      trial.venues.quiet()
      // What is on its way arrives.
      await Bun.sleep(1_000)
      const lost = trial.left(b)
      await Promise.all([a, b].map((each) => each.stop()))
      const kept = trial.left(b)
      expect(kept.length).toBeGreaterThan(0)
      expect(lost).toEqual(expect.arrayContaining(kept))
      const again = trial.record('b')
      await trial.hold(isAll, again)
      await trial.loaded(again, kept)
      await again.stop()
      const { gaps, withinGaps, stored } = await trial.check()
      expect(gaps).toBeGreaterThan(0)
      expect(stored).toBeGreaterThan(withinGaps)
    } finally {
      await trial.end()
    }
  }, 400_000)
}

if (POSTGRES !== undefined) describe('recorders that end', suite)
else describe.skip('recorders that end: skipped, POSTGRES_TEST_URL is not set, see .ci/with-postgres', suite)
