// Goal: events of Stripe end in one state, in any order, repeated and concurrent. A Stripe that hangs blocks nothing
// else.

import { expect, test } from 'bun:test'
import { stripeBilling } from '../../../../src/accounts/billing/stripe-billing.ts'
import { setBasePlan } from '../../../../src/accounts/keys/users.ts'
import { readPlans } from '../../../../src/accounts/usage/plans.ts'
import { Random } from '../../../../workers/synthetic/random.ts'
import { onEachDatabase, openEmpty } from '../../../support/accounts.ts'
import { codeOf, event, fakeStripe, PRICES, signatureOf, subscription } from '../../../support/stripe.ts'

const PLANS = readPlans({
  default: 'free',
  plans: [
    { id: 'free', name: 'Free', calls_per_month: 1 },
    { id: 'starter', name: 'Starter', calls_per_month: 2, stripe_price_ids: [PRICES.starter] },
    { id: 'pro', name: 'Pro', calls_per_month: null },
  ],
})
const CHECKOUT = {
  ...{ userId: 'bob', email: 'bob@example.com', planId: 'starter' },
  ...{ successUrl: 'https://a.example/ok', cancelUrl: 'https://a.example/no' },
}

const of = (status: string) => subscription({ status })

onEachDatabase((make) => {
  test('events end in the state of the last one, whatever their order, repetition and concurrency', async () => {
    await using opened = await openEmpty(make)
    using stripe = fakeStripe()
    const billing = stripeBilling(stripe.settings, opened.database, PLANS)
    const receive = async (payload: string) => billing.receive(payload, await signatureOf(payload))
    for (let seed = 0; seed < 40; seed++) {
      const random = new Random(seed, 'events')
      const [id, customer, user] = [`sub_${seed}`, `cus_${seed}`, `ann-${seed}`]
      const of = (status: string) => subscription({ id, customer, user, status })
      const statuses = Array.from({ length: random.between(2, 8) }, () =>
        random.pick(['incomplete', 'active', 'past_due', 'unpaid', 'paused', 'trialing']),
      )
      if (random.chance(0.4)) statuses.push('canceled')
      const last = statuses.at(-1)!
      // Stripe dates changes by the second, so several changes have the same second.
      let second = 10
      const events = statuses.map((each) => {
        if (random.chance(0.6)) second++
        return event(`customer.subscription.${each === 'canceled' ? 'deleted' : 'updated'}`, of(each), second)
      })
      stripe.subscriptions.set(id, of(last))
      const deliveries = [...events, ...events.filter(() => random.chance(0.5))]
        .map((payload) => ({ payload, place: random.fraction() }))
        .sort((a, b) => a.place - b.place)
        .map(({ payload }) => payload)
      const outcomes: string[] = []
      while (deliveries.length > 0) {
        const together = deliveries.splice(0, random.between(1, 4))
        outcomes.push(...(await Promise.all(together.map(receive))))
      }
      expect([seed, (await billing.status(user)).subscription?.status]).toEqual([seed, last])
      expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(events.length)
    }
  }, 60_000)

  test('a Stripe that hangs causes an error within seconds, and nothing waits for it', async () => {
    await using opened = await openEmpty(make)
    using away = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Promise<Response>(() => undefined) })
    const settings = { secretKey: 'sk', webhookSecret: 'whsec_test', apiUrl: `http://127.0.0.1:${away.port}` }
    const billing = stripeBilling(settings, opened.database, PLANS, 200)
    const receive = async (payload: string) => billing.receive(payload, await signatureOf(payload))
    await receive(event('customer.subscription.updated', of('active'), 10))
    const hanging = [
      codeOf(billing.checkout(CHECKOUT)),
      codeOf(receive(event('customer.subscription.updated', of('past_due'), 10))),
    ]
    // Meanwhile, the database is free.
    await setBasePlan(opened.database, 'ann', 'pro')
    expect(await receive(event('customer.subscription.updated', of('unpaid'), 11))).toBe('applied')
    expect(await Promise.all(hanging)).toEqual([
      'billing_unavailable',
      expect.stringMatching(/billing_unavailable|done/),
    ])
  })
})
