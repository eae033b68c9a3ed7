// The requests since the last write, added up in memory: a request costs a few additions, and a write costs a few rows,
// however many requests came. A batch covers at most one hour.

import { HOUR_MS, utcDate } from '../../../storage/units.ts'
import { byVenue, type Venue } from '../../../storage/venue.ts'
import { hourOf, monthOf } from './calendar.ts'
import { answeredMs, type Call } from './call.ts'

type UserUse = {
  requests: number
  calls: number
  /** The newest requests, oldest first. Has at least the newest `RECENT_MAX`, if there were so many. */
  recent: Call[]
}

/** Number of newest requests stored per user. */
export const RECENT_MAX = 100

export class UsageBatch {
  readonly hour: string
  readonly day: string
  readonly month: string
  readonly users = new Map<string, UserUse>()
  /** Time of each key's last use, Unix ms. */
  readonly keys = new Map<string, number>()
  /** Requests by market, per venue. */
  readonly markets: Record<Venue, Map<string, number>> = byVenue(() => new Map())
  requests = 0
  calls = 0
  /** Number of requests answered with 429. */
  refused = 0
  /** Number of requests answered with 5xx. */
  failed = 0
  readonly #startMs: number

  constructor(nowMs: number) {
    this.#startMs = nowMs - (nowMs % HOUR_MS)
    this.hour = hourOf(nowMs)
    this.day = utcDate(nowMs)
    this.month = monthOf(nowMs)
  }

  /** Returns whether an answer at this time belongs to this batch. */
  holds(timeMs: number): boolean {
    return timeMs >= this.#startMs && timeMs < this.#startMs + HOUR_MS
  }

  /** Adds a call that was answered. */
  add(call: Call): void {
    const { key, status, counts, calls, venue, market } = call
    let user = this.users.get(key.userId)
    if (!user) {
      user = { requests: 0, calls: 0, recent: [] }
      this.users.set(key.userId, user)
    }
    user.requests += 1
    this.requests += 1
    if (counts) {
      user.calls += calls
      this.calls += calls
    }
    if (status === 429) this.refused += 1
    if (status >= 500) this.failed += 1
    this.keys.set(key.keyId, answeredMs(call))
    if (market !== null && venue !== null && status < 400) {
      const requests = this.markets[venue]
      requests.set(market, (requests.get(market) ?? 0) + 1)
    }
    user.recent.push(call)
    if (user.recent.length >= 2 * RECENT_MAX) user.recent.splice(0, RECENT_MAX)
  }
}
