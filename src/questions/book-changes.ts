// GET …/market/book/changes: the levels that the records of one book change, over a window or from a record on.

import { Type } from '@sinclair/typebox'
import { type ChangesRequest, changeColumns } from '../../workers/changes/table-of-changes.ts'
import { bookChangesTask } from '../../workers/tasks/book-changes.ts'
import { NOTED_TRUSTS } from '../../workers/trust/trust-steps.ts'
import { wholeNumber } from '../http/parameters/parameter.ts'
import { readWindow } from '../http/parameters/time-window.ts'
import { marketOf, type VenueParameters } from '../http/parameters/venue-parameters.ts'
import { parametersInvalid } from '../http/server/request-failure.ts'
import { amount, choice, count, flag, named, orNull, unixMs } from '../openapi/field.ts'
import { RECORD_PLACE } from './book.ts'
import { ROW_FORMATS } from './format-parameters.ts'
import { subjectFields, subjectOf, TRUST_WORDS, windowFields } from './market-fields.ts'
import type { ParsedQuery, RecordsQuestion } from './question.ts'

const LIMIT = { default: 16_384, max: 100_000 }

const own = {
  record: RECORD_PLACE,
  limit: wholeNumber(
    { min: 1, max: LIMIT.max },
    { description: `Records of the date from \`record\` on, counted over all books; ${LIMIT.default} by default` },
  ),
}
type Own = keyof typeof own

export const bookChanges: RecordsQuestion<Own> = {
  kind: 'records',
  formats: ROW_FORMATS,
  path: '/market/book/changes',
  parameters: ({ hasAssets }) => ({
    required: hasAssets ? ['market', 'asset_id'] : ['market'],
    optional: ['date', 'record', 'limit', 'start_timestamp', 'end_timestamp', 'trust'],
    own,
  }),
  about: (venue) => ({
    id: `${venue.venue}BookChanges`,
    summary: 'The levels that each record of a book changes',
    description:
      'Give `start_timestamp` with `end_timestamp`, or `date`: then `limit` records of it from `record` on are read. ' +
      'A snapshot has rows for the levels that it changes. A gap has rows for the levels that it removes, or one row ' +
      'without a level if it removes none. Setting each level to `after` turns the book before the record into the ' +
      'book after it. Setting the levels to `before` in reverse order undoes that.',
    answer: () => ({
      description: 'The changes; none if nothing is stored of that time',
      schema: schema(venue),
    }),
  }),
  plan(parsed) {
    const { request, subject, fromMs, toMs } = planChanges(parsed)
    return {
      market: request.market,
      fromMs,
      toMs,
      // The first changes start from the book of an earlier day, so the answer depends on all earlier days.
      taggedFromMs: 0,
      identity: [request, subject],
      isCacheable: false,
      columns: changeColumns(request),
      async answer(workers, encoding) {
        const written = { ...encoding, metadata: subject }
        const { hasMore, data } = await workers.ask(bookChangesTask, { ...request, encoding: written })
        return { envelope: hasMore === null ? subject : { ...subject, has_more: hasMore }, data }
      },
    }
  },
}

type Planned = { request: ChangesRequest; subject: Record<string, unknown>; fromMs: number; toMs: number }

/** `subject` holds every field before `has_more` and `data`. */
function planChanges({ parameters, query }: ParsedQuery<Own>): Planned {
  const { venue } = parameters
  const market = marketOf(parameters, query)
  const { asset_id: asset, date, record, limit, trust } = query
  if (date === undefined) {
    for (const [field, value] of Object.entries({ record, limit })) {
      if (value !== undefined) throw parametersInvalid([{ field, message: 'needs date: bounds return all changes' }])
    }
  }
  const window = readWindow(query)
  const { fromMs, toMs } = window
  const places = { record: Number(record ?? 0), limit: Number(limit ?? LIMIT.default) }
  const scope = date === undefined ? { fromMs, toMs } : { date, ...places }
  const request = { venue, market, book: asset ?? market, scope, trust: trust?.split(',') }
  const subject = { ...subjectOf(parameters, request, window), ...(date === undefined ? {} : places) }
  return { request, subject, fromMs, toMs }
}

const change = named('BookChange', 'A level that a record of the book changes', {
  timestamp: unixMs('Event time of the record', 1784505603172),
  record: orNull(
    count(
      'Its place in its date: its `offset` in raw data without `asset_id`; null if another source is shown from here on',
      6,
    ),
  ),
  kind: choice(['level', 'snapshot', 'gap'] as const, 'The type of the record: level is a change'),
  side: orNull(choice(['bid', 'ask'] as const, 'Null in the row of a gap that removes no level')),
  price: orNull(amount('Dollars', 0.439)),
  before: orNull(amount('Contracts before the record; 0 if the level did not exist', 0)),
  after: orNull(amount('Contracts after it; 0 if the level is gone', 25)),
  trust: choice(
    NOTED_TRUSTS,
    `Trust of the book after all records of that ms: ${TRUST_WORDS}; unknown: the source shown from then on lacks the book`,
  ),
})

const schema = (parameters: VenueParameters) =>
  named(`${parameters.label}BookChanges`, 'The changes of one book', {
    ...subjectFields(parameters),
    ...windowFields,
    record: Type.Optional(count('Only with date: the first record, counted over all books', 6)),
    limit: Type.Optional(count('Only with date: number of records', 1)),
    has_more: Type.Optional(flag('Only with date: whether records follow; for them, raise `record` by `limit`', true)),
    data: Type.Array(change, {
      description: 'In stored order; within a record bids first, then asks, each with the best first',
    }),
  })
