// A message of a capture on its way to its market: its bytes, the places of its values in them, and its origin.

import type { Venue } from '../../storage/venue.ts'
import type { MatchedMessage } from './matched-message.ts'
import type { MessageForm } from './message-form.ts'

export type CaptureMessage = {
  form: MessageForm
  bytes: Uint8Array
  match: MatchedMessage
  /** Receipt time by the recorder's clock, in whole milliseconds; NaN if the capture has none. */
  receivedMs: number
  /** Line number, from 1. */
  line: number
  /** Number of the message within its capture, from 1. */
  number: number
}

/** Receives the messages of a capture after they are parsed. */
export interface MessageSink {
  /** Adds a market. Markets are numbered from 0 in order of appearance. A market that the capture has from several
   *  sources gets one number for each source. `source` is undefined for the user's own captures. */
  addMarket(venue: Venue, market: string, source: string | undefined): void
  /** Receives a message of a market. The object is valid only during the call. */
  place(market: number, message: CaptureMessage): void
  /** Works like `place`, for a message without text (`MatchedMessage.hasText`). Returns false, and does nothing, if the
   *  text is needed. A sink without this method always needs the text. */
  placeValues?(market: number, message: CaptureMessage): boolean
}
