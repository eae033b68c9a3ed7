// The subscriptions of a connection, numbered as Kalshi does: a sid for each channel, and for each sid a seq that
// counts its snapshots, deltas, trades and replies.

export type Channel = {
  readonly name: string
  readonly sid: number
  /** Number of the last message that was sent. */
  seq: number
  /** Null includes all markets that other channels of the connection name. */
  tickers: Set<string> | null
}

export class KalshiChannels {
  readonly #byName = new Map<string, Channel>()
  #lastSid = 0

  open(name: string, tickers: readonly string[] | null): Channel {
    const channel = { name, sid: ++this.#lastSid, seq: 0, tickers: tickers === null ? null : new Set(tickers) }
    this.#byName.set(name, channel)
    return channel
  }

  close({ name }: Channel): void {
    this.#byName.delete(name)
  }

  named(name: string): Channel | undefined {
    return this.#byName.get(name)
  }

  withSid(sid: number): Channel | undefined {
    return this.all().find((channel) => channel.sid === sid)
  }

  all(): Channel[] {
    return [...this.#byName.values()]
  }

  /** Returns the markets that any channel names. */
  tickers(): Set<string> {
    return new Set(this.all().flatMap(({ tickers }) => (tickers === null ? [] : [...tickers])))
  }

  /** Returns the channel of this name. Returns undefined if it is not open or does not include the market. */
  wanting(name: string, ticker: string): Channel | undefined {
    const channel = this.#byName.get(name)
    return channel === undefined || (channel.tickers !== null && !channel.tickers.has(ticker)) ? undefined : channel
  }
}
