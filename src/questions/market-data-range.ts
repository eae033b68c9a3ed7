// GET …/market/data/range: the raw records of a market between two instants, page by page with cursors.

import { dateStartMs } from '../../storage/units.ts'
import { type CursorQuery, encodeCursor } from '../../workers/read/cursor.ts'
import type { PageRequest } from '../../workers/requests.ts'
import { pageTask } from '../../workers/tasks/page.ts'
import { positionOf } from '../http/parameters/cursor.ts'
import { mustBe } from '../http/parameters/parameter.ts'
import { readBounds, type TimeWindow } from '../http/parameters/time-window.ts'
import {
  bound,
  marketOf,
  type QueryText,
  RAW_LIMIT,
  type VenueParameters,
} from '../http/parameters/venue-parameters.ts'
import { parametersInvalid } from '../http/server/request-failure.ts'
import { RECORD_FORMATS } from './format-parameters.ts'
import type { ParsedQuery, RecordsQuestion } from './question.ts'
import { inLayout, rangePageAnswer } from './raw-page.ts'

const PATH = '/market/data/range'
const bounds = {
  start_timestamp: bound('Lower', { example: 1784548800000 }),
  end_timestamp: bound('Upper', { example: 1784552399999 }),
}

export const marketDataRange: RecordsQuestion = {
  kind: 'records',
  formats: RECORD_FORMATS,
  path: PATH,
  hasAlias: true,
  isBillable: true,
  parameters: ({ hasAssets }) => ({
    required: ['market', 'start_timestamp', 'end_timestamp'],
    optional: hasAssets ? ['asset_id', 'limit', 'cursor'] : ['limit', 'cursor'],
    own: bounds,
  }),
  about: (venue) => ({
    id: `${venue.venue}MarketDataRange`,
    summary: 'Raw records of a time range, page by page with cursors',
    description:
      'Every message as the venue sent it, by event time. Repeat the query with `cursor` set to `next_cursor` until ' +
      'that is null; only `limit` may change. A cursor stays exact while data is added after it, and is refused ' +
      '(`cursor_stale`) once records before it in its date have changed.' +
      (venue.rawFromDate === null ? '' : ` Ranges from before ${venue.rawFromDate} are not offered.`) +
      (venue.hasRootPaths ? ' Also at `/market/data/range`.' : ''),
    answer: () => ({
      description: 'A page; empty if nothing is stored of that range',
      schema: rangePageAnswer(venue),
    }),
    failures: [...(venue.rawFromDate === null ? [] : TOO_EARLY), 'cursor_invalid', 'cursor_stale'],
  }),
  plan(parsed, secret) {
    const { request, cursorQuery } = planRangePage(parsed, secret)
    const { market, limit } = request
    const { fromMs, toMs } = cursorQuery
    return {
      market,
      fromMs,
      toMs,
      identity: [request],
      isCacheable: false,
      async answer(workers, { format }) {
        const { dataCount, hasMore, next, data } = await workers.ask(pageTask, inLayout(request, format))
        const next_cursor = next === null ? null : encodeCursor(secret, cursorQuery, next)
        const page = { limit, has_more: hasMore, next_cursor }
        const scope = { start_timestamp: fromMs, end_timestamp: toMs, data_count: dataCount }
        return { envelope: { [parsed.parameters.idField]: market, ...scope, ...page, pagination: page }, data }
      },
    }
  },
}

const TOO_EARLY = ['date_too_early'] as const
export function planRangePage(
  { parameters, query }: ParsedQuery,
  secret: Uint8Array,
): { request: PageRequest; cursorQuery: CursorQuery } {
  const window = readBounds(query)
  assertNotTooEarly(parameters, query, window)
  const { venue } = parameters
  const { fromMs, toMs } = window
  const market = marketOf(parameters, query)
  const book = query.asset_id ?? null
  const cursorQuery: CursorQuery = { path: PATH, venue, market, book, fromMs, toMs }
  const after = positionOf(secret, cursorQuery, query.cursor)
  const limit = Number(query.limit ?? RAW_LIMIT.default)
  return { request: { venue, market, book, limit, scope: { fromMs, toMs, after } }, cursorQuery }
}

function assertNotTooEarly({ rawFromDate }: VenueParameters, query: QueryText, { fromMs }: TimeWindow): void {
  if (rawFromDate === null || fromMs >= dateStartMs(rawFromDate)) return
  const message = mustBe(`${dateStartMs(rawFromDate)} ms (${rawFromDate}) or later`, query.start_timestamp)
  throw parametersInvalid([{ field: 'start_timestamp', message }], 'date_too_early')
}
