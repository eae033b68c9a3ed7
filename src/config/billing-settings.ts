// The settings of billing.

import { HTTP_ADDRESS, optionalText } from './setting-kinds.ts'

export const BILLING_SETTINGS = {
  stripe_secret_key: optionalText({
    variable: 'STRIPE_SECRET_KEY',
    placeholder: '<key>',
    pattern: '^(sk|rk)_',
    accepts: 'a secret or restricted key of Stripe',
    unlessGiven: null,
    secret: 'all',
    description: 'key of the Stripe account that plans are paid to; needs STRIPE_WEBHOOK_SECRET',
  }),
  stripe_webhook_secret: optionalText({
    variable: 'STRIPE_WEBHOOK_SECRET',
    placeholder: '<secret>',
    pattern: '^whsec_',
    accepts: 'the signing secret of a webhook of Stripe',
    unlessGiven: null,
    secret: 'all',
    description: 'secret that Stripe signs its events with',
  }),
  stripe_api_url: optionalText({
    variable: 'STRIPE_API_URL',
    ...HTTP_ADDRESS,
    unlessGiven: null,
    otherwise: 'Stripe itself',
    secret: 'password',
    description: "another server that speaks Stripe's API, for tests",
  }),
}
