// Statistics of past requests, read from sums by hour, day and month, so no query becomes slower as history grows.
// Only the newest requests of each user are stored one by one.

import type { SQL } from 'bun'
import { DAY_MS, HOUR_MS, utcDate } from '../../../storage/units.ts'
import type { Venue } from '../../../storage/venue.ts'
import { hourOf } from './calendar.ts'

export type HourCount = { hour: string; count: number }

export async function readRequestCount(sql: SQL, userId: string): Promise<number> {
  const [row]: { requests: number }[] = await sql`SELECT requests FROM user_totals WHERE user_id = ${userId}`
  return Number(row?.requests ?? 0)
}

/** Returns the hours of the range that had requests, earliest first. */
export async function readHourCounts(
  sql: SQL,
  { userId, fromMs, toMs }: { userId: string; fromMs: number; toMs: number },
): Promise<HourCount[]> {
  const rows: { hour: string; requests: number }[] = await sql`
    SELECT hour, requests FROM user_hours
    WHERE user_id = ${userId} AND hour >= ${hourOf(fromMs)} AND hour <= ${hourOf(toMs)} ORDER BY hour`
  return rows.map(({ hour, requests }) => ({ hour, count: Number(requests) }))
}

export type PastRequest = {
  time: string
  method: string
  path: string
  status: number
  durationMs: number
  keyId: string
}

/** Returns the newest requests first. */
export const readRecentRequests = async (sql: SQL, userId: string, limit: number): Promise<PastRequest[]> =>
  await sql`
    SELECT time, method, path, status, duration_ms AS "durationMs", key_id AS "keyId" FROM recent_requests
    WHERE user_id = ${userId} ORDER BY ordinal DESC LIMIT ${limit}`

/** Numbers of requests, of calls that count against a plan, of answers with 429, and of answers with 5xx. */
export type Counts = { requests: number; calls: number; refused: number; failed: number }

export type ServiceStatistics = {
  users: number
  keys: { total: number; active: number }
  total: Counts
  /** The current hour and the 23 before it. */
  last24Hours: Counts & { hours: HourCount[] }
}

export async function readServiceStatistics(sql: SQL, nowMs: number): Promise<ServiceStatistics> {
  const [users]: { users: number }[] = await sql`SELECT count(*) AS users FROM users`
  const [keys]: { total: number; active: number }[] = await sql`
    SELECT count(*) AS total,
           count(CASE WHEN deleted_at IS NULL AND (expires_at IS NULL OR expires_at > ${new Date(nowMs).toISOString()})
                 THEN 1 END) AS active
    FROM api_keys`
  const months: Counts[] = await sql`SELECT requests, calls, refused, failed FROM service_months`
  const hours: (Counts & { hour: string })[] = await sql`
    SELECT hour, requests, calls, refused, failed FROM service_hours
    WHERE hour > ${hourOf(nowMs - 24 * HOUR_MS)} AND hour <= ${hourOf(nowMs)} ORDER BY hour`
  return {
    users: Number(users?.users),
    keys: { total: Number(keys?.total), active: Number(keys?.active) },
    total: sumOf(months),
    last24Hours: { ...sumOf(hours), hours: hours.map(({ hour, requests }) => ({ hour, count: Number(requests) })) },
  }
}

export type MarketCount = { venue: Venue; market: string; requests: number }

/** Returns the most requested markets, counted over the last `days` UTC days, which include today. */
export async function readPopularMarkets(
  sql: SQL,
  { limit, days, nowMs }: { limit: number; days: number; nowMs: number },
): Promise<MarketCount[]> {
  const counts = new Map<string, MarketCount>()
  // Query day by day, and yield to other requests in between, because SQLite runs on this thread.
  for (let ago = 0; ago < days; ago++) {
    const rows: MarketCount[] =
      await sql`SELECT venue, market, requests FROM market_days WHERE day = ${utcDate(nowMs - ago * DAY_MS)}`
    for (const { venue, market, requests } of rows) {
      const key = `${venue} ${market}`
      const known = counts.get(key)
      if (known) known.requests += Number(requests)
      else counts.set(key, { venue, market, requests: Number(requests) })
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  return [...counts.values()].sort(byRequests).slice(0, limit)
}

const byRequests = (a: MarketCount, b: MarketCount) =>
  b.requests - a.requests || (`${a.venue} ${a.market}` < `${b.venue} ${b.market}` ? -1 : 1)

function sumOf(rows: readonly Counts[]): Counts {
  const sum: Counts = { requests: 0, calls: 0, refused: 0, failed: 0 }
  for (const row of rows) {
    sum.requests += Number(row.requests)
    sum.calls += Number(row.calls)
    sum.refused += Number(row.refused)
    sum.failed += Number(row.failed)
  }
  return sum
}
