// Notes in the head each time of a day at which the trust of a book changes. Does no I/O.

import type { BookEntry, NotedTrust } from '../../storage/format/partition-head.ts'
import { AFTER } from '../evidence/trust-table.ts'

/** Returns the trust of a book from its first quote on, or from the start of the day if it has an opening book. */
export const firstTrust = ({ startsFrom }: Pick<BookEntry, 'startsFrom'>) =>
  AFTER[startsFrom === 'neither' ? 'record' : 'snapshot'].unknown

/** Notes how evidence changes the trust of a book. The change applies from `fromMs` on, after all records up to that
 *  time. `fromMs` is in Unix ms; 0 is the start of the day. */
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

/** Notes the trust of a book from a switch to another source on, even if the trust stays the same. A switch is not
 *  evidence. */
export function noteSwitch(entry: Pick<BookEntry, 'trust'>, atMs: number, trust: NotedTrust): void {
  const changes = (entry.trust ?? []).filter(([ms]) => ms !== atMs)
  entry.trust = [...changes, [atMs, trust]]
}
