// A request and its response, for an observer such as the access log. Created only if there is an observer.

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

/** Called when the last byte is sent. */
export type ExchangeObserver = (exchange: Exchange) => void
