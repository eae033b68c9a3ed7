// The commands of Kalshi's WebSocket (docs.kalshi.com/asyncapi.yaml), and how the recorder reacts to an error.

import type { KalshiMessage } from './frame.ts'

export const BOOK_CHANNEL = 'orderbook_delta'
export const TRADE_CHANNEL = 'trade'
/** A subscription to this channel takes no list of markets, because the channel reports on all markets of the venue. */
export const LIFECYCLE_CHANNEL = 'market_lifecycle_v2'

export type Channel = typeof BOOK_CHANNEL | typeof TRADE_CHANNEL | typeof LIFECYCLE_CHANNEL

export type Command =
  | { cmd: 'subscribe'; channels: readonly Channel[]; tickers: readonly string[] }
  | { cmd: 'add_markets' | 'delete_markets' | 'get_snapshot'; sid: number; tickers: readonly string[] }

/** Whether the venue sends NO levels at YES prices. False: recorded NO levels have the price of the NO contract. The
 *  value is set explicitly, because the venue has announced that its default will change. */
export const USE_YES_PRICE = false

/** Returns the text of a command. `id` must be at least 1: the venue reads 0 as no id. */
export function commandText(id: number, command: Command): string {
  if (command.cmd === 'subscribe') {
    const { channels, tickers } = command
    const markets = tickers.length === 0 ? {} : { market_tickers: tickers, use_yes_price: USE_YES_PRICE }
    return JSON.stringify({ id, cmd: 'subscribe', params: { channels, ...markets } })
  }
  const params = { sids: [command.sid], market_tickers: command.tickers, action: command.cmd }
  return JSON.stringify({ id, cmd: 'update_subscription', params })
}

export type KalshiError = { code: number | undefined; text: string }

export const ERROR_CODE = {
  unknownSid: 7,
  unknownChannel: 8,
  authentication: 9,
  channel: 10,
  timeout: 18,
  /** The venue's buffer for the subscription overflowed. */
  overflow: 25,
  /** A subscription would have too many markets. */
  marketLimit: 26,
  tooMany: 27,
} as const

/** `ended`: the subscription has ended. `again`: the same command may work if it is repeated. `too_large`: the
 *  command may work with fewer markets. `slow_down`: the command may work later. `failed`: the connection must be
 *  replaced. `refused`: the command cannot work. */
type Verdict = 'ended' | 'again' | 'too_large' | 'slow_down' | 'failed' | 'refused'

const VERDICTS = new Map<number, Verdict>([
  [ERROR_CODE.unknownSid, 'ended'],
  [ERROR_CODE.unknownChannel, 'failed'],
  [ERROR_CODE.authentication, 'failed'],
  [ERROR_CODE.channel, 'again'],
  [ERROR_CODE.timeout, 'again'],
  [ERROR_CODE.overflow, 'ended'],
  [ERROR_CODE.marketLimit, 'too_large'],
  [ERROR_CODE.tooMany, 'slow_down'],
])

/** Returns how to react to an error that answers a command. */
export const verdictOn = (code: number | undefined): Verdict =>
  code === undefined ? 'refused' : (VERDICTS.get(code) ?? 'refused')

export function errorOf({ msg }: KalshiMessage): KalshiError {
  const { code, msg: text } = msg
  return { code: typeof code === 'number' ? code : undefined, text: typeof text === 'string' ? text : '' }
}

export type SubscriptionLimits = {
  /** Maximum number of markets in one command. */
  chunk: number
  /** Longest wait for an answer. */
  replyMs: number
  hasLifecycle: boolean
}

export interface SubscriptionPort {
  /** Called when the venue has ended a subscription. No more messages of the subscription arrive until the channel is
   *  subscribed again. */
  ended(channel: Channel, sid: number | undefined, error: KalshiError): void
  /** Whether the venue has sent data in the last `withinMs`. */
  hasSentData(withinMs: number): boolean
  /** Notes that a request for these books had no answer. Returns true if at least one book is noted for the first
   *  time. If all were noted before, the venue may have no such books: then the socket is not at fault, and another
   *  socket would not help. */
  isNews(unanswered: readonly string[]): boolean
  /** Halves the limit of markets, because the venue accepts no more. Returns the new limit. */
  halveLimit(): number
  /** Reports markets that this connection cannot carry. */
  refused(tickers: readonly string[], because: string): void
}
