// What the subscriptions of a connection ask of it, and are told.

import type { Channel, Command } from './commands.ts'
import type { KalshiError } from './error-codes.ts'

export type SubscriptionLimits = {
  /** Markets that one command names. */
  chunk: number
  /** How long an answer may take. */
  replyMs: number
  hasLifecycle: boolean
}

export interface SubscriptionPort {
  send(id: number, command: Command): void
  /** The venue has ended a subscription: nothing of it arrives any more, and it is asked for again. */
  ended(channel: Channel, sid: number | undefined, error: KalshiError): void
  /** Whether the venue has sent data within so many ms. */
  hasHeard(withinMs: number): boolean
  /** Whether one of them was never asked for in vain before: a book that the venue does not have is the fault of no
   *  socket, and no reason to open another one again and again. */
  isNews(unanswered: readonly string[]): boolean
  /** The connection is of no use. */
  failed(because: string): void
  /** The venue takes no more markets: the limit is halved. Returns the new one. */
  halveLimit(): number
  /** Markets that this connection cannot carry. */
  refused(tickers: readonly string[], because: string): void
  /** Evidence of what was decided. */
  note(name: string, fields: Record<string, unknown>): void
}
