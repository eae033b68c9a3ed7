// The accounts as the server and the command line use them: keys, plans, admission and counting of calls, statistics,
// and billing.

import { join } from 'node:path'
import type { Billing } from './billing/billing.ts'
import type { StripeSettings } from './billing/stripe-billing.ts'
import { type ActiveKey, type Authentication, KeyDirectory } from './keys/key-directory.ts'
import {
  createKey,
  findKey,
  listKeys,
  type NewKey,
  type OwnKey,
  readKey,
  readKeysSince,
  revokeKey,
  rotateKey,
} from './keys/keys.ts'
import { readPlansInUse, readRevision, readUserPlans, setBasePlan } from './keys/users.ts'
import { type AccountsDatabase, openAccountsDatabase } from './sql/accounts-database.ts'
import { ANSWER_MS_MAX, within } from './sql/accounts-unavailable.ts'
import { CLOCKS, type Clocks } from './sql/clocks.ts'
import { monthOf } from './usage/calendar.ts'
import { Meter } from './usage/meter.ts'
import { builtInPlans, type Plans, planOfUser } from './usage/plans.ts'
import {
  readHourCounts,
  readPopularMarkets,
  readRecentRequests,
  readRequestCount,
  readServiceStatistics,
} from './usage/request-statistics.ts'
import { readMonthCalls, type StoredMarket } from './usage/usage-store.ts'
import { UsageWriter } from './usage/usage-writer.ts'

export type Accounts = Awaited<ReturnType<typeof openAccounts>>

export type AccountsSettings = {
  plans?: Plans
  stripe?: StripeSettings | null
  /** Called when usage cannot be written. The usage stays in memory, and is written later. */
  usageNotWritten?: (error: unknown) => void
  /** Decides for which markets requests are counted. */
  storedMarket?: StoredMarket
  nowMs?: Clocks['nowMs']
  elapsedMs?: Clocks['elapsedMs']
}

export const ACCOUNTS_FILE = 'accounts.sqlite'

/** Returns the configured address of the accounts; without one, the address of a SQLite file in the data folder. */
export const accountsUrl = (configured: string | null, dataFolder: string) =>
  configured ?? `sqlite://${join(dataFolder, ACCOUNTS_FILE)}`

export async function openAccounts(url: string, settings: AccountsSettings = {}) {
  const database = await openAccountsDatabase(url)
  const { plans = builtInPlans(), stripe = null, storedMarket = (_, given) => given, nowMs = Date.now } = settings
  const { usageNotWritten = () => undefined, elapsedMs = CLOCKS.elapsedMs } = settings
  const clocks = { nowMs, elapsedMs }
  const meter: Meter = new Meter({
    plans,
    readCalls: (userId, month) => readCalls(database, userId, month),
    record: (call) => writer.add(call),
    clocks,
  })
  const events = { written: meter.written.bind(meter), failed: usageNotWritten }
  const writer = new UsageWriter(database, { events, storedMarket, clocks })
  return {
    plans,
    ...keysOf(database, plans, clocks),
    ...usageOf(database, { plans, writer, nowMs }),
    meter: meter as Pick<Meter, 'ready' | 'admit' | 'settle' | 'charge'>,
    /** Null if not configured. */
    billing: stripe && (await openBilling(stripe, database, plans)),
    /** Rejects if the database does not answer. */
    check: async (): Promise<void> => void (await readRevision(database.read)),
    /** Requests that are counted in memory and not yet in the database. */
    unwritten: () => writer.unwritten(),
    async close() {
      await writer.close().catch(usageNotWritten)
      await database.close()
    },
  }
}

const readCalls = async ({ read }: AccountsDatabase, userId: string, month: string): Promise<number> =>
  (await readMonthCalls(read, [userId], month)).get(userId) ?? 0

/** Loads Stripe's library only if it is used: loading takes as long as the rest of the start. */
async function openBilling(stripe: StripeSettings, database: AccountsDatabase, plans: Plans): Promise<Billing> {
  const { stripeBilling } = await import('./billing/stripe-billing.ts')
  return stripeBilling(stripe, database, plans)
}

function keysOf(database: AccountsDatabase, plans: Plans, clocks: Clocks) {
  const { read } = database
  const source = {
    revision: () => readRevision(read),
    keysSince: (revision: number | undefined) => readKeysSince(read, revision),
    find: (secretSha256: string) => findKey(read, secretSha256),
  }
  const directory = new KeyDirectory(source, clocks)
  return {
    createKey: (key: NewKey) => createKey(database, key, plans.default.id),
    rotateKey: (key: OwnKey) => rotateKey(database, key),
    revokeKey: (key: OwnKey) => revokeKey(database, key),
    authenticate: (secret: string): Authentication | Promise<Authentication> => directory.authenticate(secret),
    isActive: (key: ActiveKey) => directory.isActive(key),
    hasUser: async (userId: string) => (await readUserPlans(read, userId)) !== undefined,
    setPlan: (userId: string, plan: string) => setBasePlan(database, userId, plan),
    /** Returns the plans that users are on but the configuration does not have. */
    unknownPlans: async () => (await readPlansInUse(read)).filter((id) => !plans.byId.has(id)),
  }
}

type UsageParts = { plans: Plans; writer: UsageWriter; nowMs: () => number }

/** Each answer includes what this process counted before the query. */
function usageOf(database: AccountsDatabase, { plans, writer, nowMs }: UsageParts) {
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
    readKey: written((keyId: string) => readKey(read, keyId, nowMs())),
    listKeys: written((page: { userId: string; offset: number; limit: number }) => listKeys(read, page, nowMs())),
    requestCount: written((userId: string) => readRequestCount(read, userId)),
    hourCounts: written((range: { userId: string; fromMs: number; toMs: number }) => readHourCounts(read, range)),
    recentRequests: written((userId: string, limit: number) => readRecentRequests(read, userId, limit)),
    statistics: written(() => readServiceStatistics(read, nowMs())),
    popularMarkets: written((range: { limit: number; days: number }) =>
      readPopularMarkets(read, { ...range, nowMs: nowMs() }),
    ),
  }
}
