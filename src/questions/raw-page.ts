// The answers of …/market/data and …/market/data/range: a page of records, each a venue message as captured.

import { type TProperties, Type } from '@sinclair/typebox'
import type { PageRequest } from '../../workers/requests.ts'
import type { TableFormat } from '../../workers/table/encode-table.ts'
import type { VenueParameters } from '../http/parameters/venue-parameters.ts'
import { choice, count, day, named, orNull, text, unixMs, whole } from '../openapi/field.ts'
import { assetIdField, cursorPaging, EXAMPLES, marketField, offsetPaging } from './market-fields.ts'

/** Sets the layout: records as a JSON array, or one per line. */
export const inLayout = (request: PageRequest, format: TableFormat): PageRequest =>
  format === 'ndjson' ? { ...request, layout: 'lines' } : request

const KINDS = ['snapshot', 'delta', 'trade', 'tick_size', 'gap', 'other'] as const

const kalshiFields: TProperties = {
  ticker: text('The market, in upper case', EXAMPLES.kalshi.book),
  sid: orNull(whole("The venue's number of the subscription; null without one", 1)),
  seq: orNull(whole("The venue's number of the message in its subscription; null without one", 7)),
}
const polymarketFields: TProperties = { asset_id: orNull(assetIdField) }

const record = ({ venue }: VenueParameters) =>
  named(venue === 'polymarket' ? 'PolymarketRecord' : 'KalshiRecord', 'One message about one book', {
    type: choice(KINDS, 'What the record is'),
    timestamp: unixMs('Event time, which never steps back within a market and date', 1784505603172),
    received_at: orNull(unixMs("The recorder's clock; null if the capture has none", 1784505603183)),
    ...(venue === 'polymarket' ? polymarketFields : kalshiFields),
    source: Type.Optional(text('The archive that the record is from; absent from your own records', 'pmxt-v2')),
    msg: Type.Object(
      {},
      { additionalProperties: true, description: "The venue's message, its numbers and texts as they were printed" },
    ),
  })

const data = (parameters: VenueParameters) =>
  Type.Array(record(parameters), { description: 'The records, by event time' })
const dataCount = count('Records in this page', 1)

/** The pagination fields appear twice, since clients exist for both forms. */
export const datePageAnswer = (parameters: VenueParameters) => {
  const paging = offsetPaging('Records of the date (and token)')
  return named(
    parameters.venue === 'polymarket' ? 'PolymarketDatePage' : 'KalshiDatePage',
    'A page of the records of one date',
    {
      ...marketField(parameters),
      date: day('The requested date'),
      data_count: dataCount,
      ...paging,
      pagination: Type.Object(paging, { description: 'The same four fields again' }),
      data: data(parameters),
    },
  )
}

export const rangePageAnswer = (parameters: VenueParameters) =>
  named(
    parameters.venue === 'polymarket' ? 'PolymarketRangePage' : 'KalshiRangePage',
    'A page of the records of a time range',
    {
      ...marketField(parameters),
      start_timestamp: unixMs('The first bound, inclusive', 1784505600000),
      end_timestamp: unixMs('The last bound, inclusive', 1784591999999),
      data_count: dataCount,
      ...cursorPaging,
      pagination: Type.Object(cursorPaging, { description: 'The same three fields again' }),
      data: data(parameters),
    },
  )

const kalshiRecord = {
  type: 'delta',
  timestamp: 1784505603172,
  received_at: 1784505603183,
  ticker: EXAMPLES.kalshi.book,
  sid: 1,
  seq: 7,
  msg: {
    market_ticker: EXAMPLES.kalshi.market,
    market_id: '2586d012-b8dc-4711-8b4e-3debe3d744c9',
    price_dollars: '0.4390',
    delta_fp: '25.00',
    side: 'yes',
    ts: '2026-07-20T00:00:03.172088Z',
    ts_ms: 1784505603172,
  },
}

const polymarketRecord = {
  type: 'trade',
  timestamp: 1784505603172,
  received_at: 1784505603183,
  asset_id: EXAMPLES.polymarket.book,
  msg: {
    event_type: 'last_trade_price',
    market: EXAMPLES.polymarket.market,
    asset_id: EXAMPLES.polymarket.book,
    price: '0.31',
    size: '42.5',
    side: 'BUY',
    timestamp: '1784505603172',
  },
}

const examplePage = (parameters: VenueParameters, scope: object, paging: object) => ({
  [parameters.idField]: EXAMPLES[parameters.venue].market,
  ...scope,
  data_count: 1,
  ...paging,
  pagination: paging,
  data: [parameters.venue === 'polymarket' ? polymarketRecord : kalshiRecord],
})

export const datePageExample = (parameters: VenueParameters) =>
  examplePage(parameters, { date: '2026-07-20' }, { offset: 6, limit: 1, total_count: 99376, has_more: true })

export const rangePageExample = (parameters: VenueParameters) =>
  examplePage(
    parameters,
    { start_timestamp: 1784505603000, end_timestamp: 1784505603999 },
    { limit: 1, has_more: true, next_cursor: '4boBylTFm9kAy1R5kbT3fFsiMjAyNi0wNy0yMCIsMiwxXQ' },
  )
