// Commits a part of a capture, in transactions of some megabytes.

import type { BlockStore } from '../../storage/block-store.ts'
import { collectGarbage } from '../collect-garbage.ts'
import { bytesOf, type CollectedPartition } from '../partition/collected-partition.ts'
import { planCommit } from '../partition/commit-partition.ts'
import { LOADING } from './record-router.ts'

export type Committed = { recordsAdded: number; partitionsChanged: number }

const TRANSACTION_BYTES_MAX = 16 << 20
const TRANSACTION_PARTITIONS_MAX = 1_000

/** Lets go of the blocks of what is committed. Throws DataError. */
export function commitPart(blocks: BlockStore, partitions: CollectedPartition[]): Committed {
  const committed: Committed = { recordsAdded: 0, partitionsChanged: 0 }
  let batch: CollectedPartition[] = []
  let batchBytes = 0
  for (const partition of partitions) {
    batch.push(partition)
    batchBytes += bytesOf(partition)
    if (batchBytes < TRANSACTION_BYTES_MAX && batch.length < TRANSACTION_PARTITIONS_MAX) continue
    commitBatch(blocks, batch, committed)
    batch = []
    batchBytes = 0
  }
  if (batch.length > 0) commitBatch(blocks, batch, committed)
  return committed
}

function commitBatch(blocks: BlockStore, batch: CollectedPartition[], committed: Committed): void {
  blocks.transaction((apply) => {
    for (const partition of batch) {
      for (const change of planCommit(blocks, partition)) {
        apply(change)
        committed.partitionsChanged++
        committed.recordsAdded += change.head.recordCount - (change.before?.recordCount ?? 0)
      }
      partition.blocks.length = 0
      partition.replayed = null
      collectGarbage(LOADING)
    }
  })
}
