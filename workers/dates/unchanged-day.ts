// Finds out whether a day stays the same after its opening books change.

import { nameOfPart, statePart } from '../../storage/block-store.ts'
import { isSameBytes } from '../bytes/same-bytes.ts'
import type { PartitionChange, StoredPartition } from '../partition/partition-types.ts'

/** Returns whether a replay from other opening books gave the same result as the stored day. Also compares the states
 *  of the blocks: a book whose day starts with a snapshot is not an opening book, but the states before the snapshot
 *  contain the earlier book, and the snapshot is compared with that book. */
export function isUnchanged({ head, books, bytes }: StoredPartition, next: PartitionChange): boolean {
  if (!isSameBytes(next.books!.opening, books.opening) || !isSameBytes(next.books!.closing, books.closing)) return false
  if (!Bun.deepEquals(next.head!.books, head.books)) return false
  if (!Bun.deepEquals(next.head!.inferredGaps, head.inferredGaps)) return false
  const put = new Map(next.put.map((part) => [nameOfPart(part), part.content]))
  return head.blocks.every(({ stateId }, index) => {
    const content = put.get(nameOfPart(statePart(next.head!.blocks[index]!.stateId)))
    return index === 0 || (content instanceof Uint8Array && isSameBytes(content, bytes(statePart(stateId))))
  })
}
