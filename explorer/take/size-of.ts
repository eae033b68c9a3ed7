// Estimates the size of an answer from the part that was read.

import type { Format, Take } from './requests.ts'

export type Measured = {
  /** The number of rows; null if unknown. */
  rows: number | null
  bytes: number
  /** Whether only a part was read: `bytes` is then an estimate, and so is `rows` unless the server gives it. */
  isEstimate: boolean
  /** Whether there is more data than one answer may contain. */
  hasMore: boolean
}

export type Read = { bytes: number; lines: number; lastLine: string; isAll: boolean }

export function sizeOf(
  { bytes, lines, lastLine, isAll }: Read,
  { format, rows, query }: { format: Format; rows: number | null; query: Take['query'] },
): Omit<Measured, 'hasMore'> {
  const counted = format === 'csv' ? lines - 1 : format === 'ndjson' ? lines : null
  if (isAll) return { rows: rows ?? counted, bytes, isEstimate: false }
  if (counted === null || counted <= 0) return { rows, bytes, isEstimate: true }
  const share = rows === null ? shareAt(format, lastLine, query) : counted / rows
  const all = rows ?? Math.round(counted / share)
  return { rows: all, bytes: Math.round(bytes / share), isEstimate: true }
}

/** Returns the share of the requested time that is before a line's time; 1 if the line has no usable time. */
function shareAt(format: Format, line: string, query: Take['query']): number {
  const [from, to] = [Number(query['start_timestamp']), Number(query['end_timestamp'])]
  const text =
    format === 'ndjson' ? /"(?:timestamp|from)":(\d{13})/.exec(line)?.[1] : /(?:^|,)(\d{13})(?:,|$)/.exec(line)?.[1]
  const share = text === undefined ? Number.NaN : (Number(text) - from) / (to - from)
  return share > 0 && share < 1 ? share : 1
}
