// A request of a known key, from its admission to its answer: the only object that metering makes for a request.

import type { Venue } from '../../../storage/venue.ts'
import type { ActiveKey } from '../keys/key-directory.ts'
import type { Allowance, Refusal } from './allowance.ts'

/** The question. */
export type Asked = {
  /** GET or HEAD. */
  method: string
  /** Without the query. */
  path: string
  /** Null for a question about all venues. */
  venue: Venue | null
  /** As the client wrote it; null where the request names none. */
  market: string | null
  /** An answer of 2xx or 304 counts for the plan. */
  isBillable: boolean
}

export type Call = Readonly<Asked> & {
  readonly key: ActiveKey
  readonly allowance: Allowance
  /** Null for a call that was admitted. */
  readonly refusal: Refusal | null
  /** How many calls it is, where it counts: a question about many markets is one for each. */
  calls: number
  /** When it was admitted or refused: by a clock that never steps back, and in Unix ms. */
  readonly elapsedMs: number
  readonly nowMs: number
  /** Of its answer; 0 until then. */
  status: number
  /** Until the answer began. */
  durationMs: number
  /** Whether it counts for the plan. */
  counts: boolean
}

export const answeredMs = ({ nowMs, durationMs }: Call) => nowMs + durationMs
