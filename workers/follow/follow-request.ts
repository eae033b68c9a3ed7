// Request and answer for following a market as it grows. Both are plain data that can cross threads.

import type { Venue } from '../../storage/venue.ts'

/** Channels, in the order in which the messages of one record are sent. */
export const CHANNELS = ['records', 'trades', 'book', 'quotes'] as const
export type Channel = (typeof CHANNELS)[number]

/** How far a stream has come: it has sent all messages of the records before `record` of `date`, and the messages of
 *  the first `step` channels of that record. */
export type FollowPosition = {
  date: string
  record: number
  step: number
  /** Revision of the date's partition. */
  revision: number
  /** 32-bit checksum of the stored days before `date`. */
  earlier: number
}

/** `nothing`: nothing was stored when the position was taken, so everything stored is new. */
export type Followed = FollowPosition | 'nothing'

export type FollowRequest = {
  venue: Venue
  market: string
  channels: readonly Channel[]
  /** Null starts with the present state. */
  from: Followed | null
}

/** Messages of one market, in order. The text of message i is the bytes from `starts[i]` to `ends[i]`: a JSON object
 *  without its opening brace. */
export type FollowHead = {
  /** `begin` and `reset`: the messages are the present state and belong to no single record. */
  kind: 'begin' | 'reset' | 'changes'
  /** Revision of the market when it was read. */
  revision: number
  /** Position after all of the messages. */
  to: Followed
  /** False if more is stored after the messages. */
  isEnd: boolean
  /** For each message, the index of its channel in CHANNELS. */
  channels: Uint8Array
  /** For each message, the index of its record in the date of `to`. */
  records: Float64Array
  starts: Uint32Array
  ends: Uint32Array
}

/** Why the stream starts again: records were merged before the position in its date, earlier days have other records,
 *  or the stored records end before the position. */
export type ResetReason = 'late_records' | 'earlier_days_changed' | 'removed'
