// A request of a known key, from its admission to its answer: the one object that metering makes for a request.

import type { Venue } from '../../../storage/venue.ts'
import type { ActiveKey } from '../keys/key-directory.ts'
import type { Allowance, Refusal } from './allowance.ts'

/** What is asked. */
export type Asked = {
  /** GET or HEAD. */
  method: string
  /** Without the query. */
  path: string
  venue: Venue
  /** As it was written, null where the request names none. */
  market: string | null
  /** The answer counts for the plan, where it is 2xx or 304. */
  isBillable: boolean
}

export type Call = Readonly<Asked> & {
  readonly key: ActiveKey
  readonly allowance: Allowance
  /** Null for a call that goes on. */
  readonly refusal: Refusal | null
  /** When it was admitted or refused: on a clock that never steps back, and in Unix ms. */
  readonly elapsedMs: number
  readonly nowMs: number
  /** Of its answer, 0 until there is one. */
  status: number
  /** Until the answer began. */
  durationMs: number
  /** It counts for the plan. */
  counts: boolean
}

export const answeredMs = ({ nowMs, durationMs }: Call) => nowMs + durationMs
