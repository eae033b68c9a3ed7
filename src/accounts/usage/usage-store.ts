// Writes a batch of usage into the database: one transaction, a few statements with many rows.

import type { SQL, TransactionSQL } from 'bun'
import { DAY_MS, utcDate } from '../../../storage/units.ts'
import { byVenue, VENUES, type Venue } from '../../../storage/venue.ts'
import { secretRemover } from '../../observe/log/without-secrets.ts'
import type { AccountsDatabase } from '../sql/accounts-database.ts'
import { hourOf } from './calendar.ts'
import { answeredMs } from './call.ts'
import { RECENT_MAX, type UsageBatch } from './usage-batch.ts'

/** For each user of the batch, the number of calls this month, summed over all processes. */
export type MonthCalls = Map<string, number>

export type WriterId = { writer: string; batch: number }

/** Removes secrets from a path: a client may put its key there by mistake. */
const withoutSecrets = secretRemover([])

/** Rows per statement: both databases limit the number of parameters of a statement. */
const ROWS_MAX = 500

/** Returns the id of the market that a request named; null if that market is not stored. Requests for other markets
 *  are not counted by market, since a client could name any number of markets. */
export type StoredMarket = (venue: Venue, given: string) => string | null | Promise<string | null>

/** Writes a batch exactly once, even if called again after an unconfirmed commit. */
export async function writeUsage(
  database: AccountsDatabase,
  batch: UsageBatch,
  id: WriterId,
  storedMarket: StoredMarket,
  nowMs: number = Date.now(),
): Promise<MonthCalls> {
  const markets = await storedMarkets(batch, storedMarket)
  return database.write(async (sql) => {
    if (await isNew(sql, id)) {
      const totals = await addUsers(sql, batch)
      await addRecent(sql, batch, totals)
      await addService(sql, batch)
      await addMarkets(sql, batch.day, markets)
      await addKeys(sql, batch, nowMs)
    }
    return readMonthCalls(sql, [...batch.users.keys()], batch.month)
  }, 'process-end')
}

/** Days for which popular markets are stored. */
export const MARKET_DAYS_MAX = 365
/** Days for which requests by hour are stored: two years. */
const HOUR_DAYS_MAX = 731
/** Days for which the ids of Stripe's events are stored. This is enough: Stripe repeats an event only for days, and an
 *  event's signature expires after minutes. */
const EVENT_DAYS_MAX = 60

/** Deletes rows of processes that have not written for a day, and rows that no request can read any more. */
export function deleteOldUsage(database: AccountsDatabase, nowMs: number): Promise<void> {
  const ago = (days: number) => nowMs - days * DAY_MS
  return database.write(async (sql) => {
    await sql`DELETE FROM usage_writers WHERE written_at < ${new Date(ago(1)).toISOString()}`
    await sql`DELETE FROM market_days WHERE day < ${utcDate(ago(MARKET_DAYS_MAX + 1))}`
    await sql`DELETE FROM user_hours WHERE hour < ${hourOf(ago(HOUR_DAYS_MAX))}`
    await sql`DELETE FROM service_hours WHERE hour < ${hourOf(ago(HOUR_DAYS_MAX))}`
    await sql`DELETE FROM stripe_events WHERE received_at < ${new Date(ago(EVENT_DAYS_MAX)).toISOString()}`
  }, 'process-end')
}

export async function readMonthCalls(
  sql: SQL | TransactionSQL,
  userIds: readonly string[],
  month: string,
): Promise<MonthCalls> {
  const calls: MonthCalls = new Map()
  for await (const ids of chunks([...userIds].sort())) {
    const rows: { user_id: string; calls: number }[] =
      await sql`SELECT user_id, calls FROM user_months WHERE month = ${month} AND user_id IN ${sql(ids)}`
    for (const row of rows) calls.set(row.user_id, Number(row.calls))
  }
  return calls
}

async function isNew(sql: TransactionSQL, { writer, batch }: WriterId): Promise<boolean> {
  const written: unknown[] = await sql`
    INSERT INTO usage_writers (writer, batch, written_at) VALUES (${writer}, ${batch}, ${new Date().toISOString()})
    ON CONFLICT (writer) DO UPDATE SET batch = excluded.batch, written_at = excluded.written_at
    WHERE usage_writers.batch < excluded.batch RETURNING batch`
  return written.length > 0
}

/** Resolves to each user's total number of requests. */
async function addUsers(sql: TransactionSQL, { users, hour, month }: UsageBatch): Promise<Map<string, number>> {
  const totals = new Map<string, number>()
  for await (const some of chunks(byKey([...users], ([userId]) => userId))) {
    const added = some.map(([user_id, { requests }]) => ({ user_id, requests }))
    const rows: { user_id: string; requests: number }[] = await sql`
      INSERT INTO user_totals ${sql(added)} ON CONFLICT (user_id) DO UPDATE SET
      requests = user_totals.requests + excluded.requests RETURNING user_id, requests`
    for (const row of rows) totals.set(row.user_id, Number(row.requests))
    const hours = some.map(([user_id, { requests }]) => ({ user_id, hour, requests }))
    await sql`INSERT INTO user_hours ${sql(hours)} ON CONFLICT (user_id, hour) DO UPDATE SET
              requests = user_hours.requests + excluded.requests`
    const months = some.map(([user_id, { calls }]) => ({ user_id, month, calls }))
    await sql`INSERT INTO user_months ${sql(months)} ON CONFLICT (user_id, month) DO UPDATE SET
              calls = user_months.calls + excluded.calls`
  }
  return totals
}

