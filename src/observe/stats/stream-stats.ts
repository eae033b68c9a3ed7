// Stats of market streams. Counters are since the start.

import type { Histogram } from './histogram.ts'

export type StreamStats = {
  /** Number of open streams by kind of connection. */
  subscribers: Record<'websocket' | 'events', number>
  /** Number of followed markets. */
  markets: number
  /** Number of messages. A message that several subscribers receive counts once. */
  messages: number
  /** Number of subscribers that were ended because they read too slowly. */
  slow: number
  /** Time from when new data of a market was seen until all of it was passed to the sockets. */
  lag: Histogram
}
