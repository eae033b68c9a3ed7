// The faults of a run, and how often each happens. Each kind happens in about half of the runs, so that some runs have
// much of one kind and nothing of another. (Groce et al., "Swarm Testing", ISSTA 2012.)

import { GRACE_MS, GRACE_MS_MIN } from '../../storage/cluster/upkeep/sweep.ts'
import { HOUR_MS } from '../../storage/units.ts'
import type { Random } from '../../workers/synthetic/random.ts'

export type FaultPlan = {
  /** Share of calls whose request is lost. */
  lostRequests: number
  lostReplies: number
  refusals: number
  duplicates: number
  slowCalls: number
  /** Share of calls at which a process is suspended for hours or days. Its messages are then sent that much later. */
  suspended: number
  /** Share of the database's notifications after which a listener receives nothing for a while. */
  silences: number
  /** Share of calls at which a process crashes. Messages that it has already sent may still arrive. */
  crashes: number
  outages: { of: 'objects' | 'database'; fromMs: number; toMs: number }[]
  /** Maximum difference between a process's clock and the world's. */
  skewMs: number
  /** Share of a node's cached pieces that are damaged when they are read. */
  cacheDamage: number
  /** Share of objects that are acknowledged, but are missing or incomplete. */
  objectDamage: number
  /** How long a segment that no row names stays stored. */
  graceMs: number
  /** Whether the run has recorders. The checks read what recorders store after each commit, so such a run damages no
   *  objects. */
  hasRecorders: boolean
}

/** Most outages happen in this time, because most other things happen in the first minutes, too. */
const EARLY_MS = 60_000

export function drawFaultPlan(random: Random): FaultPlan {
  const share = (most: number) => (random.chance(0.5) ? 0 : most * random.fraction())
  const outage = (of: 'objects' | 'database') => {
    const fromMs = random.below(EARLY_MS)
    return { of, fromMs, toMs: fromMs + random.below(10 * EARLY_MS) }
  }
  const hasRecorders = random.chance(0.35)
  return {
    hasRecorders,
    lostRequests: share(0.06),
    lostReplies: share(0.06),
    refusals: share(0.06),
    duplicates: share(0.2),
    slowCalls: share(0.3),
    suspended: random.chance(0.4) ? 0.03 : 0,
    silences: share(0.2),
    crashes: share(0.06),
    outages: random.chance(0.3) ? [outage(random.pick(['objects', 'database']))] : [],
    skewMs: random.pick([0, 1_000, 6 * HOUR_MS, 30 * HOUR_MS]),
    cacheDamage: random.chance(0.3) ? 0.1 : 0,
    objectDamage: !hasRecorders && random.chance(0.23) ? 0.1 : 0,
    graceMs: random.pick([GRACE_MS_MIN, GRACE_MS]),
  }
}

/** Returns the plan without new faults. Objects that are damaged already stay damaged. */
export const withoutNewFaults = (faultPlan: FaultPlan): FaultPlan => ({
  ...faultPlan,
  ...{ lostRequests: 0, lostReplies: 0, refusals: 0, duplicates: 0, slowCalls: 0, crashes: 0, outages: [] },
  ...{ suspended: 0, silences: 0, cacheDamage: 0, objectDamage: 0 },
})

/** Returns the pause between two actions of a process: mostly short, sometimes most of a day. */
export function pauseMs(random: Random): number {
  const drawn = random.fraction()
  if (drawn < 0.8) return random.burst(60)
  return drawn < 0.92 ? random.burst(60_000) : random.below(20 * HOUR_MS)
}
