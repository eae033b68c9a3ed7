// The subprotocol of replays for recorders: each text frame begins with a line that has the event time and the receive
// time of its record. Without this line, a recorder would record past messages with the current time.

export const STAMPED = 'backbook-stamped'

/** Returns the stamp of a message; empty if the connection has no stamps. Times are Unix ms; `receivedMs` is negative
 *  if it is not known. */
export type Stamp = (timeMs: number, receivedMs: number) => string

export const stampOf = (isStamped: boolean): Stamp =>
  isStamped ? (timeMs, receivedMs) => `${timeMs} ${receivedMs < 0 ? '-' : receivedMs}\n` : () => ''
