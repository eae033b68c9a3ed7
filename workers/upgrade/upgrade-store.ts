// Turns a store of format 2 into one of today's format, partition by partition: records are copied column by column,
// and what is stored beside them is made by the writer.

import { blockPart } from '../../storage/block-store.ts'
import type { MarketChange } from '../../storage/catalogue.ts'
import { damageIn } from '../../storage/damage.ts'
import { DataError } from '../../storage/failures.ts'
import { decodeBlock } from '../../storage/format/block.ts'
import type { OldPartition, OldStore } from '../../storage/lmdb/format-2.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { BlockBuilder, type EncodedBlock } from '../block/block-builder.ts'
import { BookTable } from '../block/book-table.ts'
import { decodeWholeBlock } from '../block/decoded-block.ts'
import { QuoteClock } from '../block/quote-clock.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'
import { collectGarbage, type MemoryLimit } from '../collect-garbage.ts'
import type { CollectedPartition } from '../partition/collected-partition.ts'
import { MarketPlan } from '../partition/market-plan.ts'
import { RecordWriter } from '../table/record-writer.ts'
import { withTradeMeaning } from './trade-meaning.ts'

const MEMORY: MemoryLimit = { residentBytes: 256 * 2 ** 20, timeShare: 3 }
const COMMIT_MARKETS = 1_000

/** `onPartition` is called before each. After so many records they are committed. */
export type UpgradeOptions = { onPartition: () => void; commitRecords: number }

/** What was upgraded before stays, so an upgrade that was ended goes on where it was. Returns the number of records.
 *  Throws DataError('block_corrupt') where the old store is damaged. */
export async function upgradeStore(old: OldStore, store: Store, options: UpgradeOptions): Promise<number> {
  let records = 0
  const writer = new MarketWriter(store, options.commitRecords)
  for (const partition of old.partitions()) {
    options.onPartition()
    records += partition.recordCount
    const known = await store.catalogue.head(partition.key)
    if (known === undefined) await writer.add(partition)
    collectGarbage(MEMORY)
  }
  await writer.finish()
  await store.catalogue.putSlugs(old.slugs())
  return records
}

/** Commits some megabytes of partitions at a time: each commit waits for the disk. */
class MarketWriter {
  readonly #store: Store
  readonly #commitRecords: number
  #waiting: MarketChange[] = []
  #plan: MarketPlan | undefined
  #market = ''
  /** Of the market that is being planned. */
  #partitions: OldPartition[] = []
  #records = 0

  constructor(store: Store, commitRecords: number) {
    this.#store = store
    this.#commitRecords = commitRecords
  }

  async add(partition: OldPartition): Promise<void> {
    const { venue, market } = partition.key
    if (this.#plan === undefined || this.#market !== `${venue} ${market}`) {
      this.#endMarket()
      this.#market = `${venue} ${market}`
      this.#plan = await MarketPlan.begin(this.#store, venue, market)
    }
    await this.#plan.add(collect(partition))
    this.#partitions.push(partition)
    this.#records += partition.recordCount
    if (this.#records >= this.#commitRecords || this.#waiting.length >= COMMIT_MARKETS) await this.finish()
  }

  async finish(): Promise<void> {
    this.#endMarket()
    if (this.#waiting.length > 0) await this.#store.catalogue.commit(this.#waiting)
    this.#waiting = []
    this.#records = 0
    this.#store.refresh()
  }

  #endMarket(): void {
    if (this.#plan === undefined) return
    const change = this.#plan.change()
    // Records keep their numbers, so cursors that were given out stay as exact as they were.
    for (const { key, head } of change.partitions) {
      const { revision, edits } = this.#partitions.find(({ key: { date } }) => date === key.date)!
      Object.assign(head!, { revision, edits })
    }
    this.#waiting.push(change)
    this.#plan = undefined
    this.#partitions = []
  }
}

function collect({ key, recordCount, looseSnapshots, read }: OldPartition): CollectedPartition {
  const books = new BookTable(key.venue === 'kalshi' ? key.market : undefined)
  const clock = new QuoteClock()
  const builder = new BlockBuilder(books, clock)
  const blocks: EncodedBlock[] = []
  for (const bytes of read()) {
    const block = withTradeMeaning(key, decodeWholeBlock(decodeBlock(bytes)))
    for (let record = 0; record < block.recordCount; record++) {
      builder.pushStored(block, record, block.timesMs[record]!)
      if (builder.isFull) blocks.push(builder.finish())
    }
  }
  if (builder.recordCount > 0) blocks.push(builder.finish())
  return {
    ...{ key, recordCount, blocks, looseSnapshots },
    ...{ bookIds: books.ids(), firstUs: clock.first(), isSorted: true },
    ...{ earliestTwinMs: Number.POSITIVE_INFINITY, planned: null },
  }
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
