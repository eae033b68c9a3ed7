// long: on PostgreSQL each test makes a database of its own
// Tests billing against a local server that speaks Stripe's API: checkout, portal, and the effect of events on a
// subscription.

import { expect, test } from 'bun:test'
import { type MakeEmpty, onEachDatabase, openEmpty } from '../../../test/support/accounts.ts'
import { codeOf, event, fakeStripe, PRICES, signatureOf, subscription } from '../../../test/support/stripe.ts'
import { createKey } from '../keys/keys.ts'
import { readUserPlans, setBasePlan } from '../keys/users.ts'
import { readPlans } from '../usage/plans.ts'
import { stripeBilling } from './stripe-billing.ts'

const PLANS = readPlans({
  default: 'free',
  plans: [
    { id: 'free', name: 'Free', calls_per_month: 1 },
    { id: 'starter', name: 'Starter', calls_per_month: 2, stripe_price_ids: [PRICES.starter, 'price_old'] },
    { id: 'pro', name: 'Pro', calls_per_month: null, stripe_price_ids: [PRICES.pro] },
  ],
})
const CHECKOUT = {
  ...{ userId: 'ann', email: 'ann@example.com', planId: 'starter' },
  ...{ successUrl: 'https://a.example/ok', cancelUrl: 'https://a.example/no' },
}

async function openBilling(make: MakeEmpty) {
  const opened = await openEmpty(make)
  const stripe = fakeStripe()
  const billing = stripeBilling(stripe.settings, opened.database, PLANS)
  const receive = async (payload: string) => billing.receive(payload, await signatureOf(payload))
  const plan = async (user = 'ann') => {
    const plans = await readUserPlans(opened.database.read, user)
    return plans?.subscriptionPlan ?? plans?.basePlan
  }
  const status = async () => (await billing.status('ann')).subscription?.status
  const close = async () => {
    stripe[Symbol.dispose]()
    await opened[Symbol.asyncDispose]()
  }
  return { ...{ billing, stripe, receive, plan, status }, database: opened.database, [Symbol.asyncDispose]: close }
}

const of = (status: string) => subscription({ status })

