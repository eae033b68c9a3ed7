// The position that a request's cursor stands for.

import { type CursorQuery, decodeCursor } from '../../../workers/read/cursor.ts'
import type { Position } from '../../../workers/requests.ts'
import { RequestFailure } from '../server/request-failure.ts'

/** Null where no cursor is given. Throws RequestFailure. */
export function positionOf(secret: Uint8Array, query: CursorQuery, cursor: string | undefined): Position | null {
  if (cursor === undefined) return null
  const position = decodeCursor(secret, query, cursor)
  if (position !== undefined) return position
  const message = 'must be the next_cursor of a page of the same query; this one is damaged or from another query'
  throw new RequestFailure('cursor_invalid', `cursor ${message}`, { errors: [{ field: 'cursor', message }] })
}
