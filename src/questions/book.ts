// GET …/market/book: one book at an instant, or after a record.

import { Type } from '@sinclair/typebox'
import type { Catalogue } from '../../storage/catalogue.ts'
import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import { type BookRequest, bookTask } from '../../workers/tasks/book.ts'
import { TRUSTS } from '../../workers/trust/trust-steps.ts'
import { moment, momentMs } from '../http/parameters/moment.ts'
import { mustBe, wholeNumber } from '../http/parameters/parameter.ts'
import { marketOf, type VenueParameters } from '../http/parameters/venue-parameters.ts'
import { parametersInvalid } from '../http/server/request-failure.ts'
import { amount, choice, count, day, flag, named, orNull, unixMs } from '../openapi/field.ts'
import { subjectFields, TRUST_WORDS } from './market-fields.ts'
import type { ParsedQuery, RecordsQuestion } from './question.ts'
import { tradeFields } from './trades.ts'

const DEPTH_MAX = 10_000

export const RECORD_PLACE = wholeNumber(
  { min: 0, max: Number.MAX_SAFE_INTEGER },
  { description: 'The place of a record in the date: its `offset` in raw data without `asset_id`' },
)

const own = {
  timestamp: moment('The instant; now by default', {}),
  record: RECORD_PLACE,
  depth: wholeNumber({ min: 1, max: DEPTH_MAX }, { description: 'Levels of a side, at most; all by default' }),
}
type Own = keyof typeof own

export const book: RecordsQuestion<Own> = {
  kind: 'records',
  path: '/market/book',
  parameters: ({ hasAssets }) => ({
    required: hasAssets ? ['market', 'asset_id'] : ['market'],
    optional: ['timestamp', 'date', 'record', 'depth'],
    own,
  }),
  about: (venue) => ({
    id: `${venue.venue}Book`,
    summary: 'One book at an instant',
    description:
      'Every record of the book up to `timestamp`, or up to the record at a place of a `date`, is applied. If ' +
      'nothing is stored of that day, it is the closing book of the latest stored day before: `as_of` has the time of ' +
      'its last record.',
    answer: () => ({
      description: 'The book; empty and of trust `unknown` if it has no record by then',
      schema: schema(venue),
    }),
  }),
  async plan(parsed, _secret, catalogue) {
    const request = planBook(parsed)
    const { market, at, depth } = request
    if ('date' in at) await assertRecord(catalogue, request, at)
    const toMs = 'ms' in at ? at.ms : dateStartMs(at.date) + DAY_MS - 1
    return {
      market,
      // The book depends on all earlier days.
      fromMs: 0,
      toMs,
      identity: [request.book, at, depth],
      isCacheable: false,
      answer: async (workers) => ({ envelope: null, data: (await workers.ask(bookTask, request)).data }),
    }
  },
}

function planBook({ parameters, query, nowMs }: ParsedQuery<Own>): BookRequest {
  const market = marketOf(parameters, query)
  const { asset_id: asset } = query
  return {
    venue: parameters.venue,
    market,
    book: asset ?? market,
    at: instantOf(query, nowMs),
    depth: Number(query.depth ?? Number.MAX_SAFE_INTEGER),
    subject: { [parameters.idField]: market, ...(asset === undefined ? {} : { asset_id: asset }) },
  }
}

/** Returns the instant: `timestamp`, or `date` with `record`; the current time if none is given. */
function instantOf({ timestamp, date, record }: ParsedQuery<Own>['query'], nowMs: number): BookRequest['at'] {
  const refuse = (field: string, message: string) => parametersInvalid([{ field, message }])
  if (timestamp !== undefined && date !== undefined) throw refuse('timestamp', 'cannot be combined with date')
  if (timestamp !== undefined && record !== undefined) throw refuse('timestamp', 'cannot be combined with record')
  if (date !== undefined && record === undefined) throw refuse('record', 'is required with date')
  if (date === undefined && record !== undefined) throw refuse('date', 'is required with record')
  if (date !== undefined) return { date, record: Number(record) }
  return { ms: timestamp === undefined ? nowMs : momentMs(timestamp) }
}

/** Throws if the date has no such record. A market that is not stored is reported elsewhere, with its own error. */
async function assertRecord(
  catalogue: Pick<Catalogue, 'head' | 'market'>,
  { venue, market }: BookRequest,
  { date, record }: { date: string; record: number },
): Promise<void> {
  const head = await catalogue.head({ venue, market, date })
  if (head !== undefined && record < head.recordCount) return
  if ((await catalogue.market(venue, market)) === undefined) return
  const records = head === undefined ? `of a stored date: ${date} has none` : `of ${date}, 0 to ${head.recordCount - 1}`
  throw parametersInvalid([{ field: 'record', message: mustBe(`a record ${records}`, String(record)) }])
}

const level = Type.Array(Type.Number(), { minItems: 2, maxItems: 2, description: '[price in dollars, contracts]' })

const schema = (parameters: VenueParameters) =>
  named(`${parameters.label}Book`, 'A book at an instant', {
    ...subjectFields(parameters),
    timestamp: unixMs('The instant, or the event time of the requested record', 1784548800000),
    as_of: orNull(unixMs('Event time of the last record of the book', 1784548799853)),
    date: orNull(day('The date of that record')),
    record: orNull(count('Its place in that date', 49_870)),
    trust: choice([...TRUSTS, 'unknown'] as const, `${TRUST_WORDS}; unknown: no record`),
    bids: Type.Array(level, { description: 'The highest first' }),
    asks: Type.Array(level, { description: 'The lowest first' }),
    last_trade: orNull(
      Type.Object(tradeFields(parameters), { description: 'The last trade of the book; null without one' }),
    ),
    tick_size: orNull(amount('Step of prices, as the venue stated it last, dollars; null on Kalshi', 0.001)),
    verified: orNull(
      flag(
        "Whether the venue's hash of exactly this state agrees; null without one, if not established, and on Kalshi",
        true,
      ),
    ),
  })
