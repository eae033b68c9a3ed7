// How far a market has grown by what the stream says of it, and what of it has changed since that was last looked at.

/** A message of the stream: the fields that are used here. */
export type Told = { type: string; venue: string; market: string; timestamp?: number; position?: string }

/** Everything from an instant on has changed. `isRewritten`: records of the past are at other places than before. */
export type Change = { sinceMs: number; isRewritten: boolean }

export class Growth {
  newestMs: number
  #change: Change | null = null

  constructor(newestMs: number) {
    this.newestMs = newestMs
  }

  told({ type, timestamp }: Pick<Told, 'type' | 'timestamp'>): void {
    // Records may have been merged into any of its days.
    if (type === 'reset') this.#change = { sinceMs: 0, isRewritten: true }
    // The stream begins with the present quote, which is not new.
    if (timestamp === undefined || (type === 'quote' && timestamp < this.newestMs)) return
    this.#change ??= { sinceMs: timestamp, isRewritten: false }
    this.#change.sinceMs = Math.min(this.#change.sinceMs, timestamp)
    this.newestMs = Math.max(this.newestMs, timestamp)
  }

  /** Since the last call; null where nothing has changed. */
  take(): Change | null {
    const change = this.#change
    this.#change = null
    return change
  }
}
