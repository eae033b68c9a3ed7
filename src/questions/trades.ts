// GET …/market/trades: the trades of a market over a day or window, page by page with cursors.

import { type TProperties, Type } from '@sinclair/typebox'
import type { TradesRequest } from '../../workers/requests.ts'
import { TRADES_PATH, tradesTask } from '../../workers/tasks/trades.ts'
import { tradesColumns } from '../../workers/trades/trades-table.ts'
import { positionOf } from '../http/parameters/cursor.ts'
import { wholeNumber } from '../http/parameters/parameter.ts'
import { readWindow, type TimeWindow } from '../http/parameters/time-window.ts'
import { marketOf, RAW_LIMIT, type VenueParameters } from '../http/parameters/venue-parameters.ts'
import { amount, choice, count, named, orNull, text, unixMs, whole } from '../openapi/field.ts'
import { ROW_FORMATS } from './format-parameters.ts'
import { assetIdField, bookFieldOf, cursorPaging, marketField, subjectOf, windowFields } from './market-fields.ts'
import type { ParsedQuery, RecordsQuestion } from './question.ts'

const LIMIT = wholeNumber(
  { min: 1, max: RAW_LIMIT.max },
  { unlessGiven: RAW_LIMIT.default, description: 'Trades in a page, at most' },
)

export const trades: RecordsQuestion = {
  kind: 'records',
  formats: ROW_FORMATS,
  path: TRADES_PATH,
  isBillable: true,
  parameters: ({ hasAssets }) => ({
    required: ['market'],
    optional: [
      ...(hasAssets ? (['asset_id'] as const) : []),
      ...(['date', 'start_timestamp', 'end_timestamp', 'limit', 'cursor'] as const),
    ],
    own: { limit: LIMIT },
  }),
  about: (venue) => ({
    id: `${venue.venue}Trades`,
    summary: 'Trades of a day or window, page by page with cursors',
    description:
      'Give `date`, or `start_timestamp` with `end_timestamp`. Repeat the query with `cursor` set to `next_cursor` ' +
      'until that is null; only `limit` and the format may change. Prices are dollars (0 to 1), sizes contracts. ' +
      'A trade whose price or size cannot be read is not listed: the raw records have it.',
    answer: () => ({
      description: 'A page; empty if nothing was traded',
      schema: schema(venue),
    }),
    failures: ['cursor_invalid', 'cursor_stale'],
  }),
  plan(parsed, secret) {
    const { request, window } = planTrades(parsed, secret)
    const { market, limit, fromMs, toMs } = request
    return {
      market,
      fromMs,
      toMs,
      identity: [request, window.date, window.given],
      isCacheable: false,
      columns: tradesColumns(request),
      async answer(workers, encoding) {
        const metadata = { ...subjectOf(parsed.parameters, request, window), limit }
        const { dataCount, nextCursor, data } = await workers.ask(tradesTask, {
          ...request,
          encoding: { ...encoding, metadata },
        })
        const page = { data_count: dataCount, has_more: nextCursor !== null, next_cursor: nextCursor }
        return { envelope: { ...metadata, ...page }, data }
      },
    }
  },
}

function planTrades(
  { parameters, query }: ParsedQuery,
  secret: Uint8Array,
): { request: TradesRequest; window: TimeWindow } {
  const window = readWindow(query)
  const { venue } = parameters
  const { fromMs, toMs } = window
  const market = marketOf(parameters, query)
  const book = query.asset_id ?? null
  const after = positionOf(secret, { path: TRADES_PATH, venue, market, book, fromMs, toMs }, query.cursor)
  const limit = Number(query.limit ?? RAW_LIMIT.default)
  return { request: { venue, market, book, fromMs, toMs, after, limit }, window }
}

export const tradeFields = (parameters: VenueParameters): TProperties => ({
  timestamp: unixMs('Event time, which never steps back within a market and date', 1784505627283),
  [parameters.bookField]: parameters.hasAssets ? orNull(bookFieldOf(parameters)) : bookFieldOf(parameters),
  price: amount(parameters.words.price, 0.439),
  size: amount('Contracts', 3.75),
  side: orNull(choice(['buy', 'sell'], parameters.words.side)),
  trade_id: orNull(text(parameters.words.tradeId, parameters.examples.tradeId)),
  record: orNull(
    whole(
      'Its place in the date: the `offset` of the raw record without a token; null if the date does not show the record',
      19,
    ),
  ),
})

const trade = (parameters: VenueParameters) =>
  named(`${parameters.label}Trade`, 'One trade of the venue', tradeFields(parameters))

const schema = (parameters: VenueParameters) =>
  named(`${parameters.label}Trades`, 'A page of the trades of a market', {
    ...marketField(parameters),
    ...(parameters.hasAssets ? { asset_id: Type.Optional(assetIdField) } : {}),
    ...windowFields,
    limit: cursorPaging.limit,
    data_count: count('Trades in this page', 1),
    has_more: cursorPaging.has_more,
    next_cursor: cursorPaging.next_cursor,
    data: Type.Array(trade(parameters), { description: 'The trades, as stored: by event time' }),
  })
