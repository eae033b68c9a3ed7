// Fields shared by answers about a market. Their examples use the markets of the demo.

import { type TProperties, Type } from '@sinclair/typebox'
import { byVenue } from '../../storage/venue.ts'
import { ASSET_ID, type VenueParameters } from '../http/parameters/venue-parameters.ts'
import { count, flag, text } from '../openapi/field.ts'
import { API_VENUES, EXAMPLE_VENUE } from '../venues.ts'

export const EXAMPLES = byVenue((venue) => API_VENUES[venue].examples)
/** The market of examples that could be of any venue. */
export const EXAMPLE_MARKET = EXAMPLES[EXAMPLE_VENUE].market

export const assetIdField = text('The outcome token, decimal digits', String(ASSET_ID.example))

/** The market field, under its venue's name. */
export const marketField = ({ idField, words, examples }: VenueParameters): TProperties => ({
  [idField]: text(words.market, examples.market),
})

const limitField = count('Most entries in a page, as requested', 3)
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
