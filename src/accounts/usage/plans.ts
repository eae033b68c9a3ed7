// The plans of users: calls per month, and their rate. A plans file replaces the built-in plans.

import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { UserPlans } from '../keys/users.ts'

/** The limits of a user, over all its keys. Null means no limit. */
export type Plan = Readonly<{
  id: string
  name: string
  callsPerMonth: number | null
  callsPerSecond: number | null
  /** Calls that may come at once; each second refills `callsPerSecond` of them. */
  burst: number
  /** Stripe prices that give this plan. The first one is sold; the others are former prices, whose subscribers keep the
   *  plan, since Stripe's prices never change. Empty for a plan that is not sold. */
  stripePriceIds: readonly string[]
}>

export type Plans = Readonly<{ byId: ReadonlyMap<string, Plan>; default: Plan }>

const limit = (minimum: number) => Type.Union([Type.Null(), Type.Integer({ minimum, maximum: 1e12 })])
const planSchema = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z][a-z0-9_-]{0,63}$' }),
    name: Type.String({ minLength: 1, maxLength: 200 }),
    calls_per_month: limit(0),
    calls_per_second: Type.Optional(Type.Union([Type.Null(), Type.Number({ exclusiveMinimum: 0, maximum: 1e6 })])),
    burst: Type.Optional(Type.Integer({ minimum: 1, maximum: 1e6 })),
    stripe_price_ids: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 100 })),
  },
  { additionalProperties: false },
)
const plansSchema = Type.Object(
  { default: Type.String(), plans: Type.Array(planSchema, { minItems: 1, maxItems: 100 }) },
  { additionalProperties: false },
)

/** The content of a plans file. */
export type PlansDocument = Static<typeof plansSchema>

const BUILT_IN: PlansDocument = {
  default: 'free',
  plans: [
    { id: 'free', name: 'Free', calls_per_month: 10_000 },
    { id: 'starter', name: 'Starter', calls_per_month: 1_000_000 },
    { id: 'pro', name: 'Pro', calls_per_month: null },
  ],
}

/** Throws an Error that says what is wrong in the document. */
export function readPlans(document: unknown): Plans {
  if (!Value.Check(plansSchema, document)) {
    const [error] = Value.Errors(plansSchema, document)
    throw new Error(`${error?.path || 'the document'}: ${error?.message}, got ${JSON.stringify(error?.value)}`)
  }
  const byId = new Map(document.plans.map((plan) => [plan.id, toPlan(plan)]))
  if (byId.size < document.plans.length) throw new Error('/plans: two plans have the same id')
  const fallback = byId.get(document.default)
  if (!fallback) throw new Error(`/default must be one of ${[...byId.keys()].join(', ')}, got "${document.default}"`)
  const unlimited = document.plans.find((plan) => plan.burst !== undefined && plan.calls_per_second == null)
  if (unlimited) throw new Error(`/plans: ${unlimited.id} has a burst without calls_per_second`)
  const prices = document.plans.flatMap((plan) => plan.stripe_price_ids ?? [])
  if (new Set(prices).size < prices.length) throw new Error('/plans: a price of Stripe is listed twice')
  return { byId, default: fallback }
}

export const builtInPlans = () => readPlans(BUILT_IN)

/** Returns the plan with an id; the default plan if the configuration does not have this one. */
export const planOf = (plans: Plans, id: string): Plan => plans.byId.get(id) ?? plans.default

/** Returns the plan of a user: the one it pays for, else the one an operator set, else the default. */
export const planOfUser = (plans: Plans, user: UserPlans | undefined): Plan =>
  user === undefined ? plans.default : planOf(plans, user.subscriptionPlan ?? user.basePlan)

function toPlan(plan: Static<typeof planSchema>): Plan {
  const callsPerSecond = plan.calls_per_second ?? null
  return Object.freeze({
    id: plan.id,
    name: plan.name,
    callsPerMonth: plan.calls_per_month,
    callsPerSecond,
    burst: plan.burst ?? Math.max(1, Math.ceil(callsPerSecond ?? 1)),
    stripePriceIds: plan.stripe_price_ids ?? [],
  })
}
