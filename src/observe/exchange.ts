// A request and what became of it, for those who are told of each: the access log and traces. Made only where there is
// one of them.

import type { ActiveKey } from '../accounts/keys/key-directory.ts'
import type { BodyEnd } from '../http/server/sent-body.ts'

export type Exchange = {
  request: Request
  /** Its route's template. */
  route: string
  method: string
  path: string
  /** Of the client; null where it is not known. */
  address: string | null
  userAgent: string
  /** Unix time, with its fractions. */
  startMs: number
  /** Null without a key that is accepted. */
  key: Pick<ActiveKey, 'keyId' | 'userId'> | null
  /** From here on known when it has ended. */
  requestId: string
  status: number
  /** Of the body, null where that is not known. */
  bytes: number | null
  end: BodyEnd
  firstByteMs: number
  durationMs: number
}

/** `around` runs what answers; `ended` is told when the last byte is sent. */
export type ExchangeObserver = {
  around?: (exchange: Exchange, answer: () => Promise<Response>) => Promise<Response>
  ended: (exchange: Exchange) => void
}
