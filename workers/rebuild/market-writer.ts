// Writes whole partitions of stored records into a new store, in key order: blocks and what is stored beside them are
// made anew.

import type { MarketChange } from '../../storage/catalogue.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { BlockBuilder, type EncodedBlock } from '../block/block-builder.ts'
import { BookTable } from '../block/book-table.ts'
import type { DecodedBlock } from '../block/decoded-block.ts'
import { QuoteClock } from '../block/quote-clock.ts'
import { collectGarbage, type MemoryLimit } from '../collect-garbage.ts'
import type { CollectedPartition } from '../partition/collected-partition.ts'
import { MarketPlan } from '../partition/market-plan.ts'

/** Which cursors of a partition are still exact. */
export type Edits = Pick<PartitionHead, 'revision' | 'edits'>

const MEMORY: MemoryLimit = { residentBytes: 256 * 2 ** 20, timeShare: 3 }
const COMMIT_MARKETS = 1_000
export const COMMIT_RECORDS = 1_000_000

/** Commits some megabytes of partitions at a time: each commit waits for the disk. */
export class MarketWriter {
  readonly #store: Store
  readonly #commitRecords: number
  #waiting: MarketChange[] = []
  #plan: MarketPlan | undefined
  #market = ''
  /** Of the market that is being planned, by date. */
  #edits = new Map<string, Edits>()
  #records = 0

  constructor(store: Store, commitRecords = COMMIT_RECORDS) {
    this.#store = store
    this.#commitRecords = commitRecords
  }

  /** `edits` are those of the partition whose records these are, number by number. */
  async add(partition: CollectedPartition, edits?: Edits): Promise<void> {
    const { venue, market, date } = partition.key
    if (this.#plan === undefined || this.#market !== `${venue} ${market}`) {
      this.#endMarket()
      this.#market = `${venue} ${market}`
      this.#plan = await MarketPlan.begin(this.#store, venue, market)
    }
    await this.#plan.add(partition)
    if (edits !== undefined) this.#edits.set(date, edits)
    this.#records += partition.recordCount
    if (this.#records >= this.#commitRecords || this.#waiting.length >= COMMIT_MARKETS) await this.finish()
    collectGarbage(MEMORY)
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
    for (const { key, head } of change.partitions) {
      const edits = this.#edits.get(key.date)
      if (edits !== undefined) Object.assign(head!, { revision: edits.revision, edits: edits.edits })
    }
    this.#waiting.push(change)
    this.#plan = undefined
    this.#edits = new Map()
  }
}

/** Records of a partition in their order, as one capture would give them; without `keeps`, which is asked of one after
 *  the other, all of them. `looseSnapshots` are those that are kept. */
export function collectStored(
  key: PartitionKey,
  stored: Iterable<DecodedBlock>,
  looseSnapshots: number[],
  recorders: string[] = [],
  keeps: (block: DecodedBlock, record: number) => boolean = () => true,
): CollectedPartition {
  const books = new BookTable(key.venue === 'kalshi' ? key.market : undefined)
  const clock = new QuoteClock()
  const builder = new BlockBuilder(books, clock)
  const blocks: EncodedBlock[] = []
  let recordCount = 0
  for (const block of stored) {
    for (let record = 0; record < block.recordCount; record++) {
      if (!keeps(block, record)) continue
      recordCount++
      builder.pushStored(block, record, block.timesMs[record]!)
      if (builder.isFull) blocks.push(builder.finish())
    }
  }
  if (builder.recordCount > 0) blocks.push(builder.finish())
  return {
    ...{ key, recordCount, blocks, looseSnapshots },
    ...{ bookIds: books.ids(), firstUs: clock.first(), isSorted: true },
    ...{ startsMs: Number.NaN, earliestTwinMs: Number.POSITIVE_INFINITY, planned: null, ongoing: null, recorders },
  }
}
