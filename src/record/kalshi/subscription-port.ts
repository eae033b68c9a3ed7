// The interface between the subscriptions of a socket and its session.

import type { Channel, Command } from './commands.ts'
import type { KalshiError } from './error-codes.ts'

export type SubscriptionLimits = {
  /** Most markets in one command. */
  chunk: number
  /** Longest wait for an answer. */
  replyMs: number
  hasLifecycle: boolean
}

export interface SubscriptionPort {
  send(id: number, command: Command): void
  /** The venue has ended a subscription. No more of its messages arrive until it is subscribed again. */
  ended(channel: Channel, sid: number | undefined, error: KalshiError): void
  /** Whether the venue has sent data in the last `withinMs`. */
  hasHeard(withinMs: number): boolean
  /** Whether one of these books is unanswered for the first time. If the venue has no such book, the socket is not at
   *  fault, and opening another one again and again would not help. */
  isNews(unanswered: readonly string[]): boolean
  /** The connection is of no use any more: it must be replaced. */
  failed(because: string): void
  /** Halves the limit of markets, because the venue accepts no more. Returns the new limit. */
  halveLimit(): number
  /** Reports markets that this connection cannot carry. */
  refused(tickers: readonly string[], because: string): void
  /** Writes a decision to the segment, as evidence. */
  note(name: string, fields: Record<string, unknown>): void
}
