// Where the records of a day change how far a book can be believed, as the head keeps it. Pure.

import type { BookEntry, NotedTrust } from '../../storage/format/partition-head.ts'
import type { OrderBook } from '../book/order-book.ts'

/** What the book is from an instant on, after all records up to it. Unix ms, or 0 for the start of the day. */
export function noteTrust(entry: Pick<BookEntry, 'trust'>, fromMs: number, trust: NotedTrust): void {
  entry.trust ??= []
  const changes = entry.trust
  if (changes.at(-1)?.[0] === fromMs) changes.pop()
  if (changes.at(-1)?.[1] !== trust) changes.push([fromMs, trust])
}

/** Another source is shown from an instant on: what its book is, even if that is what the book was. */
export function noteSwitch(entry: Pick<BookEntry, 'trust'>, atMs: number, trust: NotedTrust): void {
  const changes = (entry.trust ?? []).filter(([ms]) => ms !== atMs)
  entry.trust = [...changes, [atMs, trust]]
}

/** At a quote of the book, which may be the first that the shown source has of it. */
export function noteKnown(entry: Pick<BookEntry, 'trust'>, { openQuoteMs, trust }: OrderBook): void {
  if (entry.trust?.at(-1)?.[1] === 'unknown') noteTrust(entry, openQuoteMs, trust)
}
