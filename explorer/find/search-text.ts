// Converts the text that a reader types into a search query: words are kept, and an address is reduced to the event or
// market that it names.

import { decoded } from '../state/view.ts'
import { SHOWN } from '../venues.ts'

/** The address of a venue's page: its last segment is the slug or the ticker. */
const SITES = Object.values(SHOWN).map(({ site }) => site.replaceAll('.', '\\.'))
const ADDRESS = new RegExp(`^(?:https?://)?(?:[\\w-]+\\.)*(?:${SITES.join('|')})/(\\S*)$`, 'i')

/** Returns the parameter `q`; null if there is nothing to search for. */
export function queryText(typed: string): string | null {
  const text = typed.trim()
  const [, path = text] = ADDRESS.exec(text) ?? []
  const isAddress = path !== text
  const segment = isAddress ? path.replace(/[?#].*$/, '').replace(/\/+$/, '') : path
  const requested = isAddress ? decoded(segment.slice(segment.lastIndexOf('/') + 1)) : segment
  return /[\p{L}\p{N}]/u.test(requested) ? requested.slice(0, CHARACTERS_MAX) : null
}

/** Greatest length of a search text; the rest is dropped. */
export const CHARACTERS_MAX = 200

export type Part = { text: string; isFound: boolean }

/** Splits a text into parts. `isFound` marks the parts that match a word of the query; a match begins at the start of a
 *  word. */
export function markedParts(text: string, requested: string): Part[] {
  const words = requested.match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.length === 0) return [{ text, isFound: false }]
  // Try longer words first: a shorter one may start the same word.
  const longest = words.toSorted((a, b) => b.length - a.length).join('|')
  const parts: Part[] = []
  let at = 0
  for (const match of text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])(?:${longest})`, 'giu'))) {
    if (match.index > at) parts.push({ text: text.slice(at, match.index), isFound: false })
    parts.push({ text: match[0], isFound: true })
    at = match.index + match[0].length
  }
  if (at < text.length) parts.push({ text: text.slice(at), isFound: false })
  return parts
}

/** Returns a text such as `2026-07-20` or `2026-07-20 to 2026-07-22, 3 days`. */
export function daysText(first: string | null, last: string | null, days: number): string {
  if (first === null || last === null) return 'nothing stored'
  return first === last ? first : `${first} to ${last}, ${days} days`
}
