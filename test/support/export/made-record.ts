// A record as an export receives it, with times that are ms after the start of a date.

import type { PresentRecord } from '../../../workers/export/book-events.ts'

export const EXPORT_DATE = '2026-08-10'
export const EXPORT_START_MS = Date.parse(EXPORT_DATE)

export function presentRecord(record: number, ms: number, of: Partial<PresentRecord> = {}): PresentRecord {
  const timeMs = EXPORT_START_MS + ms
  return { record, timeMs, venueUs: timeMs * 1_000, receivedMs: timeMs + 5, opensQuote: true, ...of }
}
