// Tracks how far a market has grown, from the messages of the stream, and what has changed since the last look.

/** A message of the stream, with the fields that are used here. */
export type StreamMessage = { type: string; venue: string; market: string; timestamp?: number; position?: string }

/** Everything from `sinceMs` on has changed. `isRewritten`: past records have new record numbers. */
export type Change = { sinceMs: number; isRewritten: boolean }

export class Growth {
  newestMs: number
  #change: Change | null = null

  constructor(newestMs: number) {
    this.newestMs = newestMs
  }

  received({ type, timestamp }: Pick<StreamMessage, 'type' | 'timestamp'>): void {
    // After a reset, any day of the market may have changed: records may have been merged into it.
    if (type === 'reset') this.#change = { sinceMs: 0, isRewritten: true }
    // The stream starts with the current quote, which is not new.
    if (timestamp === undefined || (type === 'quote' && timestamp < this.newestMs)) return
    this.#change ??= { sinceMs: timestamp, isRewritten: false }
    this.#change.sinceMs = Math.min(this.#change.sinceMs, timestamp)
    this.newestMs = Math.max(this.newestMs, timestamp)
  }

  /** Returns the change since the last call; null if nothing has changed. */
  take(): Change | null {
    const change = this.#change
    this.#change = null
    return change
  }
}
