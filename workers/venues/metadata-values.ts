// Reads values in the forms that the metadata of both venues uses.

/** Returns a text; null for anything else, and for blank text. */
export const knownText = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null

/** Returns a number, or the number in a text; null for anything else. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** Returns Unix ms of RFC 3339, or of Gamma's form "2026-07-24 00:00:16+00". Returns null for anything else, and for
 *  times before 1970: Kalshi uses the year 1 for unknown times. */
export function timeMsOf(value: unknown): number | null {
  if (typeof value !== 'string') return null
  const ms = Date.parse(value.replace(/^(\d{4}-\d{2}-\d{2}) (.*[+-]\d{2})$/, '$1T$2:00'))
  return ms > 0 ? ms : null
}

/** Returns a list of texts, or the list that a string contains as JSON; empty for anything else. */
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
