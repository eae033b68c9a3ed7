// The query parameters and the path that identify a book in a request.

import type { BookId } from '../state/view.ts'
import { SHOWN } from '../venues.ts'

/** Parameters of a request. Null and undefined ones are omitted. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

/** The parameters of a market. */
export const marketQuery = ({ venue, market }: BookId): Query => ({ [SHOWN[venue].idParameter]: market })

/** The parameters of a book. Where a market has one book, its sides Yes and No share it. */
export const bookQuery = (book: BookId): Query =>
  book.asset === null || !SHOWN[book.venue].hasAssets
    ? marketQuery(book)
    : { ...marketQuery(book), asset_id: book.asset }

/** Returns the path of an endpoint about one market. `path` is the part after `market/`. */
export const marketPath = ({ venue }: BookId, path: string): string => `/${venue}/market/${path}`

/** Returns a text that identifies a book, for cache keys. */
export const bookText = ({ venue, market, asset }: BookId): string => `${venue} ${market} ${asset ?? ''}`

/** Returns whether a name that starts with `start` and a date has the date of the instant `sinceMs`, or a later one. */
export const isSince = (name: string, start: string, sinceMs: number): boolean =>
  name.startsWith(start) && name.slice(start.length, start.length + 10) >= new Date(sinceMs).toISOString().slice(0, 10)
