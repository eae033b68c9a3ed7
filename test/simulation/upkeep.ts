// Compaction and sweeps, concurrent with everything else. Each may crash at any moment and start again.

import { compact } from '../../storage/cluster/upkeep/compact.ts'
import { sweep, WrongCatalogue } from '../../storage/cluster/upkeep/sweep.ts'
import { DataError } from '../../storage/failures.ts'
import { HOUR_MS } from '../../storage/units.ts'
import type { Random } from '../../workers/synthetic/random.ts'
import type { Cluster, Workplace } from './cluster.ts'
import { pauseMs } from './fault-plan.ts'

/** A date after all loaded and recorded days. */
export const BEFORE = '2026-07-23'
const SEGMENT_BYTES = 4_000

export const compactor = (cluster: Cluster, random: Random, turns: number) => async (at: Workplace) => {
  while (turns-- > 0) {
    await cluster.world.sleep(at.process, pauseMs(random))
    await attempt(cluster, at, 'compactions', async () => {
      const { partitions, damage } = await compact(at, {
        before: BEFORE,
        segmentBytes: random.pick([1, SEGMENT_BYTES]),
      })
      cluster.world.note(`${at.process.name} moved ${partitions}`)
      if (partitions > 0) cluster.world.count('compactions that moved')
      if (damage.length > 0 && cluster.broken.size === 0) throw new Error(`damage: ${JSON.stringify(damage)}`)
    })
  }
}

export const sweeper = (cluster: Cluster, random: Random, turns: number) => async (at: Workplace) => {
  while (turns-- > 0) {
    await cluster.world.sleep(at.process, random.chance(0.2) ? pauseMs(random) : random.below(20 * HOUR_MS))
    await attempt(cluster, at, 'sweeps', async () => {
      const { graceMs } = cluster.faultPlan
      const report = await sweep(at, { graceMs, isForced: random.chance(0.5) })
      cluster.world.note(`${at.process.name} swept ${JSON.stringify(report)}`)
      if (report.unnamed > 0) cluster.world.count('sweeps of what was named once')
      if (report.unknown > 0) cluster.world.count('sweeps of what was never named')
    })
  }
}

async function attempt(cluster: Cluster, at: Workplace, what: string, run: () => Promise<void>): Promise<void> {
  const failures = cluster.network.failuresOf(at.process)
  try {
    await run()
    cluster.world.count(`${what} that ended`)
  } catch (error) {
    cluster.world.note(`${at.process.name} fails: ${error}`)
    const isAway = error instanceof DataError && error.code === 'store_unavailable'
    const hasReason = cluster.network.failuresOf(at.process) > failures || cluster.broken.size > 0
    if (!(isAway && hasReason) && !(error instanceof WrongCatalogue)) throw error
  }
}
