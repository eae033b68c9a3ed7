// The venues, by the names that they have in paths, keys and answers.

import type { Identity } from './venues/identity.ts'
import { KALSHI } from './venues/kalshi.ts'
import { POLYMARKET } from './venues/polymarket.ts'

const identities = { polymarket: POLYMARKET, kalshi: KALSHI }

export type Venue = keyof typeof identities
export const VENUES = Object.keys(identities) as readonly Venue[]
export const IDENTITIES: Readonly<Record<Venue, Identity>> = identities

/** Returns a value for each venue. */
export const byVenue = <T>(of: (venue: Venue) => T): Record<Venue, T> =>
  Object.fromEntries(VENUES.map((venue) => [venue, of(venue)])) as Record<Venue, T>

/** Returns the only book of a market; undefined at a venue whose markets have a book for each outcome. */
export const onlyBook = ({ venue, market }: { venue: Venue; market: string }): string | undefined =>
  IDENTITIES[venue].hasAssets ? undefined : market

/** Returns the field that names a book in records and answers. `book` is null if a message is about all outcomes. */
export const bookFields = <Book extends string | null>(
  of: { venue: Venue; market: string },
  book: Book,
): Record<string, Book | string> => ({ [IDENTITIES[of.venue].bookField]: onlyBook(of) ?? book })
