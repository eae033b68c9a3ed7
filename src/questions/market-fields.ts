// Fields shared by answers about a market. Their examples use the markets of the demo.

import { type TProperties, Type } from '@sinclair/typebox'
import { byVenue } from '../../storage/venue.ts'
import type { TimeWindow } from '../http/parameters/time-window.ts'
import { ASSET_ID, type VenueParameters } from '../http/parameters/venue-parameters.ts'
import { count, day, flag, orNull, text, whole } from '../openapi/field.ts'
import { API_VENUES, EXAMPLE_VENUE } from '../venues.ts'

export const EXAMPLES = byVenue((venue) => API_VENUES[venue].examples)
/** The market in examples of fields that all venues share. */
export const EXAMPLE_MARKET = EXAMPLES[EXAMPLE_VENUE].market

export const assetIdField = text('The outcome token, decimal digits', String(ASSET_ID.example))

/** The market field, under its venue's name. */
export const marketField = ({ idField, words, examples }: VenueParameters): TProperties => ({
  [idField]: text(words.market, examples.market),
})

/** The fields of the market and, where the venue has tokens, of the token. */
export const subjectFields = (parameters: VenueParameters): TProperties => ({
  ...marketField(parameters),
  ...(parameters.hasAssets ? { asset_id: assetIdField } : {}),
})

export const windowFields = {
  date: orNull(day('The requested date; null with bounds')),
  start_timestamp: Type.Optional(whole('Only with bounds: the first, in s if both were in s, else in ms', 1784548800)),
  end_timestamp: Type.Optional(whole('Only with bounds: the last, in the same unit', 1784548809)),
}

/** The first fields of an answer about one book, or about a market if `book` is null. */
export const subjectOf = (
  { idField, hasAssets }: VenueParameters,
  { market, book }: { market: string; book: string | null },
  { date, given }: TimeWindow,
): Record<string, unknown> => ({
  [idField]: market,
  ...(hasAssets && book !== null ? { asset_id: book } : {}),
  date,
  ...(given ? { start_timestamp: given.start, end_timestamp: given.end } : {}),
})

const limitField = count('Maximum number of entries in a page, as requested', 3)
const hasMoreField = flag('Whether there is a page after this one', true)

export const offsetPaging = (what: string) => ({
  offset: count(`${what} skipped before this page`, 0),
  limit: limitField,
  total_count: count(`${what} in all pages together`, 99376),
  has_more: hasMoreField,
})

export const cursorPaging = {
  limit: limitField,
  has_more: hasMoreField,
  next_cursor: Type.Unsafe<string | null>({
    type: 'string',
    nullable: true,
    description: 'The cursor of the next page; null on the last',
    example: '4boBylTFm9kAy1R5kbT3fFsiMjAyNi0wNy0yMCIsMiwxXQ',
  }),
}

/** Converts 1e-6 contracts to contracts, as the nearest double. */
export const contractsOf = (micros: bigint): number => Number(`${micros}e-6`)

export const bookFieldOf = ({ words, examples }: VenueParameters) => text(words.book, examples.book)

/** The meaning of each trust of a book. */
export const TRUST_WORDS =
  'established by a snapshot; observed: no snapshot so far, only levels that changes named; ' +
  'doubtful: within an inferred gap; lost: after a gap, until a snapshot'
