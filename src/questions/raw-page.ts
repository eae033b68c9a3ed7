// The answers of …/market/data and …/market/data/range: a page of records, each a venue message as captured.

import { type TProperties, Type } from '@sinclair/typebox'
import type { PageRequest } from '../../workers/requests.ts'
import type { TableFormat } from '../../workers/table/encode-table.ts'
import type { VenueParameters } from '../http/parameters/venue-parameters.ts'
import { choice, count, day, named, orNull, text, unixMs, whole } from '../openapi/field.ts'
import { bookFieldOf, cursorPaging, marketField, offsetPaging } from './market-fields.ts'

/** Sets the layout: records as a JSON array, or one per line. */
export const inLayout = (request: PageRequest, format: TableFormat): PageRequest =>
  format === 'ndjson' ? { ...request, layout: 'lines' } : request

const KINDS = ['snapshot', 'delta', 'trade', 'tick_size', 'gap', 'other'] as const

const SEQUENCE: TProperties = {
  sid: orNull(whole("The venue's number of the subscription; null without one", 1)),
  seq: orNull(whole("The venue's number of the message in its subscription; null without one", 7)),
}

const record = (parameters: VenueParameters) =>
  named(`${parameters.label}Record`, 'One message about one book', {
    type: choice(KINDS, 'What the record is'),
    timestamp: unixMs('Event time, which never steps back within a market and date', 1784505603172),
    received_at: orNull(unixMs("The recorder's clock; null if the capture has none", 1784505603183)),
    [parameters.bookField]: parameters.hasAssets ? orNull(bookFieldOf(parameters)) : bookFieldOf(parameters),
    ...(parameters.hasSequence ? SEQUENCE : {}),
    source: Type.Optional(text('The archive that the record is from; absent from your own records', 'pmxt-v2')),
    msg: Type.Object(
      {},
      { additionalProperties: true, description: "The venue's message, its numbers and texts as they were printed" },
    ),
  })

const data = (parameters: VenueParameters) =>
  Type.Array(record(parameters), { description: 'The records, by event time' })
const dataCount = count('Records in this page', 1)

/** Documents a page of the records of a date. The page has the pagination fields twice, at the top and in `pagination`,
 *  since clients exist for both forms. */
export const datePageAnswer = (parameters: VenueParameters) => {
  const paging = offsetPaging('Records of the date (and token)')
  return named(`${parameters.label}DatePage`, 'A page of the records of one date', {
    ...marketField(parameters),
    date: day('The requested date'),
    data_count: dataCount,
    ...paging,
    pagination: Type.Object(paging, { description: 'The same four fields again' }),
    data: data(parameters),
  })
}

export const rangePageAnswer = (parameters: VenueParameters) =>
  named(`${parameters.label}RangePage`, 'A page of the records of a time range', {
    ...marketField(parameters),
    start_timestamp: unixMs('The first bound, inclusive', 1784505600000),
    end_timestamp: unixMs('The last bound, inclusive', 1784591999999),
    data_count: dataCount,
    ...cursorPaging,
    pagination: Type.Object(cursorPaging, { description: 'The same three fields again' }),
    data: data(parameters),
  })
