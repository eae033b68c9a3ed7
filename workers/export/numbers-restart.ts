// Finds whether the sequence numbers of a stored date step back, as they do when its recorder reconnects.

import { type BlockStore, blockPart } from '../../storage/block-store.ts'
import { decodeBlock, unpackIndexes, unpackInts } from '../../storage/format/block.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { StoredOrigins } from '../block/stored-origins.ts'
import { SequenceSteps } from '../evidence/sequence-steps.ts'

/** Returns whether the sequence numbers of a stored date step back. Rejects with DataError('block_corrupt'). */
export async function doNumbersRestart(
  blocks: BlockStore,
  key: PartitionKey,
  head: Pick<PartitionHead, 'blocks'>,
): Promise<boolean> {
  const steps = new SequenceSteps([])
  for (const { id } of head.blocks) {
    const part = blockPart(id)
    const block = decodeBlock((await blocks.fetch([{ key, ...part }])).bytes(key, part))
    const { recordCount } = block
    const timesMs = unpackInts(block.timesMs, recordCount)
    const operations = unpackIndexes(block.operations, recordCount)
    const numbers = new StoredOrigins(block, { recordCount, timesMs, operations }).sequences()
    if (numbers?.seqs.some((seq, record) => steps.isStepBack(numbers.sids[record]!, seq))) return true
  }
  return false
}
