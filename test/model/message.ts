// Describes one message of a venue: its content, market, book and time. A message is a record without an event time.

import type { JsonObject } from './json.ts'

export type Venue = 'polymarket' | 'kalshi'
/** A `covered_gap` is a gap of one recorder that another one covers. It is printed as a gap, but changes no book. */
export type RecordType = 'snapshot' | 'delta' | 'trade' | 'tick_size' | 'gap' | 'covered_gap' | 'other'

export type Message = {
  venue: Venue
  market: string
  /** The asset or the ticker; null if the message is about the whole condition. */
  book: string | null
  type: RecordType
  receivedAt: number | null
  /** The venue's own time, from which the event time is made. */
  venueNs: bigint | undefined
  /** The venue's own time at full resolution: deltas with the same value are one quote. */
  quoteNs: bigint | undefined
  /** The venue's own time if it is printed as a date and time of day, which may be finer than 1 ms. */
  fullNs: bigint | undefined
  /** The event time of a printed record, Unix ms. */
  givenMs: number | undefined
  sid: number | null
  seq: number | null
  msg: JsonObject
  /** The whole message, if `msg` is only its part about one book. */
  whole?: JsonObject
  /** Number of the stretch of the capture that has the message. A stretch begins where the capture's clock steps
   *  back. */
  stretch?: number
  /** The archive of a printed record; undefined for the user's own records. */
  source?: string
  /** Whether its prices of NO are on the scale of YES. */
  isYesScale?: boolean
}

/** The messages of one JSON object, or why there are none: `skipped` for a control frame or a venue's metadata,
 *  `rejected` for an object that is not understood. */
export type Reading =
  | { messages: Message[] }
  | { skipped: string }
  | { skipped: 'command'; scale: 'yes' | 'no' | 'default' | undefined }
  | { skipped: 'metadata'; document: JsonObject }
  | { skipped: 'segment'; recorder: string | null; scale: 'yes' | 'no' | 'default' | undefined }
  | { rejected: string }
