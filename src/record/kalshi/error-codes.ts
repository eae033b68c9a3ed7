// The error codes of Kalshi's WebSocket (docs.kalshi.com/asyncapi.yaml), and how the recorder reacts to each.

import type { KalshiMessage } from './frame.ts'

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

/** `ended`: the subscription has ended. `again`: the same command may work. `too_large`: it may work with fewer
 *  markets. `slow_down`: it may work later. `failed`: the connection is of no use. `refused`: this command does not
 *  work. */
export type Verdict = 'ended' | 'again' | 'too_large' | 'slow_down' | 'failed' | 'refused'

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
