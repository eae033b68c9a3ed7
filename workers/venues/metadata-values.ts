// Values as metadata of both venues prints them.

/** Null for what says nothing. */
export const knownText = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null

/** A number, or the text of one. Null for anything else. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** RFC 3339, or as Gamma prints some: "2026-07-24 00:00:16+00". Null for anything else, and for the year 1, with which
 *  Kalshi says that it does not know. */
export function timeMsOf(value: unknown): number | null {
  if (typeof value !== 'string') return null
  const ms = Date.parse(value.replace(/^(\d{4}-\d{2}-\d{2}) (.*[+-]\d{2})$/, '$1T$2:00'))
  return ms > 0 ? ms : null
}

/** A list of texts, or the JSON of one in a string. */
export function textsOf(value: unknown): string[] {
  let list = value
  if (typeof value === 'string') {
    try {
      list = JSON.parse(value)
    } catch {
      return []
    }
  }
  return Array.isArray(list) ? list.map(String) : []
}
