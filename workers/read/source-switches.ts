// Finds where a day switches to the books of another source: at its start, or at the start of a block. Used to read
// all books of a market. A replay of one book switches in `BookCursor`.

import { type PartId, type Parts, statePart } from '../../storage/block-store.ts'
import type { StoredDay } from '../../storage/catalogue.ts'
import { isSwitchedTo } from '../../storage/format/head-layers.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { dateStartMs } from '../../storage/units.ts'

/** A switch at `atMs`, Unix ms, before the record `firstRecord` of the day. `part` has the books of the new source. */
export type SourceSwitch = { atMs: number; firstRecord: number; part: PartId | { kind: 'books' } }

/** Returns the switches between a block of a day and the block before it, in order; at most two. `before` is the head
 *  of the stored day before. */
export function switchesBefore(
  { date, head }: StoredDay,
  block: number,
  before: PartitionHead | undefined,
): SourceSwitch[] {
  const { begins, stateId, firstRecord } = head.blocks[block]!
  const isSwitched = block === 0 && before !== undefined && isSwitchedTo(before, head)
  return [
    ...(isSwitched ? [{ atMs: dateStartMs(date), firstRecord, part: { kind: 'books' } as const }] : []),
    ...(begins === undefined ? [] : [{ atMs: begins, firstRecord, part: statePart(stateId) }]),
  ]
}

/** Returns the books of the new source; null if it has none. The part must be among `parts`. */
export const booksOfSwitch = (parts: Parts, key: PartitionKey, { part }: SourceSwitch): Uint8Array | null =>
  part.kind === 'books' ? parts.books(key).opening : parts.bytes(key, part)
