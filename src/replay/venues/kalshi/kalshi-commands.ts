// Parses commands of Kalshi's WebSocket (https://docs.kalshi.com/asyncapi.yaml) that a client sends.

import { TICKER } from '../../../../storage/venues/kalshi.ts'
import { quoted } from '../../../http/server/request-failure.ts'

/** The venue's error codes that can occur here. */
export const ERRORS = {
  unprocessable: { code: 1, msg: 'Unable to process message' },
  paramsMissing: { code: 2, msg: 'Params required' },
  channelsMissing: { code: 3, msg: 'Channels required' },
  sidsMissing: { code: 4, msg: 'Subscription IDs required' },
  commandUnknown: { code: 5, msg: 'Unknown command' },
  sidUnknown: { code: 7, msg: 'Unknown subscription ID' },
  channelUnknown: { code: 8, msg: 'Unknown channel name' },
  paramInvalid: { code: 11, msg: 'Invalid parameter' },
  oneSid: { code: 12, msg: 'Exactly one subscription ID is required' },
  actionUnsupported: { code: 13, msg: 'Unsupported action' },
  tickerMissing: { code: 14, msg: 'Market ticker required' },
  actionMissing: { code: 15, msg: 'Action required' },
  bookUnknown: { code: 18, msg: 'No book is known at this moment of the replay' },
  marketsMax: { code: 26, msg: 'Subscription market limit exceeded' },
  tooMany: { code: 27, msg: 'Too many requests' },
} as const

/** A refusal. `msg` replaces the usual message if it can be more precise. */
export type Failure = { error: keyof typeof ERRORS; msg?: string; sid?: number }

/** Maximum number of markets on a connection, and so in a command. */
export const MARKETS_MAX = 1_000

export const CHANNELS: ReadonlySet<string> = new Set([
  ...['orderbook_delta', 'trade', 'ticker', 'ticker_v2', 'market_lifecycle_v2', 'event_lifecycle'],
  ...['multivariate_market_lifecycle', 'multivariate', 'cfbenchmarks_value', 'cfbenchmarks_value_5hz', 'pyth_value'],
])

const ACTIONS = ['add_markets', 'delete_markets', 'get_snapshot'] as const
export type Action = (typeof ACTIONS)[number]

export type KalshiCommand =
  | { cmd: 'subscribe'; channels: string[]; tickers: string[] | null; isQuiet: boolean }
  | { cmd: 'unsubscribe'; sids: number[] }
  | { cmd: 'update_subscription'; sid: number; tickers: string[]; action: Action; isQuiet: boolean }
  | { cmd: 'list_subscriptions' }

/** A parsed command. `id` is undefined if the client sends none or 0. */
export type ReadCommand = { id: number | undefined } & ({ command: KalshiCommand } | Failure)

export function readCommand(data: string | Uint8Array): ReadCommand {
  let message: unknown
  try {
    message = JSON.parse(typeof data === 'string' ? data : new TextDecoder().decode(data))
  } catch {
    return { id: undefined, error: 'unprocessable' }
  }
  const { id: given, cmd, params } = Object(message) as Record<string, unknown>
  const id = Number.isSafeInteger(given) && given !== 0 ? Number(given) : undefined
  if (cmd === 'list_subscriptions') return { id, command: { cmd } }
  if (cmd !== 'subscribe' && cmd !== 'unsubscribe' && cmd !== 'update_subscription') {
    return { id, error: 'commandUnknown' }
  }
  if (typeof params !== 'object' || params === null) return { id, error: 'paramsMissing' }
  const read = READERS[cmd](params as Params)
  return 'error' in read ? { id, ...read } : { id, command: read }
}

type Params = Readonly<Record<string, unknown>>

const READERS: Record<
  'subscribe' | 'unsubscribe' | 'update_subscription',
  (params: Params) => KalshiCommand | Failure
> = {
  subscribe(params) {
    const { channels, use_yes_price: usesYesPrice, skip_ticker_ack: isQuiet } = params
    if (!isTexts(channels) || channels.length === 0) return { error: 'channelsMissing' }
    const unknown = channels.find((channel) => !CHANNELS.has(channel))
    if (unknown !== undefined) return { error: 'channelUnknown' }
    if (usesYesPrice === true) {
      return {
        error: 'paramInvalid',
        msg: 'use_yes_price must be false: a replay has prices of NO as what NO costs',
      }
    }
    const tickers = tickersIn(params)
    if (tickers !== null && 'error' in tickers) return tickers
    if (tickers === null && channels.includes('orderbook_delta')) return { error: 'tickerMissing' }
    return { cmd: 'subscribe', channels: [...new Set(channels)], tickers, isQuiet: isQuiet === true }
  },
  unsubscribe({ sids }) {
    if (Array.isArray(sids) && sids.length > MARKETS_MAX) {
      return { error: 'paramInvalid', msg: `sids must be at most ${MARKETS_MAX}, got ${sids.length}` }
    }
    if (!Array.isArray(sids) || sids.length === 0 || !sids.every(Number.isSafeInteger)) return { error: 'sidsMissing' }
    return { cmd: 'unsubscribe', sids: [...new Set(sids as number[])] }
  },
  update_subscription(params) {
    const { sid, sids, action, skip_ticker_ack: isQuiet } = params
    const given = sid === undefined && Array.isArray(sids) ? sids : [sid]
    if (given.length !== 1 || !Number.isSafeInteger(given[0]) || (sid !== undefined && sids !== undefined)) {
      return { error: sid === undefined && sids === undefined ? 'sidsMissing' : 'oneSid' }
    }
    const of = { sid: Number(given[0]) }
    if (action === undefined) return { error: 'actionMissing', ...of }
    const known = ACTIONS.find((each) => each === action)
    if (known === undefined) return { error: 'actionUnsupported', ...of }
    const tickers = tickersIn(params)
    if (tickers === null) return { error: 'tickerMissing', ...of }
    if ('error' in tickers) return { ...tickers, ...of }
    return { cmd: 'update_subscription', ...of, tickers, action: known, isQuiet: isQuiet === true }
  },
}

/** Returns the tickers of a command; null if there are none. */
function tickersIn({ market_ticker: one, market_tickers: many }: Params): string[] | Failure | null {
  if (one === undefined && many === undefined) return null
  if (one !== undefined && many !== undefined) {
    return { error: 'paramInvalid', msg: 'market_ticker and market_tickers exclude each other' }
  }
  const given = many ?? [one]
  if (Array.isArray(given) && given.length > MARKETS_MAX) return { error: 'marketsMax' }
  if (!isTexts(given) || given.length === 0) return { error: 'tickerMissing' }
  const wrong = given.find((each) => !TICKER.test(each))
  if (wrong === undefined) return [...new Set(given)]
  const name = many === undefined ? 'market_ticker' : 'market_tickers'
  return {
    error: 'paramInvalid',
    msg: `${name} must be 1 to 128 letters, digits, "-", "." or "_", got ${quoted(wrong)}`,
  }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')
