// Audits compare a recorder's books with the venue's. The audits of a market and date are stored as a set, so an
// audit that is sent twice is stored once.

import type { Venue } from '../venue.ts'

/** `exact`: the books are equal, and the recorder's book did not change during the audit. `consistent`: the venue's
 *  book equals a state of the recorder's book during the audit. `inconsistent`: it equals none of these states.
 *  `undecidable`: one of the books was missing. */
export const AUDIT_RESULTS = ['exact', 'consistent', 'inconsistent', 'undecidable'] as const
export type AuditResult = (typeof AUDIT_RESULTS)[number]
export type AuditCounts = Record<AuditResult, number>

/** An audit of a market on a date: its time (Unix µs), its book (null on Kalshi, where a market has only one book), and
 *  its result. */
export type Audit = { atUs: number; book: string | null; result: AuditResult }
export type MarketAudits = { venue: Venue; market: string; date: string; audits: Audit[] }

/** Returns the stored audits and the new ones, ascending by time and book; returns `stored` itself if nothing is
 *  new. */
export function mergedAudits(stored: Audit[], received: readonly Audit[]): Audit[] {
  const names = new Set(stored.map(nameOf))
  const added = received.filter((audit) => {
    const name = nameOf(audit)
    if (names.has(name)) return false
    names.add(name)
    return true
  })
  if (added.length === 0) return stored
  return [...stored, ...added].sort((a, b) => a.atUs - b.atUs || (nameOf(a) < nameOf(b) ? -1 : 1))
}

export function countAudits(audits: readonly Audit[]): AuditCounts {
  const counts: AuditCounts = { exact: 0, consistent: 0, inconsistent: 0, undecidable: 0 }
  for (const { result } of audits) counts[result]++
  return counts
}

const nameOf = ({ atUs, book, result }: Audit): string => `${atUs} ${result} ${book ?? ''}`
