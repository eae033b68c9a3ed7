// The words that a market is found by, and those of a question: in lower case, without accents, cut where something is
// neither letter nor digit.

import type { EventCard, MarketCard } from './metadata.ts'

/** More words of one market are not found by: its text is no title. */
const WORDS_MAX = 400
export const QUERY_WORDS_MAX = 32

export function wordsOf(text: string): string[] {
  const folded = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase().toLowerCase().replaceAll('ς', 'σ')
  return folded.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Those of a question, each once. A word that begins another one says nothing beside it. */
export function queryWords(text: string): string[] {
  const words = [...new Set(wordsOf(text))]
  const needed = words.filter((word) => !words.some((other) => other !== word && other.startsWith(word)))
  return needed.slice(0, QUERY_WORDS_MAX)
}

/** Of id, slug, title, event and outcomes; those of the id come first. */
export function marketWords(market: string, card: MarketCard | undefined, event: EventCard | undefined): string[] {
  const { slug, title, subtitle, event: eventId, outcomes = [] } = card ?? {}
  const named = outcomes.flatMap((outcome) => [outcome.outcome, outcome.title])
  const texts = [market, slug, title, subtitle, eventId, event?.title, event?.subtitle, ...named]
  const words = new Set(texts.flatMap((text) => wordsOf(text ?? '')))
  return [...words].slice(0, WORDS_MAX)
}

/** An id as it is stored; null for what can be none. */
export const idOfText = (text: string, venue: 'kalshi' | 'polymarket'): string | null => {
  const id = text.trim()
  if (!/^[A-Za-z0-9._-]{1,128}$/.test(id)) return null
  return venue === 'kalshi' ? id.toUpperCase() : id.toLowerCase()
}
