// What goes wrong in a run, and how often: each kind in about half of the runs, so that some runs have much of one kind
// and nothing of another. (Groce et al., "Swarm Testing", ISSTA 2012.)

import { HOUR_MS } from '../../storage/units.ts'
import type { Random } from '../../workers/synthetic/random.ts'

export type Weather = {
  /** Shares of calls. */
  lostRequests: number
  lostReplies: number
  refusals: number
  duplicates: number
  slowCalls: number
  /** Of a process, at a call: what it has sent may still arrive. */
  crashes: number
  outages: { of: 'objects' | 'database'; fromMs: number; toMs: number }[]
  /** How far clocks may be from the world's. */
  skewMs: number
  /** Share of what a node has in its cache that is damaged when it is read. */
  cacheDamage: number
  /** Share of objects that are acknowledged, and are not there or not whole. */
  objectDamage: number
  /** How long a segment that nothing names is kept. */
  graceMs: number
}

/** No question takes so long. */
const LONG_GRACE_MS = 24 * HOUR_MS
const SHORT_GRACE_MS = 500

export function drawWeather(random: Random, faultsForMs: number): Weather {
  const share = (most: number) => (random.chance(0.5) ? 0 : most * random.fraction())
  const outage = (of: 'objects' | 'database') => {
    const fromMs = random.below(faultsForMs)
    return { of, fromMs, toMs: fromMs + random.below(faultsForMs / 3) }
  }
  return {
    lostRequests: share(0.06),
    lostReplies: share(0.06),
    refusals: share(0.06),
    duplicates: share(0.2),
    slowCalls: share(0.1),
    crashes: share(0.06),
    outages: random.chance(0.3) ? [outage(random.pick(['objects', 'database']))] : [],
    skewMs: random.pick([0, 1_000, 6 * HOUR_MS, 30 * HOUR_MS]),
    cacheDamage: random.chance(0.3) ? 0.1 : 0,
    objectDamage: random.chance(0.15) ? 0.1 : 0,
    graceMs: random.chance(0.2) ? SHORT_GRACE_MS : LONG_GRACE_MS,
  }
}

/** A question may take longer: what it is about may be swept under its hands. */
export const isGraceShort = ({ graceMs }: Weather): boolean => graceMs === SHORT_GRACE_MS

/** What is broken stays broken. */
export const calmed = (weather: Weather): Weather => ({
  ...weather,
  ...{ lostRequests: 0, lostReplies: 0, refusals: 0, duplicates: 0, slowCalls: 0, crashes: 0, outages: [] },
  ...{ cacheDamage: 0, objectDamage: 0 },
})
