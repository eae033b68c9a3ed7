// Fields shared by answers about a market, and the markets of their examples, which are those of the demo.

import { type TProperties, Type } from '@sinclair/typebox'
import type { VenueParameters } from '../http/parameters/venue-parameters.ts'
import { count, flag, text } from '../openapi/field.ts'

/** A token of the demo of 2026-07-20. */
const ASSET = '101053254188447319522872887442983442373618745320910596389983414742954565898320'
export const EXAMPLES = {
  polymarket: { market: '0x2f76fb52ee6a1cff1c2c8d816dbe6c26c074f0a0deb07f19631f265ce2b8cea8', book: ASSET },
  kalshi: { market: 'KXDEMODAY-26JUL20-T50', book: 'KXDEMODAY-26JUL20-T50' },
} as const

export const assetIdField = text('The outcome token, decimal digits', ASSET)

/** The market field, under its venue's name. */
export const marketField = ({ venue, idField }: VenueParameters): TProperties =>
  venue === 'polymarket'
    ? { [idField]: text('The condition id, with 0x and in lower case', EXAMPLES.polymarket.market) }
    : { [idField]: text('The ticker, in upper case', EXAMPLES.kalshi.market) }

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

export const bookFieldOf = ({ venue }: VenueParameters) =>
  venue === 'polymarket' ? assetIdField : text('The market, in upper case', EXAMPLES.kalshi.book)

/** The meaning of each trust of a book. */
export const TRUST_WORDS =
  'established by a snapshot; observed: no snapshot so far, only levels that changes named; ' +
  'doubtful: within an inferred gap; lost: after a gap, until a snapshot'
