// One message of a venue: its content, its market and book, and its time. It is a record that has no event time yet.

import type { JsonObject } from './json.ts'

export type Venue = 'polymarket' | 'kalshi'
/** A `covered_gap` is a gap of one recorder that another one covers: it is printed as a gap, and ends no book. */
export type RecordType = 'snapshot' | 'delta' | 'trade' | 'tick_size' | 'gap' | 'covered_gap' | 'other'

export type Message = {
  venue: Venue
  market: string
  /** The asset or the ticker; null if the message is about the whole condition. */
  book: string | null
  type: RecordType
  receivedAt: number | null
  /** The venue's own time, for the event time. */
  venueNs: bigint | undefined
  /** The venue's own time at its full resolution: deltas of one such time are one quote. */
  quoteNs: bigint | undefined
  /** The same where it is printed as a date and time of day, so that it may be finer than a ms. */
  fullNs: bigint | undefined
  /** The event time that a printed record has. */
  givenMs: number | undefined
  sid: number | null
  seq: number | null
  msg: JsonObject
  /** The message that `msg` is the part of one book of; left out where it has one. */
  whole?: JsonObject
  /** The stretch of the capture that it is in: one begins where the clock of the whole capture steps back. */
  stretch?: number
  /** The archive that a printed record is from; left out for the user's own. */
  source?: string
  /** Whether its prices of NO are on the scale of YES. */
  isYesScale?: boolean
}

/** The messages of one JSON object, or why it has none: `skipped` for a control frame or a venue's metadata of
 *  markets, `rejected` if it is not understood. */
export type Reading =
  | { messages: Message[] }
  | { skipped: string }
  | { skipped: 'command'; scale: 'yes' | 'no' | 'default' | undefined }
  | { skipped: 'metadata'; said: JsonObject }
  | { skipped: 'segment'; recorder: string | null; scale: 'yes' | 'no' | 'default' | undefined }
  | { rejected: string }
