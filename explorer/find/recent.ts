// The markets that were looked at on this device, the newest first.

import { signal } from '@preact/signals'
import { VENUES, type Venue } from '../state/view.ts'

export type Recent = { venue: Venue; market: string; title: string | null }

const NAME = 'backbook-recent'
const COUNT_MAX = 12

export const recent = signal<readonly Recent[]>(recentIn(localStorage.getItem(NAME)))

export function noteRecent(market: Recent): void {
  const next = withRecent(recent.peek(), market)
  if (JSON.stringify(next) === JSON.stringify(recent.peek())) return
  recent.value = next
  localStorage.setItem(NAME, JSON.stringify(next))
}

export function forgetRecent(): void {
  recent.value = []
  localStorage.removeItem(NAME)
}

/** First, and once. A title that was known before stays. */
function withRecent(list: readonly Recent[], { venue, market, title }: Recent): Recent[] {
  const isSame = (each: Recent) => each.venue === venue && each.market === market
  const known = title ?? list.find(isSame)?.title ?? null
  return [{ venue, market, title: known }, ...list.filter((each) => !isSame(each))].slice(0, COUNT_MAX)
}

/** Whatever was kept by another version, or by somebody else, is none. */
function recentIn(text: string | null): Recent[] {
  try {
    const kept = JSON.parse(text ?? '[]') as unknown
    return Array.isArray(kept) ? kept.filter(isRecent).slice(0, COUNT_MAX) : []
  } catch {
    return []
  }
}

function isRecent(each: Partial<Recent> | null): each is Recent {
  const isText = typeof each?.market === 'string' && (each.title === null || typeof each.title === 'string')
  return isText && VENUES.some((venue) => venue === each?.venue)
}
