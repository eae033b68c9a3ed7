// Decides where a view moves as its market grows. The view does not move while the reader looks at another time.

import type { Stretch } from '../state/view.ts'

type Place = Pick<Stretch, 'fromMs' | 'toMs' | 'atMs'>

/** `span` and `cursor`: whether these parts of a view follow the market. `put` is the place to which the view was last
 *  moved. */
export type Following = { span: boolean; cursor: boolean; put: Place }

/** Room to the right of the newest record, as a share of the span. */
const ROOM_SHARE = 0.04

/** Returns which parts of a view follow the market. The span does if it includes the newest record or is the whole day.
 *  The cursor does if it is unset or at the newest record or later. */
export const followingOf = (place: Place, newestMs: number): Following => ({
  span: place.toMs === null || place.toMs >= newestMs,
  cursor: place.atMs === null || place.atMs >= newestMs,
  put: place,
})

/** Updates `following` after the reader may have moved the view. */
export function noticed(following: Following, { fromMs, toMs, atMs }: Place, newestMs: number): Following {
  const { put } = following
  const hasMoved = fromMs !== put.fromMs || toMs !== put.toMs
  return {
    span: hasMoved ? toMs === null || toMs >= newestMs : following.span,
    cursor: atMs === put.atMs ? following.cursor : atMs === null,
    put: { fromMs, toMs, atMs },
  }
}

/** Returns the place of a view after the market has grown. A view of the whole day grows by itself. */
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
