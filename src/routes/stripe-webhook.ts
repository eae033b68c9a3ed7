// POST /webhooks/stripe: receives Stripe's events about subscriptions. Stripe's signature replaces the key.

import { Elysia } from 'elysia'
import type { Billing } from '../accounts/billing/billing.ts'
import { webhookAnswer } from '../answers/subscriptions.ts'
import { orRefuse, withBilling } from '../http/access/billing.ts'
import { noQuery } from '../http/parameters/account-parameters.ts'
import { readTextBody, WEBHOOK_PATH } from '../http/server/limited-body.ts'
import { RequestFailure } from '../http/server/request-failure.ts'
import { operation } from '../openapi/operation.ts'

export const stripeWebhookRoutes = ({ billing }: { billing: Billing | null }) =>
  new Elysia().use(withBilling(billing)).post(
    WEBHOOK_PATH,
    async ({ request, billing }) => {
      const signature = request.headers.get('stripe-signature')
      if (signature === null) {
        throw new RequestFailure('webhook_signature_invalid', 'The header stripe-signature is required')
      }
      return { received: true, outcome: await orRefuse(billing.receive(await readTextBody(request), signature)) }
    },
    {
      // The signature covers the exact bytes of the body.
      parse: 'none',
      query: noQuery,
      detail: operation({
        id: 'stripeWebhook',
        summary: 'Events of Stripe',
        description: 'Signed by Stripe. A repeated event changes nothing, and a late one does not undo a newer one.',
        tag: 'billing',
        access: 'public',
        answer: () => ({ description: 'The event was received', schema: webhookAnswer }),
        failures: [
          'webhook_signature_invalid',
          'body_invalid',
          'body_too_large',
          'accounts_unavailable',
          'billing_not_configured',
          'billing_unavailable',
        ],
        parameters: [
          {
            in: 'header',
            name: 'stripe-signature',
            required: true,
            description: "Stripe's signature of the body, at most five minutes old",
            schema: {
              type: 'string',
              example: 't=1795258445,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
            },
          },
        ],
        requestBody: {
          required: true,
          description: 'The event as Stripe sent and signed it, at most 262,144 bytes',
          content: { 'application/json': { schema: { type: 'object' } } },
        },
      }),
    },
  )
