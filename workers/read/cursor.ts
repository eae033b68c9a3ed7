// Cursors of range pages. A cursor is a position, sealed for the query it came from. The limit is not part of the query
// and may change between pages.
//
//   ["2026-08-10",1234,3]     date, record number, revision

import type { Venue } from '../../storage/venue.ts'
import { openedText, sealedText } from '../bytes/sealed-text.ts'
import type { Position } from '../requests.ts'

/** The query that a cursor is valid for. `book` is the asset filter, null for none; `path` is the endpoint's path after
 *  the venue. */
export type CursorQuery = {
  path: string
  venue: Venue
  market: string
  book: string | null
  fromMs: number
  toMs: number
}

export const encodeCursor = (secret: Uint8Array, query: CursorQuery, { date, record, revision }: Position): string =>
  sealedText(secret, purposeOf(query), JSON.stringify([date, record, revision]))

/** Returns the position; undefined if this is not a cursor of the query. */
export function decodeCursor(secret: Uint8Array, query: CursorQuery, cursor: string): Position | undefined {
  const opened = openedText(secret, purposeOf(query), cursor)
  if (opened === undefined) return undefined
  const [date, record, revision] = JSON.parse(opened) as [string, number, number]
  return { date, record, revision }
}

const purposeOf = ({ path, venue, market, book, fromMs, toMs }: CursorQuery) =>
  ['range-cursor-2', path, venue, market, book, fromMs, toMs] as const
