// Where the records of a day change how far a book can be believed, as the head keeps it. Pure.

import type { BookEntry, BookTrust } from '../../storage/format/partition-head.ts'

/** What the book is from an instant on, after all records up to it. Unix ms, or 0 for the start of the day. */
export function noteTrust(entry: Pick<BookEntry, 'trust'>, fromMs: number, trust: BookTrust | 'doubtful'): void {
  entry.trust ??= []
  const changes = entry.trust
  if (changes.at(-1)?.[0] === fromMs) changes.pop()
  if (changes.at(-1)?.[1] !== trust) changes.push([fromMs, trust])
}