onEachDatabase((make) => {
  test('checkout requests the price of the plan, in the name of the user', async () => {
    await using opened = await openBilling(make)
    const { billing, stripe } = opened
    expect(await billing.checkout(CHECKOUT)).toBe('https://pay.example/cs_1')
    expect(stripe.requests).toEqual([
      {
        path: 'POST /v1/checkout/sessions',
        fields: {
          mode: 'subscription',
          'line_items[0][price]': PRICES.starter,
          'line_items[0][quantity]': '1',
          success_url: CHECKOUT.successUrl,
          cancel_url: CHECKOUT.cancelUrl,
          client_reference_id: 'ann',
          'metadata[user_id]': 'ann',
          customer_email: CHECKOUT.email,
          'subscription_data[metadata][user_id]': 'ann',
        },
      },
    ])
    expect(await codeOf(billing.checkout({ ...CHECKOUT, planId: 'free' }))).toBe('plan_not_sold')
    expect(await codeOf(billing.checkout({ ...CHECKOUT, planId: 'gold' }))).toBe('plan_not_sold')
  })

  test('the portal opens for a user who paid before, and a second subscription is refused', async () => {
    await using opened = await openBilling(make)
    const { billing, stripe, receive } = opened
    const portal = { userId: 'ann', returnUrl: 'https://a.example' }
    expect(await codeOf(billing.portal(portal))).toBe('subscription_not_found')
    const paid = { id: 'cs_1', mode: 'subscription', metadata: { user_id: 'ann' }, customer: 'cus_1' }
    expect(await receive(event('checkout.session.completed', paid, 1))).toBe('applied')
    expect(await billing.portal(portal)).toBe('https://portal.example/cus_1')
    expect(await codeOf(billing.checkout(CHECKOUT))).toBe('done')
    expect(stripe.requests.at(-1)?.fields).toMatchObject({ customer: 'cus_1' })
    await receive(event('customer.subscription.created', of('active'), 2))
    expect(await codeOf(billing.checkout(CHECKOUT))).toBe('subscription_exists')
  })

  test('a subscription through its life: created, past due, unpaid, resumed, upgraded, cancelled', async () => {
    await using opened = await openBilling(make)
    const { receive, plan, status } = opened
    const seen: unknown[] = []
    const happens = async (type: string, object: object, created: number) => {
      await receive(event(`customer.subscription.${type}`, object, created))
      seen.push([await status(), await plan()])
    }
    await happens('created', of('incomplete'), 10)
    await happens('updated', of('active'), 11)
    await happens('updated', of('past_due'), 12)
    await happens('updated', of('unpaid'), 13)
    await happens('updated', of('active'), 14)
    await happens('updated', subscription({ price: PRICES.pro }), 15)
    await happens('paused', of('paused'), 16)
    await happens('resumed', of('active'), 17)
    await happens('deleted', of('canceled'), 18)
    expect(seen).toEqual([
      ['incomplete', 'free'],
      ['active', 'starter'],
      ['past_due', 'starter'],
      ['unpaid', 'free'],
      ['active', 'starter'],
      ['active', 'pro'],
      ['paused', 'free'],
      ['active', 'starter'],
      ['canceled', 'free'],
    ])
  })

  test('returns the period and the plan', async () => {
    await using opened = await openBilling(make)
    await opened.receive(event('customer.subscription.created', of('trialing'), 1))
    expect(await opened.billing.status('ann')).toEqual({
      subscription: {
        ...{ subscriptionId: 'sub_1', userId: 'ann', plan: 'starter', status: 'trialing' },
        createdAt: '2026-09-21T14:13:20.000Z',
        currentPeriodStart: '2026-09-21T14:13:20.000Z',
        currentPeriodEnd: '2026-10-21T14:13:20.000Z',
      },
      plans: { basePlan: 'free', subscriptionPlan: 'starter' },
    })
    expect(await opened.billing.status('bob')).toEqual({ subscription: undefined, plans: undefined })
  })

  test('an event that comes twice is taken once', async () => {
    await using opened = await openBilling(make)
    const { receive, status } = opened
    const created = event('customer.subscription.created', of('active'), 1)
    expect([await receive(created), await receive(created)]).toEqual(['applied', 'repeated'])
    await receive(event('customer.subscription.deleted', of('canceled'), 2))
    expect(await receive(created)).toBe('repeated')
    expect(await status()).toBe('canceled')
    const twice = event('customer.subscription.created', subscription({ id: 'sub_2' }), 3)
    expect((await Promise.all([receive(twice), receive(twice)])).sort()).toEqual(['applied', 'repeated'])
  })

  test('events in any order have the same result', async () => {
    await using opened = await openBilling(make)
    const { receive, status, plan } = opened
    await receive(event('customer.subscription.updated', of('past_due'), 12))
    await receive(event('customer.subscription.created', of('incomplete'), 10))
    await receive(event('customer.subscription.updated', of('active'), 11))
    expect([await status(), await plan()]).toEqual(['past_due', 'starter'])
    await receive(event('customer.subscription.deleted', of('canceled'), 20))
    await receive(event('customer.subscription.updated', of('active'), 20))
    await receive(event('customer.subscription.updated', of('active'), 30))
    expect([await status(), await plan()]).toEqual(['canceled', 'free'])
  })

  test('two events in one second: fetches the subscription, and applies nothing while Stripe is away', async () => {
    await using opened = await openBilling(make)
    const { receive, stripe, status } = opened
    await receive(event('customer.subscription.updated', of('active'), 10))
    const tied = event('customer.subscription.created', of('incomplete'), 10)
    stripe.isAway = true
    expect(await codeOf(receive(tied))).toBe('billing_unavailable')
    stripe.isAway = false
    stripe.subscriptions.set('sub_1', of('past_due'))
    expect(await receive(tied)).toBe('applied')
    expect(await status()).toBe('past_due')
    expect(stripe.requests.map(({ path }) => path)).toEqual(['GET /v1/subscriptions/sub_1'])
  })

  test('the end of an old subscription does not take the plan of a new one; after both the operator decides', async () => {
    await using opened = await openBilling(make)
    const { receive, plan, database } = opened
    await setBasePlan(database, 'ann', 'pro')
    await receive(event('customer.subscription.created', of('active'), 1))
    const second = { ...subscription({ id: 'sub_2' }), created: 1_790_000_001 }
    await receive(event('customer.subscription.created', second, 2))
    await receive(event('customer.subscription.deleted', of('canceled'), 3))
    expect(await plan()).toBe('starter')
    await receive(event('customer.subscription.deleted', { ...second, status: 'canceled' }, 4))
    expect(await plan()).toBe('pro')
  })

  test('matches a subscription without a user by its customer, and ignores it if the customer is unknown', async () => {
    await using opened = await openBilling(make)
    const { receive, plan } = opened
    const nameless = subscription({ user: null })
    expect(await receive(event('customer.subscription.created', nameless, 2))).toBe('ignored')
    const paid = { id: 'cs_1', mode: 'subscription', metadata: { user_id: 'bob' }, customer: 'cus_1' }
    await receive(event('checkout.session.completed', paid, 1))
    expect(await receive(event('customer.subscription.created', nameless, 2))).toBe('applied')
    expect(await plan('bob')).toBe('starter')
    expect(await receive(event('invoice.paid', { id: 'in_1' }, 3))).toBe('ignored')
  })

  test('concurrent keys, plans and events of one user do not deadlock', async () => {
    await using opened = await openBilling(make)
    const { database, receive } = opened
    const work: Promise<unknown>[] = []
    for (let round = 0; round < 5; round++) {
      const user = `user ${round}`
      const object = subscription({ id: `sub_${round}`, user })
      work.push(createKey(database, { userId: user, name: 'a' }, 'free'))
      work.push(receive(event('customer.subscription.created', { ...object, customer: `cus_${round}` }, 1)))
      work.push(setBasePlan(database, user, 'pro'))
      work.push(createKey(database, { userId: user, name: 'b', plan: 'pro' }, 'free'))
    }
    expect((await Promise.allSettled(work)).filter(({ status }) => status === 'rejected')).toEqual([])
  })

  test('a payer cannot choose the user of its customer, and no user loses its customer', async () => {
    await using opened = await openBilling(make)
    const { receive, billing } = opened
    const paid = { id: 'cs_1', mode: 'subscription', metadata: { user_id: 'ann' }, customer: 'cus_1' }
    const linked = { id: 'cs_2', mode: 'payment', client_reference_id: 'ann', metadata: {}, customer: 'cus_2' }
    const nameless = { ...paid, metadata: { user_id: '\u0000' } }
    const outcomes: string[] = []
    for (const session of [
      linked,
      { ...linked, mode: 'subscription' },
      nameless,
      paid,
      { ...paid, customer: 'cus_3' },
    ]) {
      outcomes.push(await receive(event('checkout.session.completed', session, 1)))
    }
    expect(outcomes).toEqual(['ignored', 'ignored', 'ignored', 'applied', 'applied'])
    const portal = { userId: 'ann', returnUrl: 'https://a.example' }
    expect(await billing.portal(portal)).toBe('https://portal.example/cus_1')
  })

  test('a user who pays an old price of a plan has the plan', async () => {
    await using opened = await openBilling(make)
    await opened.receive(event('customer.subscription.updated', subscription({ price: 'price_old' }), 1))
    expect(await opened.plan()).toBe('starter')
  })

  test('a customer belongs to the first user that it paid for', async () => {
    await using opened = await openBilling(make)
    const { receive, billing } = opened
    const paid = (user: string) => ({ id: 'cs', mode: 'subscription', metadata: { user_id: user }, customer: 'cus_1' })
    await receive(event('checkout.session.completed', paid('ann'), 1))
    await receive(event('checkout.session.completed', paid('bob'), 2))
    const portal = { userId: 'bob', returnUrl: 'https://a.example' }
    expect(await codeOf(billing.portal(portal))).toBe('subscription_not_found')
  })

  test('a price without a plan gives no plan', async () => {
    await using opened = await openBilling(make)
    await opened.receive(event('customer.subscription.created', subscription({ price: 'price_other' }), 1))
    expect([await opened.status(), await opened.plan()]).toEqual(['active', 'free'])
  })

  test('an event with a wrong, old or no longer matching signature is refused', async () => {
    await using opened = await openBilling(make)
    const { billing, status } = opened
    const payload = event('customer.subscription.created', of('active'), 1)
    const old = Math.floor(Date.now() / 1_000) - 3_600
    for (const signature of [
      '',
      't=1,v1=abc',
      await signatureOf(payload, 'whsec_other'),
      await signatureOf(payload, undefined, old),
    ]) {
      expect(await codeOf(billing.receive(payload, signature))).toBe('webhook_signature_invalid')
    }
    const changed = payload.replace('starter', 'pro')
    expect(await codeOf(billing.receive(changed, await signatureOf(payload)))).toBe('webhook_signature_invalid')
    expect(await status()).toBeUndefined()
  })
})
