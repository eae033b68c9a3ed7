// How a book is named in questions about it.

import type { BookId } from '../state/view.ts'

/** Parameters of a request. Those that are null or undefined are left out. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

/** The parameters of a market. */
export const marketQuery = ({ venue, market }: BookId): Query =>
  venue === 'kalshi' ? { ticker: market } : { condition_id: market }

/** The parameters of a book. Both sides of a market of Kalshi are one. */
export const bookQuery = (book: BookId): Query =>
  book.asset === null || book.venue === 'kalshi' ? marketQuery(book) : { ...marketQuery(book), asset_id: book.asset }

/** Returns the path of an endpoint about one market. `path` is the part after `market/`. */
export const marketPath = ({ venue }: BookId, path: string): string => `/${venue}/market/${path}`

/** One text for one book, for keys of caches. */
export const bookText = ({ venue, market, asset }: BookId): string => `${venue} ${market} ${asset ?? ''}`

/** Of names that begin with `start` and a date: whether it is the date of an instant, or a later one. */
export const isSince = (name: string, start: string, sinceMs: number): boolean =>
  name.startsWith(start) && name.slice(start.length, start.length + 10) >= new Date(sinceMs).toISOString().slice(0, 10)
