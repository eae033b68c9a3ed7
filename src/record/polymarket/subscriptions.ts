// What a socket is subscribed to: commands name some tokens each, one after the other with a pause, since the venue
// closes a socket that asks for thousands at once. There is no answer to a command but the books.

import type { Timers } from '../../../storage/retry/timers.ts'

export type SubscriptionLimits = {
  /** Tokens that one command names. */
  chunk: number
  pauseMs: number
  /** Whether messages about all markets of the venue are asked for, beside those of the tokens. */
  listens: boolean
}

/** Levels of a book that are asked for: 2 is all of them. */
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
    const asked = { assets_ids: tokens, initial_dump: true, level: LEVEL, custom_feature_enabled: listens }
    this.#command(this.#hasBegun ? { operation: 'subscribe', ...asked } : { type: 'market', ...asked })
    this.#hasBegun = true
    // Set also where nothing waits: what is added next has its pause too.
    this.#cancel = this.#timers.after(pauseMs, () => this.#next())
  }

  #command(command: object): void {
    this.#send(JSON.stringify(command))
  }
}
