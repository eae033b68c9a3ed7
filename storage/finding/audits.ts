// How a recorder's books compared with the venue's, when it looked: kept of each market and date as a set, so that what
// is said twice is kept once.

import type { Venue } from '../venue.ts'

/** `exact`: the same book. `consistent`: the same as at some moment about then. `undecidable`: too much changed. */
export const AUDIT_RESULTS = ['exact', 'consistent', 'inconsistent', 'undecidable'] as const
export type AuditResult = (typeof AUDIT_RESULTS)[number]
export type AuditCounts = Record<AuditResult, number>

/** Of a market on a date: when (Unix µs), of which book (null: Kalshi's only one), and what came of it. */
export type Audit = { atUs: number; book: string | null; result: AuditResult }
export type MarketAudits = { venue: Venue; market: string; date: string; audits: Audit[] }

/** Ascending by time and book; `kept` itself where nothing is new. */
export function mergedAudits(kept: Audit[], said: readonly Audit[]): Audit[] {
  const names = new Set(kept.map(nameOf))
  const added = said.filter((audit) => {
    const name = nameOf(audit)
    if (names.has(name)) return false
    names.add(name)
    return true
  })
  if (added.length === 0) return kept
  return [...kept, ...added].sort((a, b) => a.atUs - b.atUs || (nameOf(a) < nameOf(b) ? -1 : 1))
}

export function countAudits(audits: readonly Audit[]): AuditCounts {
  const counts: AuditCounts = { exact: 0, consistent: 0, inconsistent: 0, undecidable: 0 }
  for (const { result } of audits) counts[result]++
  return counts
}

const nameOf = ({ atUs, book, result }: Audit): string => `${atUs} ${result} ${book ?? ''}`
