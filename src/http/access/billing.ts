// Shared by the billing endpoints: answers 503 without billing, and turns billing failures into HTTP answers.

import { Elysia } from 'elysia'
import { type Billing, BillingError } from '../../accounts/billing/billing.ts'
import { RequestFailure } from '../server/request-failure.ts'

/** Passes `billing` to the handlers of its group. Runs before the parameters are checked. */
export const withBilling = (billing: Billing | null) =>
  new Elysia().derive({ as: 'scoped' }, () => {
    if (billing !== null) return { billing }
    const message = 'Billing is not set up on this server: its operator sets plans with "backbook plans set"'
    throw new RequestFailure('billing_not_configured', message)
  })

export async function orRefuse<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    throw new RequestFailure(error.code, error.message, { cause: error.cause })
  }
}
