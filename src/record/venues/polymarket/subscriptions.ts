// The subscriptions of a socket. Each command subscribes to some of the tokens, with a pause before the next command,
// because the venue closes a socket that subscribes to thousands at once. The books are the only answer to a command.

import type { Link } from '../../connection/venue-protocol.ts'

export type SubscriptionLimits = {
  /** Maximum number of tokens in one command. */
  chunk: number
  /** Pause between two commands. */
  pauseMs: number
  /** Whether to subscribe to messages about all markets of the venue too. */
  listens: boolean
}

/** Depth of the books to subscribe to: 2 is all levels. */
const LEVEL = 2

export class Subscriptions {
  readonly #link: Pick<Link, 'send' | 'monoMs' | 'wakeAt'>
  readonly #limits: SubscriptionLimits
  #waiting: string[] = []
  #hasBegun = false
  /** End of the current pause, ms of the monotonic clock; Infinity without one. */
  #pausedUntilMs = Number.POSITIVE_INFINITY

  constructor(link: Pick<Link, 'send' | 'monoMs' | 'wakeAt'>, limits: SubscriptionLimits) {
    this.#link = link
    this.#limits = limits
  }

  /** Subscribes to tokens that are not subscribed yet. */
  add(tokens: readonly string[]): void {
    for (const token of tokens) this.#waiting.push(token)
    if (this.#pausedUntilMs === Number.POSITIVE_INFINITY) this.#next()
  }

  /** Unsubscribes from tokens that were added. */
  remove(tokens: readonly string[]): void {
    const removed = new Set(tokens)
    const never = new Set(this.#waiting.filter((token) => removed.has(token)))
    this.#waiting = this.#waiting.filter((token) => !never.has(token))
    const subscribed = tokens.filter((token) => !never.has(token))
    for (let i = 0; i < subscribed.length; i += this.#limits.chunk) {
      this.#command({ operation: 'unsubscribe', assets_ids: subscribed.slice(i, i + this.#limits.chunk) })
    }
  }

  close(): void {
    this.#waiting = []
    this.#pausedUntilMs = Number.POSITIVE_INFINITY
  }

  /** Sends the next command if the pause is over. Returns the end of the pause; Infinity if there is none. */
  due(nowMs: number): number {
    if (this.#pausedUntilMs <= nowMs) this.#next()
    return this.#pausedUntilMs
  }

  #next(): void {
    this.#pausedUntilMs = Number.POSITIVE_INFINITY
    const { chunk, listens, pauseMs } = this.#limits
    if (this.#waiting.length === 0 && (this.#hasBegun || !listens)) return
    const tokens = this.#waiting.splice(0, chunk)
    const fields = { assets_ids: tokens, initial_dump: true, level: LEVEL, custom_feature_enabled: listens }
    this.#command(this.#hasBegun ? { operation: 'subscribe', ...fields } : { type: 'market', ...fields })
    this.#hasBegun = true
    // Starts the pause even if no token waits, so that tokens which are added next wait too.
    this.#pausedUntilMs = this.#link.monoMs + pauseMs
    this.#link.wakeAt(this.#pausedUntilMs)
  }

  #command(command: object): void {
    this.#link.send(JSON.stringify(command))
  }
}
