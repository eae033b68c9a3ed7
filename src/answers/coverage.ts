// What …/market/coverage answers: each stored date, and how far it can be relied upon.

import { Type } from '@sinclair/typebox'
import type { VenueParameters } from '../http/parameters/venue-parameters.ts'
import { choice, count, day, flag, named, orNull, text, unixMs } from '../openapi/field.ts'
import { assetIdField, EXAMPLES, marketField } from './market-fields.ts'

const STARTS = ['snapshot', 'opening_book', 'neither'] as const

const bookFieldOf = ({ venue }: VenueParameters) =>
  venue === 'polymarket' ? assetIdField : text('The market, in upper case', EXAMPLES.kalshi.book)

const bookCoverage = (parameters: VenueParameters) =>
  named(parameters.hasAssets ? 'PolymarketBookCoverage' : 'KalshiBookCoverage', 'One book on one date', {
    [parameters.bookField]: bookFieldOf(parameters),
    record_count: count('Records about the book; 0 where it is only carried from an earlier date', 99376),
    quote_count: count('Quotes of the book', 93412),
    first_quote_timestamp: orNull(unixMs('Of the first quote, null without one')),
    last_quote_timestamp: orNull(unixMs('Of the last quote, null without one', 1784591999818)),
    starts_from: choice(STARTS, 'What the book is known from on that date'),
    snapshot_count: count('Snapshots of the book', 1),
  })

const gap = (parameters: VenueParameters) =>
  named(parameters.hasAssets ? 'PolymarketGap' : 'KalshiGap', 'A stretch that the recorder knows it missed', {
    [parameters.bookField]: orNull(bookFieldOf(parameters)),
    reason: text('Why, in the words of the recorder', 'reconnect'),
    from: orNull(unixMs('From when', 1784541670000)),
    to: orNull(unixMs('Until when', 1784541840000)),
    timestamp: unixMs('Event time of the gap, from which on the book is empty until its next snapshot', 1784541670000),
  })

const incident = named('Incident', 'A known incident of the archives', {
  name: text('Its name', 'capture_gap_windows'),
  from: day('The first date that it touches', '2026-04-01'),
  to: day('The last date that it touches', '2026-04-30'),
  note: text('What it means for the data', 'windows were not captured, at times that are not known'),
})

const dateCoverage = (parameters: VenueParameters) =>
  named(parameters.hasAssets ? 'PolymarketDateCoverage' : 'KalshiDateCoverage', 'One stored date', {
    date: day('The date'),
    record_count: count('Records of the date', 99376),
    quote_count: count('Quotes of all its books together', 93412),
    first_timestamp: unixMs('Event time of the first record'),
    last_timestamp: unixMs('Event time of the last record', 1784591999818),
    starts_from: choice(STARTS, 'The least sure start of its books'),
    books: Type.Array(bookCoverage(parameters), { description: 'An entry a book' }),
    gaps: Type.Array(gap(parameters), { description: 'Gap records of the date' }),
    incidents: Type.Array(incident, { description: 'Known incidents of the archives that touch the date' }),
  })

export const coverageAnswer = (parameters: VenueParameters) =>
  named(parameters.hasAssets ? 'PolymarketCoverage' : 'KalshiCoverage', 'What is stored of a market, date by date', {
    ...marketField(parameters),
    has_data: flag('Whether anything is stored of the market', true),
    ...(parameters.hasAssets
      ? { asset_ids: Type.Array(Type.String(), { description: 'The outcome tokens of all stored dates' }) }
      : {}),
    dates: Type.Array(dateCoverage(parameters), { description: 'Every stored date, ascending' }),
  })

export const coverageExample = ({ idField, bookField, hasAssets, venue }: VenueParameters) => {
  const counts = { record_count: 99376, quote_count: 93412 }
  return {
    [idField]: EXAMPLES[venue].market,
    has_data: true,
    ...(hasAssets ? { asset_ids: [EXAMPLES[venue].book] } : {}),
    dates: [
      {
        date: '2026-07-20',
        ...counts,
        first_timestamp: 1784505600320,
        last_timestamp: 1784591999818,
        starts_from: 'snapshot',
        books: [
          {
            [bookField]: EXAMPLES[venue].book,
            ...counts,
            first_quote_timestamp: 1784505600320,
            last_quote_timestamp: 1784591999818,
            starts_from: 'snapshot',
            snapshot_count: 1,
          },
        ],
        gaps: [],
        incidents: [],
      },
    ],
  }
}
