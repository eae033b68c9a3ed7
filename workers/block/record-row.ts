// One record before it enters a block: its bytes, where its values are in them, and what was decided about it.

import type { MatchedMessage } from '../capture/matched-message.ts'
import type { MessageForm } from '../capture/message-form.ts'

export type RecordRow = {
  form: MessageForm
  bytes: Uint8Array
  match: MatchedMessage
  /** Number of the message within its capture. */
  message: number
  /** Number of the stretch of the capture that the message is in (capture-facts.ts). */
  stretch: number
  /** Event time (docs/time-and-order.md). */
  timeMs: number
  /** The recorder's clock; NaN if the capture has none. */
  receivedMs: number
  /** The venue's time at full resolution, in microseconds; NaN if there is none. */
  venueUs: number
  /** `venueInstantUs` is the venue's time and `eventWholeMs` the event time, as their slots store them. Each is NaN if
   *  the message writes this time in another form than its slot stores. */
  venueInstantUs: number
  eventWholeMs: number
  /** Range of the book's id in `bytes`; the start is -1 for a record of the whole market. */
  bookStart: number
  bookEnd: number
  /** Number of the id's text, if known (`MatchedMessage`); else 0. */
  bookText: number
}
