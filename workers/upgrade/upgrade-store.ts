// Turns a store of format 2 into one of today's format, partition by partition: records are copied column by column,
// and what is stored beside them is made by the writer.

import { blockPart } from '../../storage/block-store.ts'
import { damageIn } from '../../storage/damage.ts'
import { DataError } from '../../storage/failures.ts'
import { decodeBlock } from '../../storage/format/block.ts'
import type { OldPartition, OldStore } from '../../storage/keep-store.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { decodeWholeBlock } from '../block/decoded-block.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'
import type { CollectedPartition } from '../partition/collected-partition.ts'
import { collectStored } from '../remove/kept-records.ts'
import { RecordWriter } from '../table/record-writer.ts'
import { metadataOfSlugs } from '../venues/polymarket/gamma-metadata.ts'
import { MarketWriter } from './market-writer.ts'
import { withTradeMeaning } from './trade-meaning.ts'

/** `onPartition` is called before each. After so many records they are committed. `loadedMs` is when. */
export type UpgradeOptions = { onPartition: () => void; commitRecords: number; loadedMs: number }

/** What was upgraded before stays, so an upgrade that was ended goes on where it was. Returns the number of records.
 *  Throws DataError('block_corrupt') where the old store is damaged. */
export async function upgradeStore(old: OldStore, store: Store, options: UpgradeOptions): Promise<number> {
  let records = 0
  const writer = new MarketWriter(store, options.commitRecords)
  for (const partition of old.partitions()) {
    options.onPartition()
    records += partition.recordCount
    const known = await store.catalogue.head(partition.key)
    if (known === undefined) await writer.add(collected(partition), partition)
  }
  await writer.finish()
  const slugs = old.slugs()
  await store.catalogue.putSlugs(slugs)
  await store.catalogue.putMetadata(metadataOfSlugs(slugs), options.loadedMs)
  return records
}

function collected({ key, looseSnapshots, read }: OldPartition): CollectedPartition {
  const blocks = read().map((bytes) => withTradeMeaning(key, decodeWholeBlock(decodeBlock(bytes))))
  return collectStored(key, blocks, looseSnapshots)
}

/** Prints every record of both stores and compares. Throws DataError('block_corrupt') at the first difference. */
export async function compareStores(old: OldStore, store: Store, onPartition: () => void): Promise<void> {
  for (const { key, read } of old.partitions()) {
    onPartition()
    if (digestOf(key, read()) === digestOf(key, await storedBlocks(store, key))) continue
    throw damageIn(key, 'records', new DataError('block_corrupt', 'the upgraded ones differ from those before'))
  }
}

async function storedBlocks(store: Store, key: PartitionKey): Promise<Uint8Array[]> {
  const head = await store.catalogue.head(key)
  const ids = head?.blocks.map(({ id }) => blockPart(id)) ?? []
  const parts = await store.blocks.fetch(ids.map((part) => ({ key, ...part })))
  return ids.map((part) => parts.bytes(key, part))
}

function digestOf({ venue, market }: PartitionKey, blocks: Uint8Array[]): string {
  const hasher = new Bun.CryptoHasher('sha256')
  const writer = new ByteWriter(65_536)
  for (const bytes of blocks) {
    const block = decodeWholeBlock(decodeBlock(bytes))
    const records = new RecordWriter(venue, market, block)
    for (let record = 0; record < block.recordCount; record++) {
      writer.length = 0
      records.write(writer, record)
      writer.writeByte(0x0a)
      hasher.update(writer.bytes.subarray(0, writer.length))
    }
  }
  return hasher.digest('hex')
}
