// Builds the lines of gaps, and computes their times. Pure.

import { IDENTITIES, type Venue } from '../../../storage/venue.ts'
import type { GapLine } from '../../../workers/segment/segment-lines.ts'
import { CLOCKS_AGREE_MS } from '../status/recorder-stats.ts'
import type { BookId, Loss } from './venue-protocol.ts'

/** Changes that were missed, because a snapshot differs from the last known book. `toMs` is the arrival of the
 *  snapshot, and `notBeforeMs` the earliest start of a gap before it, both Unix ms. `hash` is the hash of the
 *  snapshot. */
export type MissedChange = { toMs: number; hash: string; notBeforeMs: number }

/** An open gap. `continues` is true if a first part of the gap is already reported, because messages other than a
 *  snapshot followed. `fromMs` is after the last snapshot. If messages may be missing before that snapshot too,
 *  `beforeMs` is the time from which they may be missing. */
export type OpenGap = Loss & { fromMs: number; connection: string; continues?: boolean; beforeMs?: number | undefined }

/** The fields of a gap line that show how the gap was closed. */
export type GapEnd = Pick<GapLine['msg'], 'closed_by' | 'closed_seq' | 'closed_hash'>

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

/** Returns the messages of a gap that closes at `nowMs`, Unix ms: usually one. If this machine's clock is behind
 *  (`isBehind`), the snapshot may be stored with a time within the gap. The gap is then split: the first part ends
 *  without a snapshot, and the second part is only the instant at that end. */
export function closedGap(gap: OpenGap, nowMs: number, closed: GapEnd, isBehind: boolean): GapLine['msg'][] {
  const { reason, scope, expected, got, fromMs, connection, beforeMs = fromMs } = gap
  const hole = { ...(expected === undefined ? {} : { expected }), ...(got === undefined ? {} : { got }) }
  const [before, from, to] = [beforeMs, fromMs, Math.max(fromMs, nowMs)].map(Math.floor) as [number, number, number]
  const isCut = isBehind && closed.closed_by !== 'end'
  const parts: (Pick<GapLine['msg'], 'from' | 'to'> & GapEnd)[] = [{ from: isCut ? to : from, to, ...closed }]
  if (isCut) parts.unshift({ from, to, closed_by: 'end' })
  if (before < from) parts.unshift({ from: before, to: from, closed_by: 'end' })
  return parts.map(({ from, to, ...end }) => ({ reason, from, to, connection, scope, ...hole, ...end }))
}

export function gapOf(venue: Venue, market: string, book: BookId, msg: GapLine['msg']): GapLine {
  return { venue, market, ...(IDENTITIES[venue].hasAssets ? { assetId: book } : {}), msg }
}
