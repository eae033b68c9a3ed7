// GET /stats and GET /stats/popular-markets: requests to the whole server. Management endpoints.

import { Elysia, t } from 'elysia'
import type { Accounts } from '../accounts/open-accounts.ts'
import type { Counts } from '../accounts/usage/request-statistics.ts'
import { MARKET_DAYS_MAX } from '../accounts/usage/usage-store.ts'
import { popularMarketsAnswer, statsAnswer } from '../answers/usage.ts'
import { noQuery } from '../http/parameters/account-parameters.ts'
import { wholeNumber } from '../http/parameters/parameter.ts'
import { operation } from '../openapi/operation.ts'

const popularQuery = t.Object(
  {
    limit: t.Optional(wholeNumber({ min: 1, max: 1_000 }, { unlessGiven: 20, description: 'Markets, at most' })),
    days: t.Optional(
      wholeNumber({ min: 1, max: MARKET_DAYS_MAX }, { unlessGiven: 30, description: 'UTC days, today included' }),
    ),
  },
  { additionalProperties: false },
)

type Dependencies = {
  accounts: Pick<Accounts, 'statistics' | 'popularMarkets'>
}

export const statsRoutes = ({ accounts }: Dependencies) =>
  new Elysia()
    .get(
      '/stats',
      async () => {
        const { users, keys, total, last24Hours } = await accounts.statistics()
        return {
          users,
          api_keys: keys.total,
          active_api_keys: keys.active,
          ...shown(total),
          last_24_hours: { ...shown(last24Hours), counts: last24Hours.hours },
        }
      },
      {
        query: noQuery,
        detail: operation({
          id: 'stats',
          summary: 'Users, keys and requests, in total and in the last 24 hours',
          description:
            'total_requests counts requests with a valid key, api_calls those that count for plans, refused answers ' +
            'with 429, and failed answers with 5xx. The last 24 hours are the current hour and the 23 before it.',
          tag: 'usage',
          access: 'management',
          answer: () => ({ description: 'The sums', schema: statsAnswer }),
        }),
      },
    )
    .get(
      '/stats/popular-markets',
      async ({ query: { limit, days } }) => ({
        markets: await accounts.popularMarkets({ limit: Number(limit ?? 20), days: Number(days ?? 30) }),
      }),
      {
        query: popularQuery,
        detail: operation({
          id: 'popularMarkets',
          summary: 'The markets with most requests',
          tag: 'usage',
          access: 'management',
          answer: () => ({ description: 'The markets', schema: popularMarketsAnswer }),
        }),
      },
    )

const shown = ({ requests, calls, refused, failed }: Counts) => {
  return { total_requests: requests, api_calls: calls, refused, failed }
}
