// The subprotocol of replays for recorders: each text frame begins with a line that says when its record was, and when
// it was received. Without it, messages of the past that come now would be recorded as of now.

export const STAMPED = 'backbook-stamped'

/** Milliseconds; `receivedMs` is below 0 where it is not known. */
export const stamp = (timeMs: number, receivedMs: number): string => `${timeMs} ${receivedMs < 0 ? '-' : receivedMs}\n`
