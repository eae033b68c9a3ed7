// Commits a part of a capture, in transactions of some megabytes.

import type { Store } from '../../storage/open-store.ts'
import { collectGarbage, LOADING } from '../collect-garbage.ts'
import { type Committed, commitPartitions } from '../dates/commit-partitions.ts'
import { bytesOf, type CollectedPartition } from '../partition/collected-partition.ts'

const TRANSACTION_BYTES_MAX = 16 << 20
/** Maximum number of partitions in a transaction. If twice `store.partitionsAtOnce` is larger, that is the maximum:
 *  the last segment of a batch may double the number of partitions. */
const TRANSACTION_PARTITIONS_MAX = 1_000

/** Commits partitions, releases their blocks, and adds the results to `committed`. Throws DataError. */
export async function commitPart(
  store: Store,
  partitions: readonly CollectedPartition[],
  committed: Committed = { recordsAdded: 0, changed: new Set() },
): Promise<Committed> {
  const partitionsMax = Math.max(TRANSACTION_PARTITIONS_MAX, 2 * store.partitionsAtOnce)
  let batch: CollectedPartition[] = []
  let batchBytes = 0
  const commit = async () => {
    store.refresh()
    const { recordsAdded, changed } = await commitPartitions(store, batch, () => collectGarbage(LOADING))
    committed.recordsAdded += recordsAdded
    for (const name of changed) committed.changed.add(name)
    for (const partition of batch) {
      partition.blocks.length = 0
      partition.planned = null
    }
    batch = []
    batchBytes = 0
  }
  for (const partition of partitions) {
    batch.push(partition)
    batchBytes += bytesOf(partition)
    if (batchBytes >= TRANSACTION_BYTES_MAX || batch.length >= partitionsMax) await commit()
  }
  if (batch.length > 0) await commit()
  return committed
}
