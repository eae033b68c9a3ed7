// Writes the RateLimit and RateLimit-Policy headers:
// https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
// "month" is the plan's quota, "burst" its token bucket. Omits a limit that the plan does not have.

import type { Call } from '../../accounts/usage/call.ts'
import type { Plan } from '../../accounts/usage/plans.ts'

/** For example `"month";q=10000, "burst";q=20;w=4`. `w` is the window in seconds; a month has no fixed length. */
export function rateLimitPolicy({ callsPerMonth, callsPerSecond, burst }: Plan): string {
  const parts: string[] = []
  if (callsPerMonth !== null) parts.push(`"month";q=${callsPerMonth}`)
  if (callsPerSecond !== null) parts.push(`"burst";q=${burst};w=${Math.max(1, Math.ceil(burst / callsPerSecond))}`)
  return parts.join(', ')
}

/** Returns the calls that are left (r), and the seconds until all calls are available again (t):
 *  `"month";r=9999;t=864000, "burst";r=19;t=1`. */
export function rateLimit({ allowance, elapsedMs, nowMs }: Pick<Call, 'allowance' | 'elapsedMs' | 'nowMs'>): string {
  const { callsLeft } = allowance
  const month = callsLeft === null ? '' : `"month";r=${callsLeft};t=${allowance.monthEndsInSeconds(nowMs)}`
  const burstLeft = allowance.burstLeft(elapsedMs)
  if (burstLeft === null) return month
  const burst = `"burst";r=${burstLeft};t=${allowance.burstIsFullInSeconds(elapsedMs)}`
  return month === '' ? burst : `${month}, ${burst}`
}
