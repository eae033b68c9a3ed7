// Billing as the rest of the server uses it: its operations, and its failures.

import type { UserPlans } from '../keys/users.ts'
import type { Subscription } from './subscriptions.ts'

export type Checkout = { userId: string; email: string; successUrl: string; cancelUrl: string; planId: string }

export type Billing = {
  /** Resolves to the URL of a page where the user pays. */
  checkout(checkout: Checkout): Promise<string>
  /** Resolves to the URL of a page where the user changes or ends its subscription. */
  portal(portal: { userId: string; returnUrl: string }): Promise<string>
  status(userId: string): Promise<{ subscription: Subscription | undefined; plans: UserPlans | undefined }>
  /** Applies an event. `body` must be the exact text, since the signature covers it. */
  receive(body: string, signature: string): Promise<'applied' | 'repeated' | 'ignored'>
}

/** The kinds of failure, which are also the codes of the HTTP problems. */
export type BillingFailure =
  | 'plan_not_sold'
  | 'subscription_exists'
  | 'subscription_not_found'
  | 'webhook_signature_invalid'
  | 'body_invalid'
  | 'billing_unavailable'

export class BillingError extends Error {
  override readonly name = 'BillingError'
  readonly code: BillingFailure

  constructor(code: BillingFailure, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}
