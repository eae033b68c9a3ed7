// A request and its response, for observers such as the access log and traces. Created only if there are observers.

import type { ActiveKey } from '../accounts/keys/key-directory.ts'
import type { BodyEnd } from '../http/server/sent-body.ts'

export type Exchange = {
  request: Request
  /** Template of the route. */
  route: string
  method: string
  path: string
  /** Address of the client; null if unknown. */
  address: string | null
  userAgent: string
  /** Unix ms, with fractions. */
  startMs: number
  /** Null without a valid key. */
  key: Pick<ActiveKey, 'keyId' | 'userId'> | null
  /** The fields from here on are known when the request has ended. */
  requestId: string
  status: number
  /** Bytes of the body; null if unknown. */
  bytes: number | null
  end: BodyEnd
  firstByteMs: number
  durationMs: number
}

/** `around` runs the app; `ended` is called when the last byte is sent. */
export type ExchangeObserver = {
  around?: (exchange: Exchange, answer: () => Promise<Response>) => Promise<Response>
  ended: (exchange: Exchange) => void
}
