// Decodes the cursor of a request.

import { openedText } from '../../../workers/bytes/sealed-text.ts'
import { type CursorQuery, decodeCursor } from '../../../workers/read/cursor.ts'
import type { Position } from '../../../workers/requests.ts'
import { RequestFailure } from '../server/request-failure.ts'

/** Returns the position of a cursor; null without a cursor. Throws RequestFailure if the cursor is invalid. */
export function positionOf(secret: Uint8Array, query: CursorQuery, cursor: string | undefined): Position | null {
  if (cursor === undefined) return null
  const position = decodeCursor(secret, query, cursor)
  if (position !== undefined) return position
  throw cursorInvalid()
}

/** Returns the text sealed for this purpose; null without a cursor. Throws RequestFailure for an invalid cursor. */
export function cursorText(secret: Uint8Array, purpose: readonly unknown[], cursor: string | undefined): string | null {
  if (cursor === undefined) return null
  const text = openedText(secret, purpose, cursor)
  if (text !== undefined) return text
  throw cursorInvalid()
}

function cursorInvalid(): RequestFailure {
  const message = 'must be the next_cursor of a page of the same query; this one is damaged or from another query'
  return new RequestFailure('cursor_invalid', `cursor ${message}`, { errors: [{ field: 'cursor', message }] })
}
