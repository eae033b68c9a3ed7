// Chooses the next command to the venue from the difference between wanted and confirmed subscriptions.

import { BOOK_CHANNEL, type Channel, type Command, LIFECYCLE_CHANNEL, TRADE_CHANNEL } from './commands.ts'

export const DATA_CHANNELS = [BOOK_CHANNEL, TRADE_CHANNEL] as const

/** The subscription of a channel. It is not open if it has no sid. */
export type Subscription = { sid: number | undefined; members: Set<string> }

export type Difference = {
  /** Wanted markets, and those among them that the venue refuses. */
  wanted: ReadonlySet<string>
  rejected: ReadonlySet<string>
  /** Markets whose current book is requested. */
  snapshots: ReadonlySet<string>
  subscriptions: ReadonlyMap<Channel, Subscription>
  /** Whether one command subscribes to all closed channels. */
  isJoined: boolean
  wantsLifecycle: boolean
  /** Most markets in one command. */
  chunk: number
}

/** Returns the next command; undefined if the venue has confirmed everything. */
export function nextCommand(difference: Difference): Command | undefined {
  const { wanted, rejected, wantsLifecycle } = difference
  const tickers = [...wanted].filter((ticker) => !rejected.has(ticker))
  // A subscription without markets might mean all markets, so this never subscribes to none and never removes the last.
  const change = tickers.length === 0 ? undefined : changeOf(tickers, difference)
  if (change !== undefined) return change
  if (wantsLifecycle) return { cmd: 'subscribe', channels: [LIFECYCLE_CHANNEL], tickers: [] }
  return snapshotsOf(difference)
}

function changeOf(tickers: string[], { wanted, subscriptions, isJoined, chunk }: Difference): Command | undefined {
  const closed = DATA_CHANNELS.filter((channel) => subscriptions.get(channel)?.sid === undefined)
  if (closed.length > 0) {
    return { cmd: 'subscribe', channels: isJoined ? closed : closed.slice(0, 1), tickers: tickers.slice(0, chunk) }
  }
  for (const { sid, members } of subscriptions.values()) {
    const missing = tickers.filter((ticker) => !members.has(ticker)).slice(0, chunk)
    if (missing.length > 0) return { cmd: 'add_markets', sid: sid!, tickers: missing }
  }
  for (const { sid, members } of subscriptions.values()) {
    const extra = [...members].filter((ticker) => !wanted.has(ticker)).slice(0, chunk)
    if (extra.length > 0) return { cmd: 'delete_markets', sid: sid!, tickers: extra }
  }
  return undefined
}

function snapshotsOf({ snapshots, subscriptions, chunk }: Difference): Command | undefined {
  const { sid, members } = subscriptions.get(BOOK_CHANNEL)!
  if (sid === undefined) return undefined
  const tickers = [...snapshots].filter((ticker) => members.has(ticker)).slice(0, chunk)
  return tickers.length === 0 ? undefined : { cmd: 'get_snapshot', sid, tickers }
}
