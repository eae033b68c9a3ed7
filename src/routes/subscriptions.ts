// /subscriptions: pages to subscribe and to change a subscription, and a user's subscription. Management endpoints.

import { Elysia, t } from 'elysia'
import type { Billing } from '../accounts/billing/billing.ts'
import { isOpen } from '../accounts/billing/subscriptions.ts'
import type { Plans } from '../accounts/usage/plans.ts'
import { planOfUser } from '../accounts/usage/plans.ts'
import { checkoutAnswer, portalAnswer, subscriptionAnswer } from '../answers/subscriptions.ts'
import { orRefuse, withBilling } from '../http/access/billing.ts'
import { newUserId, noQuery, userId, userQuery } from '../http/parameters/account-parameters.ts'
import { parameter, patternText } from '../http/parameters/parameter.ts'
import { BODY_FAILURES, operation } from '../openapi/operation.ts'

const address = (description: string) =>
  parameter({
    accepts: 'an http or https address of up to 2000 characters',
    matches: isWebAddress,
    description,
    example: 'https://example.com/account',
  })
const isWebAddress = (text: string) => text.length <= 2_000 && /^https?:\/\//i.test(text) && URL.canParse(text)

const checkoutBody = t.Object(
  {
    user_id: newUserId('The user: an id of your choosing'),
    email: patternText(/^[^\s@]{1,64}@[^\s@]{1,190}$/, 'an e-mail address', {
      description: 'Where bills are sent',
      example: 'ann@example.com',
    }),
    success_url: address('Where the browser goes after the payment'),
    cancel_url: address('Where the browser goes if the user cancels'),
    tier: t.Optional(
      patternText(/^[a-z][a-z0-9_-]{0,63}$/, 'a plan that has a price', {
        description: 'The plan to pay for',
        unlessGiven: 'starter',
      }),
    ),
  },
  { additionalProperties: false },
)
const portalBody = t.Object(
  { user_id: userId, return_url: address('Where the browser goes afterwards') },
  { additionalProperties: false },
)

const BILLING_FAILURES = ['billing_not_configured', 'billing_unavailable'] as const

type Dependencies = {
  accounts: { billing: Billing | null; plans: Plans }
}

export const subscriptionRoutes = ({ accounts: { billing, plans } }: Dependencies) =>
  new Elysia()
    .use(withBilling(billing))
    .post(
      '/subscriptions/checkout',
      async ({ body: { user_id, email, success_url, cancel_url, tier = 'starter' }, billing }) => {
        const checkout = { userId: user_id, email, successUrl: success_url, cancelUrl: cancel_url, planId: tier }
        return { checkout_url: await orRefuse(billing.checkout(checkout)) }
      },
      {
        body: checkoutBody,
        query: noQuery,
        detail: operation({
          id: 'createCheckout',
          summary: 'A page where the user pays for a plan',
          tag: 'billing',
          access: 'management',
          answer: () => ({ description: 'The page', schema: checkoutAnswer }),
          failures: ['plan_not_sold', 'subscription_exists', ...BODY_FAILURES, ...BILLING_FAILURES],
        }),
      },
    )
    .post(
      '/subscriptions/portal',
      async ({ body: { user_id, return_url }, billing }) => ({
        portal_url: await orRefuse(billing.portal({ userId: user_id, returnUrl: return_url })),
      }),
      {
        body: portalBody,
        query: noQuery,
        detail: operation({
          id: 'createPortal',
          summary: 'A page where the user changes or ends its subscription',
          tag: 'billing',
          access: 'management',
          answer: () => ({ description: 'The page', schema: portalAnswer }),
          failures: ['subscription_not_found', ...BODY_FAILURES, ...BILLING_FAILURES],
        }),
      },
    )
    .get(
      '/subscriptions/status',
      async ({ query: { user_id }, billing }) => {
        const { subscription, plans: user } = await billing.status(user_id)
        const plan = planOfUser(plans, user)
        return {
          has_subscription: subscription !== undefined && isOpen(subscription),
          subscription_id: subscription?.subscriptionId ?? null,
          status: subscription?.status ?? null,
          tier: plan.id,
          current_period_start: subscription?.currentPeriodStart ?? null,
          current_period_end: subscription?.currentPeriodEnd ?? null,
        }
      },
      {
        query: userQuery,
        detail: operation({
          id: 'subscriptionStatus',
          summary: 'The subscription of a user',
          description: 'The last subscription, even if it has ended. `tier` is the current plan.',
          tag: 'billing',
          access: 'management',
          answer: () => ({ description: 'The subscription', schema: subscriptionAnswer }),
          failures: ['billing_not_configured'],
        }),
      },
    )
