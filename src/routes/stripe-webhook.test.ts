// Tests events of Stripe: they are passed on with their exact text and signature.

import { expect, test } from 'bun:test'
import { ask, fakeAccounts, testApp } from '../../test/support/server.ts'
import type { Billing } from '../accounts/billing/billing.ts'
import { BillingError } from '../accounts/billing/billing.ts'

function send(receive: Billing['receive'] | null, headers: Record<string, string> = { 'stripe-signature': 't=1' }) {
  const billing = receive === null ? null : ({ receive } as unknown as Billing)
  const init = { method: 'POST', body: '{ "a": "ü" }', headers: { 'content-type': 'application/json', ...headers } }
  return ask(testApp({ accounts: { ...fakeAccounts, billing } }), '/webhooks/stripe', init)
}

test.each(['applied', 'repeated', 'ignored'] as const)('an event that is %s is answered so', async (outcome) => {
  const given: string[][] = []
  const { status, body } = await send(async (...event) => {
    given.push(event)
    return outcome
  })
  expect([status, body, given]).toEqual([200, { received: true, outcome }, [['{ "a": "ü" }', 't=1']]])
})

test('without a signature, with a wrong one, and without billing', async () => {
  const never = () => Promise.reject(new Error('not asked here'))
  expect((await send(never, {})).body).toMatchObject({
    ...{ code: 'webhook_signature_invalid', detail: 'The header stripe-signature is required' },
  })
  const wrong = () => Promise.reject(new BillingError('webhook_signature_invalid', 'It is old'))
  expect(await send(wrong)).toMatchObject({
    status: 400,
    body: { code: 'webhook_signature_invalid', detail: 'It is old' },
  })
  expect(await send(null)).toMatchObject({ status: 503, body: { code: 'billing_not_configured' } })
})
