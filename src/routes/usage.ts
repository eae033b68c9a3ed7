// GET /usage: a user's calls of this month, and the limit of the user's plan. A management endpoint.

import { Elysia } from 'elysia'
import type { Accounts } from '../accounts/open-accounts.ts'
import { usageAnswer } from '../answers/usage.ts'
import { userQuery } from '../http/parameters/account-parameters.ts'
import { operation } from '../openapi/operation.ts'

type Dependencies = { accounts: Pick<Accounts, 'usage'> }

export const usageRoutes = ({ accounts }: Dependencies) =>
  new Elysia().get(
    '/usage',
    async ({ query: { user_id } }) => {
      const { plan, calls, month } = await accounts.usage(user_id)
      const limit = plan.callsPerMonth
      return {
        user_id,
        tier: plan.id,
        tier_name: plan.name,
        api_calls: calls,
        limit,
        remaining: limit === null ? null : Math.max(0, limit - calls),
        month,
        unlimited: limit === null,
      }
    },
    {
      query: userQuery,
      detail: operation({
        id: 'usage',
        summary: 'Calls of this month, and the limits of the plan',
        description: 'A call is an answer with 2xx, 304 or 101 of an endpoint that counts. Months are in UTC.',
        tag: 'usage',
        access: 'management',
        answer: () => ({ description: 'The calls', schema: usageAnswer }),
      }),
    },
  )
