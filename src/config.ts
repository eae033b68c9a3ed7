// The configuration, read from the environment here and nowhere else. It is checked once and frozen.

import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { StripeSettings } from './accounts/stripe-billing.ts'

const environment = Type.Object({
  ADMIN_TOKEN: Type.Optional(Type.String({ minLength: 8, accepts: 'at least 8 characters' })),
  MANAGEMENT_ACCESS: Type.Optional(Type.Literal('open', { accepts: '"open", or not set' })),
  MONITORING_TOKEN: Type.Optional(Type.String({ minLength: 8, accepts: 'at least 8 characters' })),
  ACCOUNTS_URL: Type.Optional(
    Type.String({
      pattern: '^(sqlite|postgres|postgresql)://.+',
      accepts: 'sqlite://PATH or postgres://USER:PASSWORD@HOST/DATABASE',
    }),
  ),
  PLANS_FILE: Type.Optional(Type.String({ accepts: 'the path of a JSON file of plans' })),
  STRIPE_SECRET_KEY: Type.Optional(
    Type.String({ pattern: '^(sk|rk)_', accepts: 'a secret or restricted key of Stripe' }),
  ),
  STRIPE_WEBHOOK_SECRET: Type.Optional(
    Type.String({ pattern: '^whsec_', accepts: 'the signing secret of the webhook' }),
  ),
  STRIPE_API_URL: Type.Optional(Type.String({ pattern: '^https?://.+', accepts: 'an http or https address' })),
  GAMMA_URL: Type.Optional(Type.String({ pattern: '^https?://.+', accepts: 'an http or https address' })),
  WORKER_THREADS: Type.Optional(Type.String({ pattern: '^([1-9]|[1-9][0-9])$', accepts: '1 to 99' })),
  WORKER_QUEUE_MAX: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,5}$', accepts: '1 to 999999' })),
  ANSWER_CACHE_MB: Type.Optional(Type.String({ pattern: '^[0-9]{1,6}$', accepts: '0 to 999999' })),
  SHUTDOWN_SECONDS: Type.Optional(Type.String({ pattern: '^[0-9]{1,4}$', accepts: '0 to 9999' })),
})

export type Config = Readonly<{
  /** Null for none: management is then open to this machine. */
  adminToken: string | null
  managementOpen: boolean
  monitoringToken: string | null
  /** Null for a SQLite file in the data folder. */
  accountsUrl: string | null
  /** Null for the built-in plans. */
  plansFile: string | null
  /** Null where nothing is sold. */
  stripe: StripeSettings | null
  gammaUrl: string | null
  workerThreads: number
  workerQueueMax: number
  /** How much of past answers is kept in memory, 0 for nothing. */
  answerCacheBytes: number
  /** How long a stopping server waits for what is running. */
  shutdownMs: number
}>

/** What an operator must mend before the program can start. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** An empty variable counts as not set. Throws ConfigError, which never repeats a value: it may be a secret. */
export function readConfig(variables: Record<string, string | undefined>, processors: number): Config {
  const names = Object.keys(environment.properties)
  const given = Object.fromEntries(names.filter((name) => variables[name]).map((name) => [name, variables[name]]))
  const wrong = [...new Set([...Value.Errors(environment, given)].map(({ path }) => path.slice(1)))]
  if (!Value.Check(environment, given)) {
    const accepted = (name: string) => environment.properties[name as keyof typeof environment.properties]['accepts']
    throw new ConfigError(wrong.map((name) => `Cannot use ${name}: accepted is ${accepted(name)}`).join('; '))
  }
  return Object.freeze(toConfig(given, processors))
}

function toConfig(given: Static<typeof environment>, processors: number): Config {
  const threads = given.WORKER_THREADS === undefined ? Math.max(1, processors) : Number(given.WORKER_THREADS)
  return {
    adminToken: given.ADMIN_TOKEN ?? null,
    managementOpen: given.MANAGEMENT_ACCESS === 'open',
    monitoringToken: given.MONITORING_TOKEN ?? null,
    accountsUrl: given.ACCOUNTS_URL ?? null,
    plansFile: given.PLANS_FILE ?? null,
    stripe: stripeOf(given),
    gammaUrl: given.GAMMA_URL?.replace(/\/+$/, '') ?? null,
    workerThreads: threads,
    workerQueueMax: Number(given.WORKER_QUEUE_MAX ?? threads * 64),
    answerCacheBytes: Number(given.ANSWER_CACHE_MB ?? 64) * 2 ** 20,
    shutdownMs: Number(given.SHUTDOWN_SECONDS ?? 30) * 1000,
  }
}

/** Without the webhook's secret nobody's payment would be heard of. */
function stripeOf(given: Static<typeof environment>): StripeSettings | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_URL: apiUrl = null } = given
  if (secretKey === undefined && webhookSecret === undefined) return null
  if (secretKey !== undefined && webhookSecret !== undefined) return { secretKey, webhookSecret, apiUrl }
  const missing = secretKey === undefined ? 'STRIPE_SECRET_KEY' : 'STRIPE_WEBHOOK_SECRET'
  throw new ConfigError(`${missing} is not set: accepted are STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET together`)
}
