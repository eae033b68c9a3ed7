// A request with a known key, from its admission to its answer: the only object that metering creates for a request.

import type { Venue } from '../../../storage/venue.ts'
import type { ActiveKey } from '../keys/key-directory.ts'
import type { Allowance, Refusal } from './allowance.ts'

/** What the request asks for. */
export type RequestedCall = {
  /** GET or HEAD. */
  method: string
  /** The path without the query. */
  path: string
  /** Null for a request about all venues. */
  venue: Venue | null
  /** The market as the client wrote it; null if the request names none. */
  market: string | null
  /** True if an answer of 2xx, 304 or 101 counts against the plan. */
  isBillable: boolean
}

export type Call = Readonly<RequestedCall> & {
  readonly key: ActiveKey
  readonly allowance: Allowance
  /** Null for a call that was admitted. */
  readonly refusal: Refusal | null
  /** The number of calls that the request counts as: a request about many markets counts one for each market. */
  calls: number
  /** The time when the call was admitted or refused: by a monotonic clock, and in Unix ms. */
  readonly elapsedMs: number
  readonly nowMs: number
  /** HTTP status of the answer; 0 until there is one. */
  status: number
  /** Time until the answer began. */
  durationMs: number
  /** True if the call counts against the plan. */
  counts: boolean
}

export const answeredMs = ({ nowMs, durationMs }: Call) => nowMs + durationMs
