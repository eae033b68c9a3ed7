// Makes accounts with a history: 10,000 keys of 2,000 users, and 10 million requests counted over the last 500 hours.
// Writes them directly into the tables, as the sums that the server stores.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TransactionSQL } from 'bun'
import { secretDigestHex } from '../../src/accounts/keys/key-secret.ts'
import { openAccountsDatabase } from '../../src/accounts/sql/accounts-database.ts'
import { hourOf, monthOf } from '../../src/accounts/usage/calendar.ts'
import { DAY_MS, HOUR_MS, utcDate } from '../../storage/units.ts'
import type { Size } from '../topic.ts'
import { cached } from './cache.ts'
import { sourceKey } from './source-key.ts'

/** Each user has one key; the first user also has all the remaining keys. */
const COUNTS = {
  smoke: { users: 20, keys: 50, hours: 48, markets: 20 },
  full: { users: 2_000, keys: 10_000, hours: 500, markets: 1_000 },
}
const REQUESTS_AN_HOUR = 10
const MARKET_DAYS = 30
const CREATED_AT = '2026-01-01T00:00:00.000Z'

export async function accountHistory(size: Size): Promise<{ data: string; requestCount: number }> {
  const { users, hours } = COUNTS[size]
  // The history ends now, so the data is different tomorrow.
  const key = [size, utcDate(Date.now()), sourceKey('src/accounts', 'bench/datasets/account-history.ts', 'bun.lock')]
  const data = await cached(`account-history-${size}`, key, async (folder) => {
    mkdirSync(folder, { recursive: true })
    const database = await openAccountsDatabase(`sqlite://${join(folder, 'accounts.sqlite')}`)
    await database.write((sql) => writeHistory(sql, size))
    await database.close()
  })
  return { data, requestCount: users * hours * REQUESTS_AN_HOUR }
}

async function writeHistory(sql: TransactionSQL, size: Size): Promise<void> {
  const counts = COUNTS[size]
  const nowMs = Date.now()
  const requests = counts.users * REQUESTS_AN_HOUR
  const sums = { requests, calls: requests, refused: 0, failed: 0 }
  await insert(sql, 'users', counts.users, (index) => ({ user_id: userOf(index), plan: 'pro', created_at: CREATED_AT }))
  await insert(sql, 'api_keys', counts.keys, (index) => ({
    key_id: `key_${index}`,
    user_id: userOf(index < counts.users ? index : 0),
    name: 'laptop',
    secret_sha256: secretDigestHex(String(index)),
    created_at: CREATED_AT,
    revision: 1,
  }))
  await insert(sql, 'user_hours', counts.users * counts.hours, (index) => ({
    user_id: userOf(index % counts.users),
    hour: hourOf(nowMs - Math.floor(index / counts.users) * HOUR_MS),
    requests: REQUESTS_AN_HOUR,
  }))
  const calls = counts.hours * REQUESTS_AN_HOUR
  await insert(sql, 'user_months', counts.users, (index) => ({ user_id: userOf(index), month: monthOf(nowMs), calls }))
  await insert(sql, 'user_totals', counts.users, (index) => ({ user_id: userOf(index), requests: calls }))
  await insert(sql, 'service_hours', counts.hours, (index) => ({ hour: hourOf(nowMs - index * HOUR_MS), ...sums }))
  await insert(sql, 'service_months', 1, () => ({ month: monthOf(nowMs), ...sums, requests: requests * counts.hours }))
  await insert(sql, 'market_days', MARKET_DAYS * counts.markets, (index) => ({
    day: utcDate(nowMs - Math.floor(index / counts.markets) * DAY_MS),
    venue: 'kalshi',
    market: `KXMARKET-${index % counts.markets}`,
    requests: 1 + (index % counts.markets),
  }))
}

const ROWS_A_STATEMENT = 500
const userOf = (index: number) => `user-${index}`

async function insert(
  sql: TransactionSQL,
  table: string,
  count: number,
  row: (index: number) => object,
): Promise<void> {
  for (let from = 0; from < count; from += ROWS_A_STATEMENT) {
    const rows = Array.from({ length: Math.min(ROWS_A_STATEMENT, count - from) }, (_, index) => row(from + index))
    await sql`INSERT INTO ${sql(table)} ${sql(rows)}`
  }
}
