// The words that a market is found by, and the words of a query: in lower case, without accents, split at every
// character that is neither a letter nor a digit.

import { IDENTITIES, type Venue } from '../venue.ts'
import type { EventCard, MarketCard } from './metadata.ts'

/** The maximum number of words by which a market is found. Further words are ignored: a text that long is not a
 *  title. */
const WORDS_MAX = 400
export const QUERY_WORDS_MAX = 32

export function wordsOf(text: string): string[] {
  const folded = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase().toLowerCase().replaceAll('ς', 'σ')
  return folded.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Returns the words of a query, each once. Leaves out a word that is the start of another one, because it adds
 *  nothing. */
export function queryWords(text: string): string[] {
  const words = [...new Set(wordsOf(text))]
  const needed = words.filter((word) => !words.some((other) => other !== word && other.startsWith(word)))
  return needed.slice(0, QUERY_WORDS_MAX)
}

/** Returns the words of id, slug, title, event and outcomes; those of the id come first. */
export function marketWords(market: string, card: MarketCard | undefined, event: EventCard | undefined): string[] {
  const { slug, title, subtitle, event: eventId, outcomes = [] } = card ?? {}
  const named = outcomes.flatMap((outcome) => [outcome.outcome, outcome.title])
  const texts = [market, slug, title, subtitle, eventId, event?.title, event?.subtitle, ...named]
  const words = new Set(texts.flatMap((text) => wordsOf(text ?? '')))
  return [...words].slice(0, WORDS_MAX)
}

/** Returns the text as an id in its stored form; null if it cannot be an id. */
export const idOfText = (text: string, venue: Venue): string | null => {
  const id = text.trim()
  if (!/^[A-Za-z0-9._-]{1,128}$/.test(id)) return null
  return IDENTITIES[venue].canonical(id)
}
