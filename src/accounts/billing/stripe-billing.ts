// Billing with Stripe: its SDK and one webhook. Only Stripe's events change a user's subscription and plan; checkout
// and portal only return URLs.

import Stripe from 'stripe'
import { isName, readUserPlans } from '../keys/users.ts'
import type { AccountsDatabase } from '../sql/accounts-database.ts'
import type { Plans } from '../usage/plans.ts'
import { type Billing, BillingError, type Checkout } from './billing.ts'
import { isEvent, isSession, isSubscription } from './stripe-events.ts'
import {
  AmbiguousOrder,
  applySubscription,
  customerOf,
  isOpen,
  readSubscription,
  rememberCustomer,
  rememberEvent,
  type Subscription,
  userOfCustomer,
} from './subscriptions.ts'

export type StripeSettings = {
  secretKey: string
  webhookSecret: string
  /** Null for Stripe itself; tests set another address. */
  apiUrl: string | null
}

/** Limits of a request to Stripe. Both attempts together must end within about 20 s. After that time, the client of a
 *  checkout stops waiting, and Stripe stops waiting for the answer to an event. */
const TIMEOUT_MS = 8_000
const RETRIES_MAX = 1

type Parts = { stripe: Stripe; webhookSecret: string; database: AccountsDatabase; plans: Plans }

export function stripeBilling(
  settings: StripeSettings,
  database: AccountsDatabase,
  plans: Plans,
  timeoutMs: number = TIMEOUT_MS,
): Billing {
  const parts = { stripe: openStripe(settings, timeoutMs), webhookSecret: settings.webhookSecret, database, plans }
  return {
    checkout: (checkout) => startCheckout(parts, checkout),
    portal: (portal) => openPortal(parts, portal),
    status: async (userId) => ({
      subscription: await readSubscription(database.read, userId),
      plans: await readUserPlans(database.read, userId),
    }),
    receive: (body, signature) => receiveEvent(parts, body, signature),
  }
}

function openStripe({ secretKey, apiUrl }: StripeSettings, timeout: number): Stripe {
  const elsewhere = apiUrl === null ? {} : addressOf(new URL(apiUrl))
  return new Stripe(secretKey, { telemetry: false, timeout, maxNetworkRetries: RETRIES_MAX, ...elsewhere })
}

const addressOf = ({ protocol, hostname, port }: URL) => ({
  protocol: protocol === 'http:' ? ('http' as const) : ('https' as const),
  host: hostname,
  port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
})

async function startCheckout({ stripe, database, plans }: Parts, checkout: Checkout): Promise<string> {
  const { userId, email, planId } = checkout
  const price = plans.byId.get(planId)?.stripePriceIds[0]
  if (price === undefined) {
    const sold = [...plans.byId.values()].filter(({ stripePriceIds }) => stripePriceIds.length > 0).map(({ id }) => id)
    throw new BillingError(
      'plan_not_sold',
      sold.length > 0 ? `tier must be one of ${sold.join(', ')}, got "${planId}"` : 'No plan of this server is sold',
    )
  }
  const subscription = await readSubscription(database.read, userId)
  if (subscription && isOpen(subscription)) {
    const message = 'The user has a subscription already: change it at /subscriptions/portal'
    throw new BillingError('subscription_exists', message)
  }
  const customer = await customerOf(database.read, userId)
  const session = await callStripe(() =>
    stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price, quantity: 1 }],
      success_url: checkout.successUrl,
      cancel_url: checkout.cancelUrl,
      client_reference_id: userId,
      ...(customer === null ? { customer_email: email } : { customer }),
      // This metadata assigns the events of the session and of its subscription to the user. It is safe, because a
      // payer cannot choose it.
      metadata: { user_id: userId },
      subscription_data: { metadata: { user_id: userId } },
    }),
  )
  if (session.url === null) throw new BillingError('billing_unavailable', 'Stripe returned no address for the checkout')
  return session.url
}

