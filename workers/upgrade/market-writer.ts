// Writes whole partitions of stored records into a new store, in key order: blocks and what is stored beside them are
// made anew.

import type { MarketChange } from '../../storage/catalogue.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
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
