// The accounts as the server and the command line use them: keys made, ended and checked, calls let through and
// counted, what can be asked of them later, and billing.

import { join } from 'node:path'
import type { Billing } from './billing/billing.ts'
import type { StripeSettings } from './billing/stripe-billing.ts'
import { type Authentication, KeyDirectory } from './keys/key-directory.ts'
import {
  type CreatedKey,
  createKey,
  findKey,
  type KeyEntry,
  listKeys,
  type NewKey,
  type OwnKey,
  readKey,
  readKeysSince,
  revokeKey,
  rotateKey,
} from './keys/keys.ts'
import { readPlansInUse, readRevision, readUserPlans, setBasePlan, type UserPlans } from './keys/users.ts'
import { type AccountsDatabase, openAccountsDatabase } from './sql/accounts-database.ts'
import { ANSWER_MS_MAX, within } from './sql/accounts-unavailable.ts'
import { CLOCKS } from './sql/clocks.ts'
import { monthOf } from './usage/calendar.ts'
import { Meter } from './usage/meter.ts'
import { builtInPlans, type Plan, type Plans, planOfUser } from './usage/plans.ts'
import {
  type HourCount,
  type MarketCount,
  type PastRequest,
  readHourCounts,
  readPopularMarkets,
  readRecentRequests,
  readRequestCount,
  readServiceStatistics,
  type ServiceStatistics,
} from './usage/request-statistics.ts'
import { readMonthCalls, type StoredMarket } from './usage/usage-store.ts'
import { UsageWriter } from './usage/usage-writer.ts'

export type MonthUsage = { plan: Plan; calls: number; month: string }

export type Accounts = {
  plans: Plans
  createKey(key: NewKey): Promise<CreatedKey>
  rotateKey(key: OwnKey): Promise<CreatedKey | undefined>
  revokeKey(key: OwnKey): Promise<boolean>
  readKey(keyId: string): Promise<KeyEntry | undefined>
  listKeys(page: { userId: string; offset: number; limit: number }): Promise<{ keys: KeyEntry[]; total: number }>
  authenticate(secret: string): Authentication | Promise<Authentication>
  meter: Pick<Meter, 'ready' | 'admit' | 'settle'>
  hasUser(userId: string): Promise<boolean>
  setPlan(userId: string, plan: string): Promise<UserPlans>
  /** The plans of the database that the configuration does not have. */
  unknownPlans(): Promise<string[]>
  usage(userId: string): Promise<MonthUsage>
  requestCount(userId: string): Promise<number>
  hourCounts(range: { userId: string; fromMs: number; toMs: number }): Promise<HourCount[]>
  recentRequests(userId: string, limit: number): Promise<PastRequest[]>
  statistics(): Promise<ServiceStatistics>
  popularMarkets(range: { limit: number; days: number }): Promise<MarketCount[]>
  /** Null where none is configured. */
  billing: Billing | null
  /** Rejects when the database does not answer. */
  check(): Promise<void>
  /** Requests that are counted and not yet in the database. */
  unwritten(): { requests: number; seconds: number }
  close(): Promise<void>
}

export type AccountsSettings = {
  plans?: Plans
  stripe?: StripeSettings | null
  /** Told of each failure to write usage; it is tried again. */
  usageNotWritten?: (error: unknown) => void
  /** Requests are counted by market for the markets that this finds. */
  storedMarket?: StoredMarket
  nowMs?: () => number
}

export const ACCOUNTS_FILE = 'accounts.sqlite'

/** Without an address the accounts are a SQLite file in the data folder. */
export const accountsUrl = (configured: string | null, dataFolder: string) =>
  configured ?? `sqlite://${join(dataFolder, ACCOUNTS_FILE)}`

export async function openAccounts(url: string, settings: AccountsSettings = {}): Promise<Accounts> {
  const database = await openAccountsDatabase(url)
  const { plans = builtInPlans(), stripe = null, storedMarket = (_, given) => given, nowMs = Date.now } = settings
  const { usageNotWritten = () => undefined } = settings
  const meter: Meter = new Meter({
    plans,
    readCalls: (userId, month) => readCalls(database, userId, month),
    record: (call) => writer.add(call),
    clocks: { ...CLOCKS, nowMs },
  })
  const events = { written: meter.written.bind(meter), failed: usageNotWritten }
  const writer = new UsageWriter(database, { events, storedMarket, nowMs })
  return {
    plans,
    ...keysOf(database, plans),
    ...usageOf(database, { plans, writer, nowMs }),
    meter,
    hasUser: async (userId) => (await readUserPlans(database.read, userId)) !== undefined,
    setPlan: (userId, plan) => setBasePlan(database, userId, plan),
    unknownPlans: async () => (await readPlansInUse(database.read)).filter((id) => !plans.byId.has(id)),
    billing: stripe && (await openBilling(stripe, database, plans)),
    check: async () => void (await readRevision(database.read)),
    unwritten: () => writer.unwritten(),
    async close() {
      await writer.close().catch(usageNotWritten)
      await database.close()
    },
  }
}

const readCalls = async ({ read }: AccountsDatabase, userId: string, month: string): Promise<number> =>
  (await readMonthCalls(read, [userId], month)).get(userId) ?? 0

/** Stripe's library is loaded where it is used: it takes as long as all the rest of the start. */
async function openBilling(stripe: StripeSettings, database: AccountsDatabase, plans: Plans): Promise<Billing> {
  const { stripeBilling } = await import('./billing/stripe-billing.ts')
  return stripeBilling(stripe, database, plans)
}

function keysOf(database: AccountsDatabase, plans: Plans) {
  const directory = new KeyDirectory({
    revision: () => readRevision(database.read),
    keysSince: (revision) => readKeysSince(database.read, revision),
    find: (secretSha256) => findKey(database.read, secretSha256),
  })
  return {
    createKey: (key: NewKey) => createKey(database, key, plans.default.id),
    rotateKey: (key: OwnKey) => rotateKey(database, key),
    revokeKey: (key: OwnKey) => revokeKey(database, key),
    authenticate: (secret: string) => directory.authenticate(secret),
  }
}

/** Each answer holds what this process counted before it was asked. */
function usageOf(
  database: AccountsDatabase,
  { plans, writer, nowMs }: { plans: Plans; writer: UsageWriter; nowMs: () => number },
) {
  const { read } = database
  const written =
    <Arguments extends unknown[], Result>(ask: (...given: Arguments) => Promise<Result>) =>
    (...given: Arguments): Promise<Result> =>
      within(
        ANSWER_MS_MAX,
        writer.flush().then(() => ask(...given)),
      )
  return {
    usage: written(async (userId: string) => {
      const month = monthOf(nowMs())
      const plan = planOfUser(plans, await readUserPlans(read, userId))
      return { plan, calls: await readCalls(database, userId, month), month }
    }),
    readKey: written((keyId: string) => readKey(read, keyId)),
    listKeys: written((page: { userId: string; offset: number; limit: number }) => listKeys(read, page)),
    requestCount: written((userId: string) => readRequestCount(read, userId)),
    hourCounts: written((range: { userId: string; fromMs: number; toMs: number }) => readHourCounts(read, range)),
    recentRequests: written((userId: string, limit: number) => readRecentRequests(read, userId, limit)),
    statistics: written(() => readServiceStatistics(read, nowMs())),
    popularMarkets: written((range: { limit: number; days: number }) =>
      readPopularMarkets(read, { ...range, nowMs: nowMs() }),
    ),
  }
}
