// Subscriptions in the database, and the plan that they give a user. Stripe reports a change with an event that holds
// the whole subscription; events arrive late, twice and in any order.

import type { SQL, TransactionSQL } from 'bun'
import { ensureUser, lockAccounts, reviseKeysOf } from '../keys/users.ts'

/** Statuses that give a plan. `past_due`: Stripe still tries to collect the payment. When Stripe stops, it sends
 *  another status. */
const GIVES_PLAN: readonly string[] = ['trialing', 'active', 'past_due']
/** Final statuses. */
const ENDED: readonly string[] = ['canceled', 'incomplete_expired']

export type Subscription = {
  subscriptionId: string
  userId: string
  /** The plan that the subscription pays for; null if no plan of this server has the subscription's price. */
  plan: string | null
  /** Stripe's status: https://docs.stripe.com/api/subscriptions/object#subscription_object-status */
  status: string
  createdAt: string
  currentPeriodStart: string | null
  currentPeriodEnd: string | null
}

/** The content of an event, and the time when Stripe created the event, Unix seconds. `isCurrent` is true if the
 *  subscription was just read from Stripe. */
export type SubscriptionNews = { subscription: Subscription; eventCreated: number; isCurrent: boolean }

/** Thrown for two events of the same second: their order is unknown. */
export class AmbiguousOrder extends Error {}

/** Applies an event's subscription, in the transaction that stores the event's id. Throws AmbiguousOrder. */
export async function applySubscription(
  sql: TransactionSQL,
  { subscription, eventCreated, isCurrent }: SubscriptionNews,
  defaultPlan: string,
): Promise<void> {
  await lockAccounts(sql)
  const { subscriptionId, userId, plan, status, createdAt, currentPeriodStart, currentPeriodEnd } = subscription
  const [known]: { status: string; event_created: number }[] =
    await sql`SELECT status, event_created FROM subscriptions WHERE subscription_id = ${subscriptionId}`
  if (known && (ENDED.includes(known.status) || Number(known.event_created) > eventCreated)) return
  if (known && Number(known.event_created) === eventCreated && !isCurrent && !ENDED.includes(status)) {
    throw new AmbiguousOrder(`two events of subscription ${subscriptionId} in one second`)
  }
  await ensureUser(sql, userId, defaultPlan)
  await sql`INSERT INTO subscriptions (subscription_id, user_id, plan, status, created_at, current_period_start,
              current_period_end, event_created)
            VALUES (${subscriptionId}, ${userId}, ${plan}, ${status}, ${createdAt}, ${currentPeriodStart},
              ${currentPeriodEnd}, ${eventCreated})
            ON CONFLICT (subscription_id) DO UPDATE SET plan = excluded.plan, status = excluded.status,
              current_period_start = excluded.current_period_start, current_period_end = excluded.current_period_end,
              event_created = excluded.event_created`
  await givePlan(sql, userId)
}

/** Links a user and a Stripe customer, unless either is already linked. */
export async function rememberCustomer(
  sql: TransactionSQL,
  user: { userId: string; customerId: string },
  defaultPlan: string,
): Promise<void> {
  await lockAccounts(sql)
  await ensureUser(sql, user.userId, defaultPlan)
  await sql`UPDATE users SET stripe_customer_id = ${user.customerId}
            WHERE user_id = ${user.userId} AND stripe_customer_id IS NULL AND NOT EXISTS (
              SELECT 1 FROM users other WHERE other.stripe_customer_id = ${user.customerId})`
}

export async function customerOf(sql: SQL, userId: string): Promise<string | null> {
  const [row]: { stripe_customer_id: string | null }[] =
    await sql`SELECT stripe_customer_id FROM users WHERE user_id = ${userId}`
  return row?.stripe_customer_id ?? null
}

export async function userOfCustomer(sql: SQL, customerId: string): Promise<string | null> {
  const [row]: { user_id: string }[] = await sql`SELECT user_id FROM users WHERE stripe_customer_id = ${customerId}`
  return row?.user_id ?? null
}

/** Stores the event's id. Returns false if the event was handled before. */
export async function rememberEvent(sql: TransactionSQL, event: { id: string; type: string }): Promise<boolean> {
  const receivedAt = new Date().toISOString()
  const added: unknown[] = await sql`
    INSERT INTO stripe_events (event_id, type, received_at) VALUES (${event.id}, ${event.type}, ${receivedAt})
    ON CONFLICT (event_id) DO NOTHING RETURNING event_id`
  return added.length > 0
}

/** Returns the user's subscription: the one that gives the plan, else the newest open one, else the newest ended one.
 *  Returns undefined if the user has none. */
export async function readSubscription(sql: SQL, userId: string): Promise<Subscription | undefined> {
  const rows: Subscription[] = await sql`
    SELECT subscription_id AS "subscriptionId", user_id AS "userId", plan, status, created_at AS "createdAt",
           current_period_start AS "currentPeriodStart", current_period_end AS "currentPeriodEnd"
    FROM subscriptions WHERE user_id = ${userId} ORDER BY created_at DESC, subscription_id DESC`
  return rows.find(({ status }) => GIVES_PLAN.includes(status)) ?? rows.find(isOpen) ?? rows[0]
}

/** Returns whether a subscription has not ended. An open subscription may still give no plan. */
export const isOpen = ({ status }: { status: string }) => !ENDED.includes(status)

async function givePlan(sql: TransactionSQL, userId: string): Promise<void> {
  const [given]: { plan: string }[] = await sql`
    SELECT plan FROM subscriptions WHERE user_id = ${userId} AND plan IS NOT NULL AND status IN ${sql([...GIVES_PLAN])}
    ORDER BY created_at DESC, subscription_id DESC LIMIT 1`
  await sql`UPDATE users SET subscription_plan = ${given?.plan ?? null} WHERE user_id = ${userId}`
  await reviseKeysOf(sql, userId)
}