/** Writes the newest requests of each user, each replacing an old one. */
async function addRecent(sql: TransactionSQL, { users }: UsageBatch, totals: Map<string, number>): Promise<void> {
  const rows = byKey([...users], ([userId]) => userId).flatMap(([user_id, { recent }]) => {
    const newest = recent.slice(-RECENT_MAX)
    const first = (totals.get(user_id) ?? 0) - newest.length
    return newest.map((call, index) => ({
      user_id,
      slot: (first + index) % RECENT_MAX,
      ordinal: first + index,
      time: new Date(answeredMs(call)).toISOString(),
      method: call.method,
      path: withoutSecrets(call.path),
      status: call.status,
      duration_ms: call.durationMs,
      key_id: call.key.keyId,
    }))
  })
  for await (const some of chunks(rows)) {
    await sql`INSERT INTO recent_requests ${sql(some)} ON CONFLICT (user_id, slot) DO UPDATE SET
              ordinal = excluded.ordinal, time = excluded.time, method = excluded.method, path = excluded.path,
              status = excluded.status, duration_ms = excluded.duration_ms, key_id = excluded.key_id`
  }
}

async function addService(sql: TransactionSQL, batch: UsageBatch): Promise<void> {
  const { requests, calls, refused, failed, hour, month } = batch
  await sql`INSERT INTO service_hours ${sql([{ hour, requests, calls, refused, failed }])}
            ON CONFLICT (hour) DO UPDATE SET
            requests = service_hours.requests + excluded.requests, calls = service_hours.calls + excluded.calls,
            refused = service_hours.refused + excluded.refused, failed = service_hours.failed + excluded.failed`
  await sql`INSERT INTO service_months ${sql([{ month, requests, calls, refused, failed }])}
            ON CONFLICT (month) DO UPDATE SET
            requests = service_months.requests + excluded.requests, calls = service_months.calls + excluded.calls,
            refused = service_months.refused + excluded.refused, failed = service_months.failed + excluded.failed`
}

type MarketRequests = Record<Venue, Map<string, number>>

/** Returns the requests by stored market. If the store cannot be read, no markets are counted. Quotas do not depend on
 *  these counts. */
async function storedMarkets({ markets }: UsageBatch, storedMarket: StoredMarket): Promise<MarketRequests> {
  const stored: MarketRequests = byVenue(() => new Map())
  try {
    for (const venue of VENUES) {
      for (const [given, requests] of markets[venue]) {
        const market = await storedMarket(venue, given)
        if (market !== null) stored[venue].set(market, (stored[venue].get(market) ?? 0) + requests)
      }
    }
  } catch {
    return byVenue(() => new Map())
  }
  return stored
}

async function addMarkets(sql: TransactionSQL, day: string, markets: MarketRequests): Promise<void> {
  for (const venue of VENUES) {
    for await (const some of chunks(byKey([...markets[venue]], ([market]) => market))) {
      await sql`INSERT INTO market_days ${sql(some.map(([market, requests]) => ({ day, venue, market, requests })))}
                ON CONFLICT (day, venue, market) DO UPDATE SET requests = market_days.requests + excluded.requests`
    }
  }
}

/** Stores the time of each key's latest use. A stored time in the future came from a wrong clock, and is replaced. */
async function addKeys(sql: TransactionSQL, { keys }: UsageBatch, nowMs: number): Promise<void> {
  const rows = byKey([...keys], ([keyId]) => keyId)
  for await (const some of chunks(rows)) {
    const uses = some.map(([key_id, ms]) => ({ key_id, last_used_at: new Date(ms).toISOString() }))
    await sql`INSERT INTO key_uses ${sql(uses)} ON CONFLICT (key_id) DO UPDATE SET last_used_at = excluded.last_used_at
              WHERE excluded.last_used_at > key_uses.last_used_at
              OR key_uses.last_used_at > ${new Date(nowMs).toISOString()}`
  }
}

/** Sorts rows in the same order in every process, so that transactions locking the same rows cannot deadlock. */
const byKey = <T>(rows: T[], keyOf: (row: T) => string): T[] =>
  rows.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0))

/** Splits rows into chunks, one for each statement. Yields to other requests between two statements, because SQLite
 *  runs on this thread. */
async function* chunks<T>(rows: readonly T[]): AsyncGenerator<T[]> {
  for (let start = 0; start < rows.length; start += ROWS_MAX) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve))
    yield rows.slice(start, start + ROWS_MAX)
  }
}
