// GET …/market/data: the raw records of a market on one date, by offset.

import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import type { PageRequest } from '../../workers/requests.ts'
import { pageTask } from '../../workers/tasks/page.ts'
import { mustBe } from '../http/parameters/parameter.ts'
import { marketOf, RAW_LIMIT } from '../http/parameters/venue-parameters.ts'
import { parametersInvalid } from '../http/server/request-failure.ts'
import { RECORD_FORMATS } from './format-parameters.ts'
import type { ParsedQuery, RecordsQuestion } from './question.ts'
import { datePageAnswer, inLayout } from './raw-page.ts'

export const marketData: RecordsQuestion = {
  kind: 'records',
  formats: RECORD_FORMATS,
  path: '/market/data',
  hasAlias: true,
  isBillable: true,
  parameters: ({ hasAssets }) => ({
    required: ['market', 'date'],
    optional: hasAssets ? ['asset_id', 'offset', 'limit'] : ['offset', 'limit'],
  }),
  about: (venue) => ({
    id: `${venue.venue}MarketData`,
    summary: 'Raw records of one date, page by page with offsets',
    description:
      'Every message as the venue sent it, by event time. Ask again with `offset` raised by `data_count` while ' +
      '`has_more` is true; while the date is being loaded, pages can shift: `market/data/range` does not.' +
      (venue.rawFromDate === null ? '' : ` Dates before ${venue.rawFromDate} are not offered.`) +
      (venue.hasRootPaths ? ' Also at `/market/data`.' : ''),
    answer: () => ({
      description: 'A page; empty if nothing is stored of that date',
      schema: datePageAnswer(venue),
    }),
    failures: [...(venue.rawFromDate === null ? [] : TOO_EARLY)],
  }),
  plan(parsed) {
    const request = planDatePage(parsed)
    const { market, limit, scope } = request
    const fromMs = dateStartMs(scope.date)
    return {
      market,
      fromMs,
      toMs: fromMs + DAY_MS - 1,
      identity: [request],
      isCacheable: false,
      async answer(workers, { format }) {
        const { dataCount, hasMore, totalCount, data } = await workers.ask(pageTask, inLayout(request, format))
        const page = { offset: scope.offset, limit, total_count: totalCount, has_more: hasMore }
        const head = { [parsed.parameters.idField]: market, date: scope.date, data_count: dataCount }
        return { envelope: { ...head, ...page, pagination: page }, data }
      },
    }
  },
}

const TOO_EARLY = ['date_too_early'] as const
export type DatePageRequest = PageRequest & { scope: { date: string; offset: number } }

export function planDatePage({ parameters, query }: ParsedQuery): DatePageRequest {
  const { date = '' } = query
  if (parameters.rawFromDate !== null && date < parameters.rawFromDate) {
    const message = mustBe(`${parameters.rawFromDate} or later`, date)
    throw parametersInvalid([{ field: 'date', message }], 'date_too_early')
  }
  return {
    venue: parameters.venue,
    market: marketOf(parameters, query),
    book: query.asset_id ?? null,
    limit: Number(query.limit ?? RAW_LIMIT.default),
    scope: { date, offset: Number(query.offset ?? 0) },
  }
}
