// Only an event that Stripe signed within the last minutes changes a plan, and only once. Runs on both databases.

import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { readPlans } from '../../src/accounts/usage/plans.ts'
import { WEBHOOK_BYTES_MAX } from '../../src/http/server/limited-body.ts'
import { type MakeEmpty, onEachDatabase, serveAccounts } from '../support/accounts.ts'
import { event, fakeStripe, PRICES, signatureOf, subscription } from '../support/stripe.ts'

const PLANS = readPlans({
  default: 'free',
  plans: [
    { id: 'free', name: 'Free', calls_per_month: 1 },
    { id: 'starter', name: 'Starter', calls_per_month: 2, stripe_price_ids: [PRICES.starter] },
    { id: 'pro', name: 'Pro', calls_per_month: null, stripe_price_ids: [PRICES.pro] },
  ],
})

const nowSeconds = () => Math.floor(Date.now() / 1_000)
const mac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex')

async function serve(make: MakeEmpty) {
  const stripe = fakeStripe()
  const served = await serveAccounts(make, { accounts: { plans: PLANS, stripe: stripe.settings } })
  const send = async (body: string, headers: Record<string, string> = {}) => {
    const answer = await served.ask('/webhooks/stripe', { method: 'POST', body, headers })
    const { code, outcome } = answer.body as { code?: string; outcome?: string }
    return code ?? outcome
  }
  return {
    send,
    signed: async (body: string) => send(body, { 'stripe-signature': await signatureOf(body) }),
    tier: async () => ((await served.ask('/usage?user_id=ann')).body as { tier: string }).tier,
    secret: stripe.settings.webhookSecret,
    async [Symbol.asyncDispose]() {
      stripe[Symbol.dispose]()
      await served[Symbol.asyncDispose]()
    },
  }
}

const PAID = event('customer.subscription.created', subscription(), 1, 'evt_1')