async function openPortal({ stripe, database }: Parts, portal: { userId: string; returnUrl: string }): Promise<string> {
  const customer = await customerOf(database.read, portal.userId)
  if (customer === null) {
    throw new BillingError(
      'subscription_not_found',
      'The user never had a subscription: start one at /subscriptions/checkout',
    )
  }
  return (await callStripe(() => stripe.billingPortal.sessions.create({ customer, return_url: portal.returnUrl }))).url
}

async function receiveEvent(parts: Parts, body: string, signature: string): ReturnType<Billing['receive']> {
  const { stripe, webhookSecret, database, plans } = parts
  const event = await verified(() => stripe.webhooks.constructEventAsync(body, signature, webhookSecret))
  if (!isEvent(event)) throw invalidEvent()
  switch (event.type) {
    case 'checkout.session.completed': {
      if (!isSession(event.data.object)) throw invalidEvent()
      const { mode, metadata, customer } = event.data.object
      const userId = metadata?.['user_id']
      if (mode !== 'subscription' || !isName(userId) || customer == null) return 'ignored'
      return database.write(async (sql) => {
        if (!(await rememberEvent(sql, event))) return 'repeated'
        await rememberCustomer(sql, { userId, customerId: idOf(customer) }, plans.default.id)
        return 'applied'
      })
    }
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
      if (!isSubscription(event.data.object)) throw invalidEvent()
      return receiveSubscription(parts, event, event.data.object)
    default:
      return 'ignored'
  }
}

async function receiveSubscription(
  parts: Parts,
  event: { id: string; type: string; created: number },
  news: Stripe.Subscription,
  isCurrent = false,
): ReturnType<Billing['receive']> {
  const { stripe, database, plans } = parts
  const customerId = idOf(news.customer)
  const userId = news.metadata['user_id'] ?? (await userOfCustomer(database.read, customerId))
  if (!isName(userId)) return 'ignored'
  try {
    return await database.write(async (sql) => {
      if (!(await rememberEvent(sql, event))) return 'repeated'
      const change = { subscription: toSubscription(news, userId, plans), eventCreated: event.created, isCurrent }
      await applySubscription(sql, change, plans.default.id)
      await rememberCustomer(sql, { userId, customerId }, plans.default.id)
      return 'applied'
    })
  } catch (error) {
    if (!(error instanceof AmbiguousOrder)) throw error
    const current = await callStripe(() => stripe.subscriptions.retrieve(news.id))
    return receiveSubscription(parts, event, current, true)
  }
}

/** Converts Stripe's subscription. The period is a field of the subscription's item; in older versions of the API, it
 *  is a field of the subscription itself. */
function toSubscription(given: Stripe.Subscription, userId: string, plans: Plans): Subscription {
  const [item] = given.items.data
  const period = { ...(given as Partial<Record<'current_period_start' | 'current_period_end', number>>), ...item }
  const prices = given.items.data.map(({ price }) => price.id)
  const plan = [...plans.byId.values()].find(({ stripePriceIds }) => stripePriceIds.some((id) => prices.includes(id)))
  return {
    subscriptionId: given.id,
    userId,
    plan: plan?.id ?? null,
    status: given.status,
    createdAt: isoTime(given.created)!,
    currentPeriodStart: isoTime(period.current_period_start),
    currentPeriodEnd: isoTime(period.current_period_end),
  }
}

const isoTime = (seconds: number | undefined) =>
  seconds === undefined ? null : new Date(seconds * 1_000).toISOString()
const idOf = (reference: string | { id: string }) => (typeof reference === 'string' ? reference : reference.id)

async function verified<T>(construct: () => Promise<T>): Promise<T> {
  try {
    return await construct()
  } catch (error) {
    // The signature is checked first, so any other error means that the body is invalid.
    if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw invalidEvent()
    const message = 'The header stripe-signature does not sign this body with the webhook secret, or is too old'
    throw new BillingError('webhook_signature_invalid', message)
  }
}

const invalidEvent = () => new BillingError('body_invalid', 'The body must be an event as Stripe sends it')

/** Calls Stripe. Stripe's own message only goes to the log, because it may contain what the client must not see. */
async function callStripe<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw new BillingError('billing_unavailable', 'Stripe does not answer: try again later', error)
  }
}
