// Tests the routes of billing: without billing they answer 503, and a failure of billing keeps its error code.

import { expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import { type Billing, BillingError } from '../../accounts/billing/billing.ts'
import { RequestFailure } from '../server/request-failure.ts'
import { orRefuse, withBilling } from './billing.ts'

async function seenBy(billing: Billing | null): Promise<unknown> {
  let seen: unknown
  const app = new Elysia()
    .onError(({ error }) => {
      seen = error
    })
    .use(withBilling(billing))
    .get('/', ({ billing: given }) => {
      seen = given
      return ''
    })
  await app.handle(new Request('http://localhost/'))
  return seen
}

test('handlers get the billing, or the request is refused', async () => {
  const billing = { status: () => 'here' } as unknown as Billing
  expect(await seenBy(billing)).toBe(billing)
  const refused = await seenBy(null)
  expect(refused).toBeInstanceOf(RequestFailure)
  expect(refused).toMatchObject({
    code: 'billing_not_configured',
    message: 'Billing is not set up on this server: its operator sets plans with "backbook plans set"',
  })
})

test('a failure of billing keeps its code, its message and its cause', async () => {
  expect(await orRefuse(Promise.resolve(5))).toBe(5)
  const cause = new Error('Stripe is away')
  const refused = orRefuse(Promise.reject(new BillingError('billing_unavailable', 'no answer', cause)))
  await expect(refused).rejects.toMatchObject({ name: 'RequestFailure', code: 'billing_unavailable', cause })
  await expect(refused).rejects.toThrow('no answer')
  const other = new Error('a bug')
  await expect(orRefuse(Promise.reject(other))).rejects.toBe(other)
})