onEachDatabase((make) => {
  test('a webhook that is not signed, or signed wrongly or for another time or body, changes nothing', async () => {
    await using webhook = await serve(make)
    const now = nowSeconds()
    const { secret } = webhook
    const over = (t: number | string, body = PAID, key = secret) => mac(key, `${t}.${body}`)
    const forged: Record<string, string | undefined> = {
      'no header': undefined,
      'an empty header': '',
      'no signature': `t=${now}`,
      'no time': `v1=${over(now)}`,
      'an empty time': `t=,v1=${over('')}`,
      'a time that is no number': `t=now,v1=${over('now')}`,
      'another secret': `t=${now},v1=${over(now, PAID, 'whsec_another')}`,
      'no secret': `t=${now},v1=${createHmac('sha256', '').update(`${now}.${PAID}`).digest('hex')}`,
      'another body': `t=${now},v1=${over(now, `${PAID} `)}`,
      'another time than it says': `t=${now},v1=${over(now - 1)}`,
      'a time of six minutes ago': await signatureOf(PAID, secret, now - 360),
      'a time of a year ago': await signatureOf(PAID, secret, now - 31_536_000),
      'only the beginning': `t=${now},v1=${over(now).slice(0, 32)}`,
      'an empty signature': `t=${now},v1=`,
      'the scheme of tests': `t=${now},v0=${over(now)}`,
      'another algorithm': `t=${now},v1=${createHmac('sha512', secret).update(`${now}.${PAID}`).digest('hex')}`,
      'a thousand wrong signatures': `t=${now}${`,v1=${'0'.repeat(64)}`.repeat(100)}`,
      'the body alone': `t=${now},v1=${mac(secret, PAID)}`,
      'an old time and a new one': `t=${now - 31_536_000},t=${now},v1=${over(now - 31_536_000)}`,
    }
    for (const [what, signature] of Object.entries(forged)) {
      const code = await webhook.send(PAID, signature === undefined ? {} : { 'stripe-signature': signature })
      expect([what, code]).toEqual([what, 'webhook_signature_invalid'])
    }
    expect(await webhook.tier()).toBe('free')
    // One valid signature of two is enough: Stripe sends both while a secret is being changed.
    const both = `t=${now},v1=${over(now, PAID, 'whsec_another')},v1=${over(now)}`
    expect(await webhook.send(PAID, { 'stripe-signature': both })).toBe('applied')
    expect(await webhook.tier()).toBe('starter')
  })

  test('every byte of a signed body counts', async () => {
    await using webhook = await serve(make)
    const signature = { 'stripe-signature': await signatureOf(PAID) }
    for (let at = 0; at < PAID.length; at++) {
      const changed = PAID.slice(0, at) + (PAID[at] === 'x' ? 'y' : 'x') + PAID.slice(at + 1)
      expect([at, await webhook.send(changed, signature)]).toEqual([at, 'webhook_signature_invalid'])
    }
    for (const [from, to] of [
      ['starter', 'pro'],
      ['"ann"', '"bob"'],
      [' ', ''],
      ['', ' '],
    ] as const) {
      const changed = PAID.replace(from, to)
      if (changed !== PAID) expect(await webhook.send(changed, signature)).toBe('webhook_signature_invalid')
    }
    expect(await webhook.tier()).toBe('free')
  })

  test('a repeated event, also concurrently, takes effect once, and undoes no later event', async () => {
    await using webhook = await serve(make)
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => webhook.signed(PAID)))
    expect(outcomes.sort()).toEqual(['applied', ...Array(19).fill('repeated')])
    expect(await webhook.tier()).toBe('starter')
    expect(await webhook.signed(event('customer.subscription.deleted', subscription({ status: 'canceled' }), 9))).toBe(
      'applied',
    )
    expect(await webhook.signed(PAID)).toBe('repeated')
    // An event with a new id and a valid signature, but with an earlier time.
    await webhook.signed(event('customer.subscription.updated', subscription({ price: PRICES.pro }), 5))
    expect(await webhook.tier()).toBe('free')
  })

  test('an oversized body is refused before it is parsed, and an event that does not apply is ignored', async () => {
    await using webhook = await serve(make)
    expect(await webhook.signed('x'.repeat(WEBHOOK_BYTES_MAX + 1))).toBe('body_too_large')
    expect(await webhook.signed(event('invoice.paid', subscription(), 1))).toBe('ignored')
    const names = [null, '', 'a\nb', 'x'.repeat(201)]
    for (const user of names) {
      const payload = event('customer.subscription.created', { ...subscription({ user }), customer: 'cus_9' }, 1)
      expect([user, await webhook.signed(payload)]).toEqual([user, 'ignored'])
    }
    expect(await webhook.tier()).toBe('free')
  })

  test('a signed body that is not an event is refused and has no effect', async () => {
    await using webhook = await serve(make)
    const kind = 'customer.subscription.created'
    const { items: _, ...withoutItems } = subscription()
    const { customer: __, ...withoutCustomer } = subscription()
    const bodies = [
      ...['no JSON', 'null', '[]', '1', '"event"', '{}', '{"id":"evt_1","type":"invoice.paid"}'],
      ...[JSON.stringify({ id: 'evt_1', created: 1, type: kind }), event(kind, {}, 1), event(kind, withoutItems, 1)],
      ...[event(kind, withoutCustomer, 1), event(kind, { ...subscription(), created: 1e300 }, 1)],
      ...[event(kind, { ...subscription(), metadata: null }, 1), event('checkout.session.completed', { mode: 1 }, 1)],
      JSON.stringify({ ...JSON.parse(PAID), created: 'now' }),
    ]
    for (const body of bodies) expect([body, await webhook.signed(body)]).toEqual([body, 'body_invalid'])
    expect(await webhook.tier()).toBe('free')
    expect(await webhook.signed(PAID)).toBe('applied')
  })
})
