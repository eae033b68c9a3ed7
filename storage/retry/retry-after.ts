// Parses the Retry-After header: RFC 9110, section 10.2.3.

/** Returns how long a Retry-After header asks to wait from `nowMs` (Unix ms), in ms. Returns 0 for a date that has
 *  passed, and undefined if the header is neither seconds nor a date. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^[0-9]{1,9}$/.test(text)) return Number(text) * 1_000
  // Date.parse accepts numbers and much else as dates.
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return undefined
  const dateMs = Date.parse(text)
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs)
}
