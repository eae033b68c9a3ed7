// A message of a capture on its way to its market: its bytes, where its values stand in them, and where it came from.

import type { Venue } from '../../storage/venue.ts'
import type { MatchedMessage } from './matched-message.ts'
import type { MessageForm } from './message-form.ts'

export type CaptureMessage = {
  form: MessageForm
  bytes: Uint8Array
  match: MatchedMessage
  /** The recorder's clock in whole milliseconds; NaN where the capture has none. */
  receivedMs: number
  /** Number of its line, from 1 on. */
  line: number
  /** Number of the message within its capture, from 1 on. */
  number: number
}

/** Where the messages of a capture go once they are taken apart. */
export interface MessageSink {
  /** Markets are numbered from 0 on, in order of appearance: a market of each source that the capture has it of, which
   *  is undefined for the user's own. */
  addMarket(venue: Venue, market: string, source: string | undefined): void
  /** The message is valid during the call only. */
  place(market: number, message: CaptureMessage): void
  /** As `place`, of a message that has no text (`MatchedMessage.hasText`); false, and nothing is done, where its text
   *  is needed. Without it, all text is. */
  placeValues?(market: number, message: CaptureMessage): boolean
}
