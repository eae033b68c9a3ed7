// The difference between the markets that are wanted on a socket and those that the venue has confirmed, and the next
// command that reduces this difference.

import { BOOK_CHANNEL, type Channel, type Command, LIFECYCLE_CHANNEL, TRADE_CHANNEL } from './commands.ts'

const DATA_CHANNELS = [BOOK_CHANNEL, TRADE_CHANNEL] as const

/** The subscription of a channel. Without a sid, it is not open. */
type Subscription = { sid: number | undefined; members: Set<string> }

const closed = (): Subscription => ({ sid: undefined, members: new Set() })

export class Difference {
  readonly #wanted = new Set<string>()
  /** Markets that the venue refuses even alone. */
  readonly #rejected = new Set<string>()
  /** Markets whose current book is requested. */
  readonly #snapshots = new Set<string>()
  readonly #subscriptions = new Map<Channel, Subscription>(DATA_CHANNELS.map((channel) => [channel, closed()]))
  /** `#hasEnded`: whether a subscription has ended. `#partial`: markets that had a snapshot before all of their
   *  channels were confirmed again. */
  #hasEnded = false
  readonly #partial = new Set<string>()
  /** Whether one command subscribes to all channels that have no subscription. */
  isJoined = true
  wantsLifecycle: boolean
  /** Maximum number of markets in one command. */
  chunk: number

  constructor(chunk: number, wantsLifecycle: boolean) {
    this.chunk = chunk
    this.wantsLifecycle = wantsLifecycle
  }

  get wanted(): ReadonlySet<string> {
    return this.#wanted
  }

  /** The largest number of markets in the subscription to one channel. */
  get largest(): number {
    return Math.max(...Array.from(this.#subscriptions.values(), ({ members }) => members.size))
  }

  add(tickers: Iterable<string>): void {
    for (const ticker of tickers) this.#wanted.add(ticker)
  }

  remove(tickers: Iterable<string>): void {
    for (const ticker of tickers) {
      this.#wanted.delete(ticker)
      this.#snapshots.delete(ticker)
      this.#rejected.delete(ticker)
    }
  }

  askSnapshots(tickers: Iterable<string>): void {
    for (const ticker of tickers) if (this.#wanted.has(ticker)) this.#snapshots.add(ticker)
  }

  /** Notes that the snapshots of these markets have arrived, or will not arrive. */
  answered(tickers: Iterable<string>): void {
    for (const ticker of tickers) this.#snapshots.delete(ticker)
  }

  reject(tickers: Iterable<string>): void {
    for (const ticker of tickers) this.#rejected.add(ticker)
  }

  /** Whether the venue has confirmed all channels of a market. */
  isConfirmed(ticker: string): boolean {
    return [...this.#subscriptions.values()].every(({ members }) => members.has(ticker))
  }

  channelOf(sid: number | undefined): Channel | undefined {
    if (sid === undefined) return undefined
    return DATA_CHANNELS.find((channel) => this.#subscriptions.get(channel)!.sid === sid)
  }

  /** Notes that a channel is open, with these markets. */
  opened(channel: Channel, sid: number | undefined, tickers: readonly string[]): void {
    if (channel === LIFECYCLE_CHANNEL) this.wantsLifecycle = false
    const subscription = this.#subscriptions.get(channel)
    if (subscription === undefined) return
    subscription.sid = sid
    for (const ticker of tickers) subscription.members.add(ticker)
  }

  /** Notes that the venue has added or removed markets. */
  changed({ cmd, sid, tickers }: Extract<Command, { sid: number }>): void {
    const members = this.#subscriptions.get(this.channelOf(sid)!)?.members
    for (const ticker of tickers) {
      if (cmd === 'add_markets') members?.add(ticker)
      if (cmd === 'delete_markets') members?.delete(ticker)
    }
  }

  /** Notes that a subscription has ended. Returns its sid. */
  ended(channel: Channel): number | undefined {
    const { sid } = this.#subscriptions.get(channel)!
    this.#subscriptions.set(channel, closed())
    this.#snapshots.clear()
    this.#hasEnded = true
    return sid
  }

  /** Whether a subscription has ended and the venue has not confirmed this market again. Then a snapshot does not end
   *  the market's gap, because messages of another channel are still being lost. Must be called for each snapshot. */
  isPartial(ticker: string): boolean {
    if (!this.#hasEnded || !this.#wanted.has(ticker) || this.isConfirmed(ticker)) return false
    this.#partial.add(ticker)
    return true
  }

  /** Requests the snapshots of partial markets whose channels are all confirmed by now. */
  askWhole(): void {
    const whole = [...this.#partial].filter((ticker) => this.isConfirmed(ticker))
    for (const ticker of whole) this.#partial.delete(ticker)
    this.askSnapshots(whole)
  }

  /** Returns the next command; undefined if the venue has confirmed everything. */
  next(): Command | undefined {
    const tickers = [...this.#wanted].filter((ticker) => !this.#rejected.has(ticker))
    // A subscription without markets might mean all markets. So this never subscribes to an empty list, and never
    // removes the last market.
    const change = tickers.length === 0 ? undefined : this.#changeTo(tickers)
    if (change !== undefined) return change
    if (this.wantsLifecycle) return { cmd: 'subscribe', channels: [LIFECYCLE_CHANNEL], tickers: [] }
    const { sid, members } = this.#subscriptions.get(BOOK_CHANNEL)!
    const snapshots = [...this.#snapshots].filter((ticker) => members.has(ticker)).slice(0, this.chunk)
    return sid === undefined || snapshots.length === 0 ? undefined : { cmd: 'get_snapshot', sid, tickers: snapshots }
  }

  #changeTo(tickers: string[]): Command | undefined {
    const chunkOf = (all: string[]) => all.slice(0, this.chunk)
    const channels = DATA_CHANNELS.filter((channel) => this.#subscriptions.get(channel)!.sid === undefined)
    if (channels.length > 0) {
      return { cmd: 'subscribe', channels: this.isJoined ? channels : channels.slice(-1), tickers: chunkOf(tickers) }
    }
    // Adds markets to the trade channel first: a snapshot ends the book's gap, and then no trade may be missing.
    for (const { sid, members } of [...this.#subscriptions.values()].toReversed()) {
      const missing = chunkOf(tickers.filter((ticker) => !members.has(ticker)))
      if (missing.length > 0) return { cmd: 'add_markets', sid: sid!, tickers: missing }
    }
    for (const { sid, members } of this.#subscriptions.values()) {
      const extra = chunkOf([...members].filter((ticker) => !this.#wanted.has(ticker)))
      if (extra.length > 0) return { cmd: 'delete_markets', sid: sid!, tickers: extra }
    }
    return undefined
  }
}
