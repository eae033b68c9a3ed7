// Users. A user has a plan and an id that the operator chooses. A user is created with its first key, plan or
// subscription. Any other id counts as a user on the default plan without usage.

import type { SQL, TransactionSQL } from 'bun'
import type { AccountsDatabase } from '../sql/accounts-database.ts'

/** Returns whether a text is a valid user id or key name. */
export const isName = (text: unknown): text is string =>
  typeof text === 'string' && /^[^\p{Cc}]{1,200}$/u.test(text) && text.isWellFormed()

/** Returns whether a text may be the id of a new user. "." and ".." would change the path of /user/{user_id}/…,
 *  percent-encoded or not. An existing user with such an id keeps it. */
export const isNewUserId = (text: unknown): text is string => isName(text) && text !== '.' && text !== '..'

export type UserPlans = {
  /** The plan that an operator set, or the default. */
  basePlan: string
  /** The plan that is paid for, or null. It overrides the base plan. */
  subscriptionPlan: string | null
}

/** Creates the user if it does not exist. */
export async function ensureUser(sql: TransactionSQL, userId: string, basePlan: string): Promise<void> {
  await sql`INSERT INTO users (user_id, plan, created_at) VALUES (${userId}, ${basePlan}, ${new Date().toISOString()})
            ON CONFLICT (user_id) DO NOTHING`
}

export function setBasePlan(database: AccountsDatabase, userId: string, plan: string): Promise<UserPlans> {
  return database.write(async (sql) => {
    await putBasePlan(sql, userId, plan)
    return (await readUserPlans(sql, userId))!
  })
}

/** Runs in the caller's transaction. */
export async function putBasePlan(sql: TransactionSQL, userId: string, plan: string): Promise<void> {
  await lockAccounts(sql)
  await ensureUser(sql, userId, plan)
  await sql`UPDATE users SET plan = ${plan} WHERE user_id = ${userId}`
  await reviseKeysOf(sql, userId)
}

export async function readUserPlans(sql: SQL | TransactionSQL, userId: string): Promise<UserPlans | undefined> {
  const [row]: { plan: string; subscription_plan: string | null }[] =
    await sql`SELECT plan, subscription_plan FROM users WHERE user_id = ${userId}`
  return row && { basePlan: row.plan, subscriptionPlan: row.subscription_plan }
}

/** Returns the ids of all base plans and subscription plans of users. */
export async function readPlansInUse(sql: SQL): Promise<string[]> {
  const rows: { plan: string }[] = await sql`
    SELECT DISTINCT plan FROM users
    UNION SELECT DISTINCT subscription_plan FROM users WHERE subscription_plan IS NOT NULL`
  return rows.map(({ plan }) => plan)
}

/** Makes every process read this user's keys and plan again. */
export async function reviseKeysOf(sql: TransactionSQL, userId: string): Promise<void> {
  const revision = await nextRevision(sql)
  await sql`UPDATE api_keys SET revision = ${revision} WHERE user_id = ${userId} AND deleted_at IS NULL`
}

/** Takes the next revision; every change of keys or plans needs one. The row stays locked until the transaction ends,
 *  so a process that has read revision n has seen every change up to n. */
export async function nextRevision(sql: TransactionSQL): Promise<number> {
  const [row]: { revision: number }[] =
    await sql`UPDATE accounts_revision SET revision = revision + 1 RETURNING revision`
  return Number(row?.revision)
}

export async function readRevision(sql: SQL): Promise<number> {
  const [row]: { revision: number }[] = await sql`SELECT revision FROM accounts_revision`
  return Number(row?.revision)
}

/** Blocks other transactions that change keys, plans or subscriptions until this one ends. Each such transaction takes
 *  this lock before it locks any other row, so that they cannot deadlock. */
export async function lockAccounts(sql: TransactionSQL): Promise<void> {
  await sql`UPDATE accounts_revision SET revision = revision`
}
