// What is counted of the streams of markets. Counters are since the start.

import type { Histogram } from './histogram.ts'

export type StreamFigures = {
  /** By the kind of their connection. */
  subscribers: Record<'websocket' | 'events', number>
  /** Markets that are followed. */
  markets: number
  /** Messages that were made: one for all who get the same. */
  messages: number
  /** Subscribers that were ended since they took less than they were sent. */
  slow: number
  /** From when a market was seen to have grown until all of that was handed to the sockets. */
  lag: Histogram
}
