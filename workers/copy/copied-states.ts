// Which states of partitions stood in both of two stores. A target whose partition still has the blocks of a copy
// holds nothing that the source did not hold once, since a block never changes: so a later state of the source may
// replace it. Any other blocks are somebody's own.

import { createHash } from 'node:crypto'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import { encodeHead } from '../../storage/format/partition-head-codec.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'

/** Names all that is stored of a partition: its head changes with every change of the partition. */
export const stateOf = (head: PartitionHead): string => digest(encodeHead(head))

/** Names the records of a partition: they change with the ids of its blocks. What follows from other days does not. */
export const recordsOf = ({ blocks }: PartitionHead): string =>
  digest(JSON.stringify(blocks.map(({ id, recordCount, bytes }) => [id, recordCount, bytes])))

const digest = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')

/** States of the source and the target, and the records of the target. */
export type CopiedState = { key: PartitionKey; source: string; target: string; records: string }

/** Between the two stores of a copy. It outlives the process: `note` is kept before the target is changed. */
export interface CopiedStates {
  /** Whether the target's records are those of a copy. */
  isCopied(key: PartitionKey, records: string): boolean
  /** Whether that state of the target is the copy of that one of the source. */
  isCopyOf(key: PartitionKey, source: string, target: string): boolean
  note(states: readonly CopiedState[]): void
  /** The target has these states now: what is known of earlier ones is not needed any more. */
  settle(states: readonly CopiedState[]): void
}
