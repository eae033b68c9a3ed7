// Formats the lines of a segment. Each is a line of a capture, or a control line, whose first key is `backbook`.

import type { AuditResult } from '../../storage/finding/audits.ts'
import type { Venue } from '../../storage/venue.ts'

/** Format version in a segment's header. */
export const SEGMENT_FORMAT = 1

/** Kinds of control lines in a segment. The results of `audit` lines are loaded into the store. The other lines stay
 *  in the segment only. */
export type ControlKind = 'segment' | 'command' | 'state' | 'overflow' | 'audit' | 'footer'

/** Values to print as JSON; a whole number of nanoseconds is a bigint. */
export type ControlFields = { [key: string]: unknown }

export type GapReason = 'disconnect' | 'sequence_hole' | 'silence' | 'overflow' | 'maintenance' | 'resync' | 'restart'

/** One outage of one book, or of a whole condition if `assetId` is absent. Times are Unix ms. */
export type GapLine = {
  venue: Venue
  market: string
  assetId?: string | undefined
  msg: {
    reason: GapReason
    from: number
    to: number
    connection: string
    scope: 'connection' | 'subscription' | 'book'
    closed_by: 'snapshot' | 'rest_book' | 'same_hash' | 'end'
    expected?: number
    got?: number
    closed_seq?: number
    closed_hash?: string
  }
}

/** Result of comparing a book of the recorder with the venue's. */
export type AuditLine = { venue: Venue; market: string; assetId?: string | undefined; result: AuditResult }

/** Returns the line of a frame, with the text as it was received. `recvNs` is null if a replay does not know the
 *  receive time. */
export const frameLine = (text: string, recvNs: bigint | null, monoNs: bigint): string =>
  `{"recv_ns":${recvNs},"mono_ns":${monoNs},"raw":${JSON.stringify(text)}}\n`

/** Returns the line of an HTTP body. `ticker` is the market of a Kalshi book, whose body does not name its market. */
export function restLine(body: string, recvNs: bigint | null, ticker?: string): string {
  const named = ticker === undefined ? '' : `,"ticker":${JSON.stringify(ticker)}`
  return `{"recv_ns":${recvNs},"source":"rest"${named},"raw":${JSON.stringify(body)}}\n`
}

export function gapLine({ venue, market, assetId, msg }: GapLine): string {
  const book = assetId === undefined ? {} : { asset_id: assetId }
  return `${JSON.stringify({ type: 'gap', venue, market, ...book, msg })}\n`
}

export function controlLine(kind: ControlKind, atNs: bigint, fields: ControlFields): string {
  const printed = Object.entries(fields).flatMap(([key, value]) => {
    const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value)
    return text === undefined ? [] : [`,${JSON.stringify(key)}:${text}`]
  })
  return `{"backbook":"${kind}","at_ns":${atNs}${printed.join('')}}\n`
}
