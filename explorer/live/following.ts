// Where a view goes that follows a market as it grows. Who looks elsewhere is left alone.

import type { Stretch } from '../state/view.ts'

type Place = Pick<Stretch, 'fromMs' | 'toMs' | 'atMs'>

/** What of a view follows, and where it was put last. */
export type Following = { span: boolean; cursor: boolean; put: Place }

/** Room to the right of the newest. */
const ROOM_SHARE = 0.04

/** A view that shows the newest, or all of the day, follows; so does a cursor that is not put anywhere else. */
export const followingOf = (place: Place, newestMs: number): Following => ({
  span: place.toMs === null || place.toMs >= newestMs,
  cursor: place.atMs === null || place.atMs >= newestMs,
  put: place,
})

/** After the reader may have moved it. */
export function noticed(following: Following, { fromMs, toMs, atMs }: Place, newestMs: number): Following {
  const { put } = following
  const hasMoved = fromMs !== put.fromMs || toMs !== put.toMs
  return {
    span: hasMoved ? toMs === null || toMs >= newestMs : following.span,
    cursor: atMs === put.atMs ? following.cursor : atMs === null,
    put: { fromMs, toMs, atMs },
  }
}

/** The place of a view once the market has grown. Where it shows all of the day, that grows by itself. */
export function followed({ span, cursor, put }: Following, newestMs: number): Place {
  const place = { ...put }
  if (cursor) place.atMs = newestMs
  if (span && put.fromMs !== null && put.toMs !== null) {
    const spanMs = put.toMs - put.fromMs
    const endMs = newestMs + Math.round(spanMs * ROOM_SHARE)
    if (endMs > put.toMs) {
      place.toMs = endMs
      place.fromMs = endMs - spanMs
    }
  }
  return place
}
