// Tests subscriptions and their webhook over HTTP, on both databases, against a local server that speaks Stripe's API.

import { expect, test } from 'bun:test'
import { json, type MakeEmpty, onEachDatabase, serveAccounts } from '../../test/support/accounts.ts'
import { ask, fakeAccounts, testApp } from '../../test/support/server.ts'
import { event, fakeStripe, PRICES, signatureOf, subscription } from '../../test/support/stripe.ts'
import type { Billing } from '../accounts/billing/billing.ts'
import { readPlans } from '../accounts/usage/plans.ts'
import { WEBHOOK_BYTES_MAX } from '../http/server/limited-body.ts'

const PLANS = readPlans({
  default: 'free',
  plans: [
    { id: 'free', name: 'Free', calls_per_month: 1 },
    { id: 'starter', name: 'Starter', calls_per_month: 2, stripe_price_ids: [PRICES.starter, 'price_old'] },
  ],
})
const CHECKOUT = {
  ...{ user_id: 'ann', email: 'ann@example.com' },
  ...{ success_url: 'https://a.example/ok', cancel_url: 'https://a.example/no' },
}
const PORTAL = { user_id: 'ann', return_url: 'https://a.example' }
const codeOf = ({ status, body }: { status: number; body: unknown }) => [status, (body as { code?: string }).code]

async function serveBilling(make: MakeEmpty) {
  const stripe = fakeStripe()
  const served = await serveAccounts(make, { accounts: { plans: PLANS, stripe: stripe.settings } })
  const webhook = async (payload: string, signature?: string, path = '/webhooks/stripe') => {
    const headers = { 'stripe-signature': signature ?? (await signatureOf(payload)), 'x-forwarded-for': '1.2.3.4' }
    return served.ask(path, { method: 'POST', body: payload, headers })
  }
  const close = async () => {
    stripe[Symbol.dispose]()
    await served[Symbol.asyncDispose]()
  }
  return { served, stripe, webhook, [Symbol.asyncDispose]: close }
}

onEachDatabase((make) => {
  test('from the checkout over the webhook to the plan, and back', async () => {
    await using billing = await serveBilling(make)
    const { served, webhook } = billing
    const status = async () => (await served.ask('/subscriptions/status?user_id=ann')).body
    const none = { has_subscription: false, subscription_id: null, status: null, tier: 'free' }
    expect(await status()).toEqual({ ...none, current_period_start: null, current_period_end: null })

    const checkout = await served.ask('/subscriptions/checkout', json('POST', CHECKOUT))
    expect([checkout.status, checkout.body]).toEqual([200, { checkout_url: 'https://pay.example/cs_1' }])
    const created = event('customer.subscription.created', subscription(), 1)
    expect((await webhook(created)).body).toEqual({ received: true, outcome: 'applied' })
    expect((await webhook(created, undefined, '/api/v1/webhooks/stripe')).body).toMatchObject({ outcome: 'repeated' })
    expect(await status()).toEqual({
      ...{ has_subscription: true, subscription_id: 'sub_1', status: 'active', tier: 'starter' },
      current_period_start: '2026-09-21T14:13:20.000Z',
      current_period_end: '2026-10-21T14:13:20.000Z',
    })
    expect((await served.ask('/usage?user_id=ann')).body).toMatchObject({ tier: 'starter', limit: 2 })
    const portal = await served.ask('/api/v1/subscriptions/portal', json('POST', PORTAL))
    expect(portal.body).toEqual({ portal_url: 'https://portal.example/cus_1' })
    expect(codeOf(await served.ask('/subscriptions/checkout', json('POST', CHECKOUT)))).toEqual([
      409,
      'subscription_exists',
    ])

    await webhook(event('customer.subscription.deleted', subscription({ status: 'canceled' }), 2))
    expect(await status()).toMatchObject({ has_subscription: false, status: 'canceled', tier: 'free' })
  })

  test('refuses sales, portals and events that are not possible or not valid', async () => {
    await using billing = await serveBilling(make)
    const { served, stripe, webhook } = billing
    const checkout = (changes: object) =>
      served.ask('/subscriptions/checkout', json('POST', { ...CHECKOUT, ...changes }))
    expect(codeOf(await checkout({ tier: 'free' }))).toEqual([400, 'plan_not_sold'])
    expect(codeOf(await served.ask('/subscriptions/portal', json('POST', PORTAL)))).toEqual([
      404,
      'subscription_not_found',
    ])
    stripe.isAway = true
    const away = await checkout({})
    expect(codeOf(away)).toEqual([503, 'billing_unavailable'])
    expect(away.text).not.toContain('sk_test')

    const payload = event('customer.subscription.created', subscription(), 1)
    expect(codeOf(await webhook(payload, 't=1,v1=00'))).toEqual([400, 'webhook_signature_invalid'])
    expect(codeOf(await webhook(payload, await signatureOf(`${payload} `)))).toEqual([400, 'webhook_signature_invalid'])
    const bare = await served.ask('/webhooks/stripe', { method: 'POST', body: payload })
    expect(codeOf(bare)).toEqual([400, 'webhook_signature_invalid'])
    expect(codeOf(await webhook('x'.repeat(WEBHOOK_BYTES_MAX + 1)))).toEqual([413, 'body_too_large'])
    const long = event('customer.subscription.created', { ...subscription(), description: 'é'.repeat(50_000) }, 2)
    expect((await webhook(long)).status).toBe(200)
  })
})

test.each([
  [{ email: 'ann' }, 'email'],
  [{ success_url: 'javascript:alert(1)' }, 'success_url'],
  [{ cancel_url: '/no' }, 'cancel_url'],
  [{ tier: 'A' }, 'tier'],
  [{ user_id: '' }, 'user_id'],
  [{ user_id: '..' }, 'user_id'],
  [{ plan: 'pro' }, 'plan'],
])('a checkout with %j is refused', async (changes, field) => {
  const app = testApp({ accounts: { ...fakeAccounts, billing: {} as Billing } })
  const { status, body } = await ask(app, '/subscriptions/checkout', json('POST', { ...CHECKOUT, ...changes }))
  expect(status).toBe(400)
  expect((body as { errors: { field: string }[] }).errors.map((error) => error.field)).toEqual([field])
})

test('an existing user continues under an id that no new user may have', async () => {
  const portal = async () => 'https://portal.example'
  const status = async () => ({ subscription: undefined, plans: undefined })
  const app = testApp({ accounts: { ...fakeAccounts, billing: { portal, status } as unknown as Billing } })
  const portalAnswer = await ask(app, '/subscriptions/portal', json('POST', { ...PORTAL, user_id: '..' }))
  expect([portalAnswer.status, portalAnswer.body]).toEqual([200, { portal_url: 'https://portal.example' }])
  expect((await ask(app, '/subscriptions/status?user_id=..', { headers: {} })).status).toBe(200)
})

test.each([
  ['/subscriptions/checkout', json('POST', CHECKOUT)],
  ['/subscriptions/portal', json('POST', PORTAL)],
  ['/subscriptions/status?user_id=ann', { headers: {} }],
  ['/webhooks/stripe', { method: 'POST', body: '{}', headers: { 'stripe-signature': 'x' } }],
])('%s is 503 without billing', async (path, init) =>
  expect(codeOf(await ask(testApp(), path, init))).toEqual([503, 'billing_not_configured']),
)
