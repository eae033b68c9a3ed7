// How large an answer is, by what was read of it.

import type { Format, Take } from './requests.ts'

export type Measured = {
  /** Null where nothing says how many there are. */
  rows: number | null
  bytes: number
  /** Not all of the answer was read: `bytes`, and `rows` where the server does not say them, are an estimate. */
  isEstimate: boolean
  /** There is more than one answer may have. */
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

/** Which part of the time asked for lies before a line. */
function shareAt(format: Format, line: string, query: Take['query']): number {
  const [from, to] = [Number(query['start_timestamp']), Number(query['end_timestamp'])]
  const text =
    format === 'ndjson' ? /"(?:timestamp|from)":(\d{13})/.exec(line)?.[1] : /(?:^|,)(\d{13})(?:,|$)/.exec(line)?.[1]
  const share = text === undefined ? Number.NaN : (Number(text) - from) / (to - from)
  return share > 0 && share < 1 ? share : 1
}
