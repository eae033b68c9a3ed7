// The subscriptions of a socket. Sends commands for some tokens each, with pauses, because the venue closes a socket
// that subscribes to thousands at once. The only answer to a command are the books.

import type { Timers } from '../../../storage/retry/timers.ts'

export type SubscriptionLimits = {
  /** Most tokens in one command. */
  chunk: number
  /** Pause between two commands. */
  pauseMs: number
  /** Whether to subscribe to messages about all markets of the venue too. */
  listens: boolean
}

/** Depth of the books to subscribe to: 2 is all levels. */
const LEVEL = 2

export class Subscriptions {
  readonly #send: (command: string) => void
  readonly #timers: Timers
  readonly #limits: SubscriptionLimits
  readonly #wanted = new Set<string>()
  #waiting: string[] = []
  #hasBegun = false
  #cancel: (() => void) | undefined

  constructor(send: (command: string) => void, timers: Timers, limits: SubscriptionLimits) {
    this.#send = send
    this.#timers = timers
    this.#limits = limits
  }

  get wanted(): ReadonlySet<string> {
    return this.#wanted
  }

  add(tokens: readonly string[]): void {
    for (const token of tokens) {
      if (this.#wanted.has(token)) continue
      this.#wanted.add(token)
      this.#waiting.push(token)
    }
    if (this.#cancel === undefined) this.#next()
  }

  remove(tokens: readonly string[]): void {
    const removed = new Set(tokens.filter((token) => this.#wanted.delete(token)))
    const never = new Set(this.#waiting.filter((token) => removed.has(token)))
    this.#waiting = this.#waiting.filter((token) => !never.has(token))
    const subscribed = [...removed].filter((token) => !never.has(token))
    for (let i = 0; i < subscribed.length; i += this.#limits.chunk) {
      this.#command({ operation: 'unsubscribe', assets_ids: subscribed.slice(i, i + this.#limits.chunk) })
    }
  }

  close(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#waiting = []
  }

  #next(): void {
    this.#cancel = undefined
    const { chunk, listens, pauseMs } = this.#limits
    if (this.#waiting.length === 0 && (this.#hasBegun || !listens)) return
    const tokens = this.#waiting.splice(0, chunk)
    const fields = { assets_ids: tokens, initial_dump: true, level: LEVEL, custom_feature_enabled: listens }
    this.#command(this.#hasBegun ? { operation: 'subscribe', ...fields } : { type: 'market', ...fields })
    this.#hasBegun = true
    // Starts the pause even if no token waits, so that tokens which are added next wait too.
    this.#cancel = this.#timers.after(pauseMs, () => this.#next())
  }

  #command(command: object): void {
    this.#send(JSON.stringify(command))
  }
}
