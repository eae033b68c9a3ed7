// Where the records of a day change how far a book can be believed, as the head keeps it. Pure.

import type { BookEntry, NotedTrust } from '../../storage/format/partition-head.ts'
import { AFTER } from '../evidence/trust-table.ts'

/** What the book is from its first quote on, or from the start of a day that has an opening book of it. */
export const firstTrust = ({ startsFrom }: Pick<BookEntry, 'startsFrom'>) =>
  AFTER[startsFrom === 'neither' ? 'record' : 'snapshot'].unknown

/** Notes what evidence makes of a book from an instant on, after all records up to it. Unix ms, or 0 for the start of
 *  the day. */
export function noteEvidence(
  entry: Pick<BookEntry, 'trust' | 'startsFrom'>,
  fromMs: number,
  evidence: 'snapshot' | 'record' | 'agreeingHash' | 'gap',
): void {
  const changes = entry.trust ?? []
  const before = changes.at(-1)?.[1] ?? firstTrust(entry)
  const trust = AFTER[evidence][before]
  if (trust === before) return
  if (changes.at(-1)?.[0] === fromMs) changes.pop()
  if (changes.at(-1)?.[1] !== trust) changes.push([fromMs, trust])
  entry.trust = changes
}

/** Another source is shown from an instant on: what its book is, even if that is what the book was. A switch is no
 *  evidence of the book. */
export function noteSwitch(entry: Pick<BookEntry, 'trust'>, atMs: number, trust: NotedTrust): void {
  const changes = (entry.trust ?? []).filter(([ms]) => ms !== atMs)
  entry.trust = [...changes, [atMs, trust]]
}
