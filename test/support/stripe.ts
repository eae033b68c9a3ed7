// The part of Stripe's API that billing uses, on loopback. Signs webhooks like Stripe.

import Stripe from 'stripe'
import { BillingError } from '../../src/accounts/billing/billing.ts'
import type { StripeSettings } from '../../src/accounts/billing/stripe-billing.ts'

export const PRICES = { starter: 'price_starter', pro: 'price_pro' }
const WEBHOOK_SECRET = 'whsec_test'
const SECRET_KEY = 'sk_test_backbook'

export type FakeStripe = Disposable & {
  settings: StripeSettings
  /** The requests: method and path, and the fields of the form. */
  requests: { path: string; fields: Record<string, string> }[]
  /** What Stripe answers to a request for a subscription. */
  subscriptions: Map<string, object>
  /** If true, Stripe does not answer. */
  isAway: boolean
}

export function fakeStripe(): FakeStripe {
  const state = { requests: [] as FakeStripe['requests'], subscriptions: new Map<string, object>(), isAway: false }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (request.headers.get('authorization') !== `Bearer ${SECRET_KEY}`) return failure(401, 'authentication_error')
      if (state.isAway) return failure(400, 'api_error')
      const fields = Object.fromEntries(new URLSearchParams(await request.text()))
      state.requests.push({ path: `${request.method} ${pathname}`, fields })
      if (pathname === '/v1/checkout/sessions') return Response.json({ id: 'cs_1', url: 'https://pay.example/cs_1' })
      if (pathname === '/v1/billing_portal/sessions') {
        return Response.json({ id: 'bps_1', url: `https://portal.example/${fields['customer']}` })
      }
      const subscription = state.subscriptions.get(pathname.replace('/v1/subscriptions/', ''))
      return subscription ? Response.json(subscription) : failure(404, 'invalid_request_error')
    },
  })
  const settings = { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, apiUrl: `http://127.0.0.1:${server.port}` }
  return Object.assign(state, { settings, [Symbol.dispose]: () => void server.stop(true) })
}

const failure = (status: number, type: string) =>
  Response.json({ error: { type, message: 'the fake says no, sk_test_backbook' } }, { status })

type Changes = { id?: string; customer?: string; status?: string; price?: string; user?: string | null }

export function subscription(changes: Changes = {}) {
  const { id = 'sub_1', customer = 'cus_1', status = 'active', price = PRICES.starter, user = 'ann' } = changes
  const period = { current_period_start: 1_790_000_000, current_period_end: 1_792_592_000 }
  return {
    id,
    object: 'subscription',
    customer,
    status,
    created: 1_790_000_000,
    metadata: user === null ? {} : { user_id: user },
    items: { object: 'list', data: [{ id: 'si_1', price: { id: price }, ...period }] },
  }
}

export function event(type: string, object: object, created: number, id = `evt_${crypto.randomUUID()}`): string {
  return JSON.stringify({ id, object: 'event', type, created, data: { object } })
}

/** Returns the header stripe-signature, made with the SDK's own helper. */
export function signatureOf(payload: string, secret = WEBHOOK_SECRET, timestamp = Math.floor(Date.now() / 1_000)) {
  return new Stripe(SECRET_KEY).webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp })
}

/** Returns how a call of billing ends: `done`, or the code of its error. */
export const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof BillingError ? error.code : String(error)),
  )
