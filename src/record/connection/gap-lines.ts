// The lines that tell of gaps, and which times they give. Pure.

import type { Venue } from '../../../storage/venue.ts'
import type { GapLine } from '../../../workers/segment/segment-lines.ts'
import { CLOCKS_AGREE_MS } from '../status/recorder-figures.ts'
import type { BookId } from './venue-protocol.ts'

/** A snapshot that differs from the book that was heard before it: its arrival and the earliest begin of a gap before
 *  it, Unix ms, and its hash. */
export type Unheard = { toMs: number; hash: string; notBeforeMs: number }

/** Since when something is missing by the venue's clock, where a gap has to begin later by ours, which is ahead. */
export function missingBefore(fromMs: number, sinceMs: number, clockAheadMs: number): number | undefined {
  if (clockAheadMs <= CLOCKS_AGREE_MS || sinceMs >= fromMs) return undefined
  return Math.max(sinceMs, fromMs - clockAheadMs - CLOCKS_AGREE_MS)
}

/** The gap of a socket that was open and sent nothing. It ends with the snapshot that another socket received. */
export function unheardGap(
  venue: Venue,
  market: string,
  book: BookId,
  { toMs, hash, notBeforeMs, fromMs, connection }: Unheard & { fromMs: number; connection: string },
): GapLine {
  const from = Math.floor(Math.max(fromMs, notBeforeMs))
  const times = { from, to: Math.max(from, Math.floor(toMs)) }
  const closed = { closed_by: 'snapshot', closed_hash: hash } as const
  return gapOf(venue, market, book, { reason: 'silence', ...times, connection, scope: 'connection', ...closed })
}

export function gapOf(venue: Venue, market: string, book: BookId, msg: GapLine['msg']): GapLine {
  return { venue, market, ...(venue === 'polymarket' ? { assetId: book } : {}), msg }
}
