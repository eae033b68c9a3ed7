// Answers of the billing endpoints.

import { choice, flag, instant, named, orNull, text } from '../openapi/field.ts'

export const checkoutAnswer = named('Checkout', 'A page to pay at', {
  checkout_url: text("The page's address, at Stripe", 'https://checkout.example/c/pay/cs_1'),
})

export const portalAnswer = named('Portal', 'A page to change or end a subscription at', {
  portal_url: text("The page's address, at Stripe", 'https://portal.example/p/session/bps_1'),
})

export const subscriptionAnswer = named('SubscriptionStatus', 'The subscription of a user', {
  has_subscription: flag('Whether a subscription has not ended', true),
  subscription_id: orNull(text("Stripe's id of the last subscription; null without one", 'sub_1QabcdEfGhIjKlMn')),
  status: orNull(text("Stripe's word for its state; null without a subscription", 'active')),
  tier: text('The plan that applies now, paid for or set by an operator', 'starter'),
  current_period_start: orNull(instant('Start of the paid period', '2026-11-01T00:00:00.000Z')),
  current_period_end: orNull(instant('End of the paid period', '2026-12-01T00:00:00.000Z')),
})

export const webhookAnswer = named('WebhookReceipt', 'The effect of an event', {
  received: flag('Always true', true),
  outcome: choice(['applied', 'repeated', 'ignored'], 'Its effect: repeated and ignored events change nothing'),
})
