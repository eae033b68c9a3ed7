// What is asked to follow a market as it grows, and what is answered: plain data, since both cross threads.

import type { Venue } from '../../storage/venue.ts'

/** In the order in which messages of one record are told. */
export const CHANNELS = ['records', 'trades', 'book', 'quotes'] as const
export type Channel = (typeof CHANNELS)[number]

/** What has been told of a market: every message of the records before `record` of `date`, and of that record the
 *  messages of the first `step` channels. */
export type FollowPosition = {
  date: string
  record: number
  step: number
  /** Of the date's partition. */
  revision: number
  /** A checksum of the stored days before: 32 bits. */
  earlier: number
}

/** `nothing`: nothing was stored then, so all that is stored is new. */
export type Followed = FollowPosition | 'nothing'

export type FollowRequest = {
  venue: Venue
  market: string
  channels: readonly Channel[]
  /** Null begins with the present state. */
  from: Followed | null
}

/** Messages of one market, in the order in which they are told. The text of message i is the bytes from `starts[i]` to
 *  `ends[i]`: a JSON object without its opening brace. */
export type FollowHead = {
  /** `begin`, `reset`: the present state, which messages of no single record tell. */
  kind: 'begin' | 'reset' | 'changes'
  /** Of the market, as it was read. */
  revision: number
  /** After all of the messages. */
  to: Followed
  /** False where more is stored behind them. */
  isEnd: boolean
  /** Indexes of CHANNELS. */
  channels: Uint8Array
  /** Places in the date of `to`. */
  records: Float64Array
  starts: Uint32Array
  ends: Uint32Array
}

/** Why the stream begins anew: records were merged before the position in its date, earlier days have other records, or
 *  what is stored ends before the position. */
export type ResetReason = 'late_records' | 'earlier_days_changed' | 'removed'

/** -1, 0 or 1, as for a sort: which of two positions of a market is behind the other. */
export function comparePositions(one: Followed, other: Followed): number {
  if (one === 'nothing' || other === 'nothing') return one === other ? 0 : one === 'nothing' ? -1 : 1
  if (one.date !== other.date) return one.date < other.date ? -1 : 1
  return Math.sign(one.record - other.record || one.step - other.step)
}
