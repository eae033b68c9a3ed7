// Formats a span of time with its zone, without repeating the date.

import type { Span } from '../state/shown.ts'
import { clockText, dateText, zoneText } from '../state/time-text.ts'

/** Returns a text such as `2026-07-20 12:00:00 to 12:59:59.999 UTC`. */
export function rangeText({ fromMs, toMs }: Span, zone: string): string {
  const clock = (ms: number) => clockText(ms, zone, ms % 1_000 === 0 ? 1_000 : 1)
  const [first, last] = [dateText(fromMs, zone), dateText(toMs, zone)]
  const end = first === last ? clock(toMs) : `${last} ${clock(toMs)}`
  return `${first} ${clock(fromMs)} to ${end} ${zoneText(zone, fromMs)}`
}
