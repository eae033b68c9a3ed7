// POST /webhooks/stripe: Stripe tells what became of a subscription. Its signature is its key.

import { Elysia } from 'elysia'
import type { Billing } from '../accounts/billing.ts'
import { noQuery } from '../http/account-parameters.ts'
import { orRefuse, withBilling } from '../http/billing.ts'
import { readTextBody, WEBHOOK_PATH } from '../http/limited-body.ts'
import { RequestFailure } from '../http/request-failure.ts'

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
      // The signature is of the bytes.
      parse: 'none',
      query: noQuery,
      detail: {
        summary: 'Events of Stripe',
        description:
          'Signed by Stripe. An event that comes again changes nothing; one that comes late does not undo a later one.',
        tags: ['billing'],
      },
    },
  )
