// Where a connection writes what it hears. Segments on disk do this for the recorder, arrays in tests.

import type { Venue } from '../../../storage/venue.ts'
import type { BookId, GapReason, Loss } from './venue-protocol.ts'

/** What was not heard of a book: times in Unix ms. The form of a gap in a capture is made of it. */
export type Gap = {
  venue: Venue
  /** Condition id, or ticker. */
  market: string
  /** Of Polymarket. */
  assetId: BookId | null
  reason: GapReason
  from: number
  to: number
  connection: string
  scope: Loss['scope']
  expected?: number
  got?: number
  closedBy: 'snapshot' | 'rest_book' | 'same_hash' | 'end'
  closedSeq?: number
  closedHash?: string
}

/** One segment that is being written. */
export interface SegmentOutput {
  /** A text frame. `recvNs` is Unix nanoseconds, null where a replay does not tell it. */
  frame(text: string, recvNs: bigint | null, monoNs: bigint): void
  /** A body of REST; `ticker` where it does not name its market. */
  rest(body: string, recvNs: bigint, ticker?: string): void
  gap(gap: Gap): void
  /** A line that is no message: `command`, `state`, `overflow`, `audit`. */
  control(kind: string, fields: Record<string, unknown>): void
}
