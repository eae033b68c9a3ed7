// Cursors of range pages. A cursor is a position with a tag over the position and the query it came from, so it cannot
// be changed, guessed, or used with another query. The limit is no part of the query: it may change between pages.
//
//   base64url( tag, 16 bytes | ["2026-08-10",1234,3] as JSON )     date, record number, revision

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Venue } from '../../storage/venue.ts'
import type { Position } from '../requests.ts'

const TAG_BYTES = 16

/** What a cursor is bound to. `book` is the asset filter, null for none; `path` is the endpoint's behind the venue. */
export type CursorQuery = {
  path: string
  venue: Venue
  market: string
  book: string | null
  fromMs: number
  toMs: number
}

export function encodeCursor(secret: Uint8Array, query: CursorQuery, { date, record, revision }: Position): string {
  const payload = Buffer.from(JSON.stringify([date, record, revision]))
  return Buffer.concat([tagOf(secret, query, payload), payload]).toString('base64url')
}

/** Undefined for what is no cursor of the query. */
export function decodeCursor(secret: Uint8Array, query: CursorQuery, cursor: string): Position | undefined {
  const bytes = Buffer.from(cursor, 'base64url')
  // Decoding skips what it does not know: only the one spelling that we write is a cursor.
  if (bytes.length <= TAG_BYTES || bytes.toString('base64url') !== cursor) return undefined
  const payload = bytes.subarray(TAG_BYTES)
  if (!timingSafeEqual(bytes.subarray(0, TAG_BYTES), tagOf(secret, query, payload))) return undefined
  const [date, record, revision] = JSON.parse(payload.toString()) as [string, number, number]
  return { date, record, revision }
}

function tagOf(secret: Uint8Array, query: CursorQuery, payload: Uint8Array): Buffer {
  const { path, venue, market, book, fromMs, toMs } = query
  const text = JSON.stringify(['range-cursor-2', path, venue, market, book, fromMs, toMs])
  return createHmac('sha256', secret).update(text).update('\0').update(payload).digest().subarray(0, TAG_BYTES)
}
