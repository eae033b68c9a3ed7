// Builds the lines of gaps, and computes their times. Pure.

import { IDENTITIES, type Venue } from '../../../storage/venue.ts'
import type { GapLine } from '../../../workers/segment/segment-lines.ts'
import { CLOCKS_AGREE_MS } from '../status/recorder-figures.ts'
import type { BookId } from './venue-protocol.ts'

/** A snapshot that differs from the last known book, so changes were missed: its arrival (`toMs`) and the earliest
 *  start of a gap before it (`notBeforeMs`), Unix ms, and its hash. */
export type MissedChange = { toMs: number; hash: string; notBeforeMs: number }

/** Returns the start of an additional gap before the main gap, which must begin at `fromMs` because of the last
 *  snapshot. That snapshot has a time of this machine's clock. If the clock is ahead, messages that were lost after the
 *  snapshot may have an earlier venue time. Returns undefined if the clock is not ahead, or nothing is missing before
 *  `fromMs`. */
export function missingBefore(fromMs: number, sinceMs: number, clockAheadMs: number): number | undefined {
  if (clockAheadMs <= CLOCKS_AGREE_MS || sinceMs >= fromMs) return undefined
  return Math.max(sinceMs, fromMs - clockAheadMs - CLOCKS_AGREE_MS)
}

/** Returns the gap of a socket that was open but received nothing. The gap ends with the snapshot of another socket. */
export function missedGap(
  venue: Venue,
  market: string,
  book: BookId,
  { toMs, hash, notBeforeMs, fromMs, connection }: MissedChange & { fromMs: number; connection: string },
): GapLine {
  const from = Math.floor(Math.max(fromMs, notBeforeMs))
  const times = { from, to: Math.max(from, Math.floor(toMs)) }
  const closed = { closed_by: 'snapshot', closed_hash: hash } as const
  return gapOf(venue, market, book, { reason: 'silence', ...times, connection, scope: 'connection', ...closed })
}

export function gapOf(venue: Venue, market: string, book: BookId, msg: GapLine['msg']): GapLine {
  return { venue, market, ...(IDENTITIES[venue].hasAssets ? { assetId: book } : {}), msg }
}
