// Finds whether the sequence numbers of a stored date step back, as they do when its recorder reconnects.

import { type BlockStore, blockPart } from '../../storage/block-store.ts'
import { decodeBlock } from '../../storage/format/block.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { StoredOrigins } from '../block/stored-origins.ts'
import { bookColumns } from '../book/book-columns.ts'
import { SequenceSteps } from '../evidence/sequence-steps.ts'

/** Rejects with DataError('block_corrupt'). */
export async function doNumbersRestart(
  blocks: BlockStore,
  key: PartitionKey,
  head: Pick<PartitionHead, 'blocks'>,
): Promise<boolean> {
  const steps = new SequenceSteps([])
  for (const { id } of head.blocks) {
    const part = blockPart(id)
    const block = decodeBlock((await blocks.fetch([{ key, ...part }])).bytes(key, part))
    const { sids, seqs } = new StoredOrigins(block, bookColumns(block)).sequences() ?? { sids: [], seqs: [] }
    for (let record = 0; record < seqs.length; record++) {
      if (steps.isStepBack(sids[record]!, seqs[record]!)) return true
    }
  }
  return false
}
