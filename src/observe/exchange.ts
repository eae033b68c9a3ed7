// A request and its answer, for observers: the access log and traces. Made only where there are observers.

import type { ActiveKey } from '../accounts/keys/key-directory.ts'
import type { BodyEnd } from '../http/server/sent-body.ts'

export type Exchange = {
  request: Request
  /** The template of its route. */
  route: string
  method: string
  path: string
  /** Of the client, or null where it is unknown. */
  address: string | null
  userAgent: string
  /** Unix ms, with fractions. */
  startMs: number
  /** Null without a valid key. */
  key: Pick<ActiveKey, 'keyId' | 'userId'> | null
  /** From here on: known when the request has ended. */
  requestId: string
  status: number
  /** Of the body, or null where that is unknown. */
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
