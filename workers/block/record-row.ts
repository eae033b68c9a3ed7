// One record on its way into a block: its bytes, where its values stand in them, and what was decided about it.

import type { MatchedMessage } from '../capture/matched-message.ts'
import type { MessageForm } from '../capture/message-form.ts'

export type RecordRow = {
  form: MessageForm
  bytes: Uint8Array
  match: MatchedMessage
  /** Number of the message within its capture. */
  message: number
  /** Event time (docs/time-and-order.md). */
  timeMs: number
  /** The recorder's clock; NaN where the capture has none. */
  receivedMs: number
  /** The venue's time in its full resolution, in microseconds; NaN where it gives none. */
  venueUs: number
  /** What the slots of the venue's and of the event time hold, where these were read as they are stored; else NaN. */
  venueInstantUs: number
  eventWholeMs: number
  /** Place of the book's id in `bytes`; start is -1 for a record of the whole market. */
  bookStart: number
  bookEnd: number
  /** Which text it is, where that is known (`MatchedMessage`); else 0. */
  bookText: number
}
