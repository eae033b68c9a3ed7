// What a connection asks the venue for next: the difference between what is wanted and what is confirmed.

import { BOOK_CHANNEL, type Channel, type Command, LIFECYCLE_CHANNEL, TRADE_CHANNEL } from './commands.ts'

export const DATA_CHANNELS = [BOOK_CHANNEL, TRADE_CHANNEL] as const

/** A subscription without a sid is not open. */
export type Subscription = { sid: number | undefined; members: Set<string> }

export type Difference = {
  /** Markets that are wanted, and those among them that the venue refuses. */
  wanted: ReadonlySet<string>
  rejected: ReadonlySet<string>
  /** Markets whose book is asked for as it is now. */
  snapshots: ReadonlySet<string>
  subscriptions: ReadonlyMap<Channel, Subscription>
  /** Whether one command subscribes to all channels that are closed. */
  isJoined: boolean
  wantsLifecycle: boolean
  /** Markets that one command names. */
  chunk: number
}

/** Undefined where the venue has confirmed all that is wanted. */
export function nextCommand(difference: Difference): Command | undefined {
  const { wanted, rejected, wantsLifecycle } = difference
  const tickers = [...wanted].filter((ticker) => !rejected.has(ticker))
  // A subscription without markets might be one to all of them: nothing is subscribed or emptied for no market.
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
