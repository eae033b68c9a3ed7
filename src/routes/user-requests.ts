// GET /user/{user_id}/requests/…: the number of a user's requests, by hour, and the newest ones. Management endpoints.

import { Elysia, t } from 'elysia'
import { DAY_MS } from '../../storage/units.ts'
import type { Accounts } from '../accounts/open-accounts.ts'
import type { PastRequest } from '../accounts/usage/request-statistics.ts'
import { RECENT_MAX } from '../accounts/usage/usage-batch.ts'
import { hourCountsAnswer, recentRequestsAnswer, requestCountAnswer } from '../answers/usage.ts'
import { noQuery, userPath } from '../http/parameters/account-parameters.ts'
import { asGiven, moment, momentRange } from '../http/parameters/moment.ts'
import { mustBe, wholeNumber } from '../http/parameters/parameter.ts'
import { parametersInvalid } from '../http/server/request-failure.ts'
import { operation } from '../openapi/operation.ts'

const RANGE_DAYS_MAX = 366

const timeframeQuery = t.Object(
  { start_time: moment('The first moment'), end_time: moment('The last moment') },
  { additionalProperties: false },
)
const recentQuery = t.Object(
  {
    limit: t.Optional(wholeNumber({ min: 1, max: RECENT_MAX }, { unlessGiven: 10, description: 'Requests, at most' })),
  },
  { additionalProperties: false },
)

type Dependencies = {
  accounts: Pick<Accounts, 'requestCount' | 'hourCounts' | 'recentRequests'>
}

export const userRequestRoutes = ({ accounts }: Dependencies) =>
  new Elysia()
    .get(
      '/user/:user_id/requests/count',
      async ({ params: { user_id } }) => ({ user_id, total_requests: await accounts.requestCount(user_id) }),
      {
        params: userPath,
        query: noQuery,
        detail: operation({
          id: 'requestCount',
          summary: 'The number of all requests of a user',
          tag: 'usage',
          access: 'management',
          answer: () => ({ description: 'The number', schema: requestCountAnswer }),
        }),
      },
    )
    .get(
      '/user/:user_id/requests/count/timeframe',
      async ({ params: { user_id }, query: { start_time, end_time } }) => {
        const range = momentRange(start_time, end_time)
        assertRange(range, { start_time, end_time })
        const counts = await accounts.hourCounts({ userId: user_id, ...range })
        return { user_id, start_time: asGiven(start_time), end_time: asGiven(end_time), counts }
      },
      {
        params: userPath,
        query: timeframeQuery,
        detail: operation({
          id: 'requestCountByHour',
          summary: 'Requests of a user by hour',
          description:
            'The UTC hours that the range touches and that had requests, each counted as a whole, earliest first.',
          tag: 'usage',
          access: 'management',
          answer: () => ({ description: 'The hours', schema: hourCountsAnswer }),
          failures: ['range_too_long'],
        }),
      },
    )
    .get(
      '/user/:user_id/requests/recent',
      async ({ params: { user_id }, query: { limit } }) => {
        const requests = await accounts.recentRequests(user_id, Number(limit ?? 10))
        return { user_id, requests: requests.map(shown) }
      },
      {
        params: userPath,
        query: recentQuery,
        detail: operation({
          id: 'recentRequests',
          summary: 'The newest requests of a user, the newest first',
          tag: 'usage',
          access: 'management',
          answer: () => ({ description: 'The requests', schema: recentRequestsAnswer }),
        }),
      },
    )

const shown = ({ time, method, path, status, durationMs, keyId }: PastRequest) => {
  return { time, method, path, status, duration_ms: Math.round(durationMs * 1_000) / 1_000, key_id: keyId }
}

function assertRange(
  { fromMs, toMs }: { fromMs: number; toMs: number },
  given: { start_time: string; end_time: string },
) {
  if (fromMs > toMs) {
    const message = mustBe('at most end_time', given.start_time)
    throw parametersInvalid([{ field: 'start_time', message }])
  }
  if (toMs - fromMs > RANGE_DAYS_MAX * DAY_MS) {
    const message = mustBe(`at most ${RANGE_DAYS_MAX} days after start_time`, given.end_time)
    throw parametersInvalid([{ field: 'end_time', message }], 'range_too_long')
  }
}
