// The subprotocol of replays for recorders: each text frame begins with a line that says when its record was, and when
// it was received. Without it, messages of the past that come now would be recorded as of now.

export const STAMPED = 'backbook-stamped'

/** What stands before a message; empty where none are stamped. Milliseconds; `receivedMs` is below 0 where it is not
 *  known. */
export type Stamp = (timeMs: number, receivedMs: number) => string

export const stampOf = (isStamped: boolean): Stamp =>
  isStamped ? (timeMs, receivedMs) => `${timeMs} ${receivedMs < 0 ? '-' : receivedMs}\n` : () => ''
