// Writes whole partitions of stored records into a new store, in key order: blocks and what is stored beside them are
// made anew.

import type { MarketChange } from '../../storage/catalogue.ts'
import type { Store } from '../../storage/open-store.ts'
import { collectGarbage, type MemoryLimit } from '../collect-garbage.ts'
import type { CollectedPartition } from '../partition/collected-partition.ts'
import { MarketPlan } from '../partition/market-plan.ts'

const MEMORY: MemoryLimit = { residentBytes: 256 * 2 ** 20, timeShare: 3 }
const COMMIT_MARKETS = 1_000
const COMMIT_RECORDS = 1_000_000

/** Commits some megabytes of partitions at a time: each commit waits for the disk. */
export class MarketWriter {
  readonly #store: Store
  #waiting: MarketChange[] = []
  #plan: MarketPlan | undefined
  #market = ''
  #records = 0

  constructor(store: Store) {
    this.#store = store
  }

  async add(partition: CollectedPartition): Promise<void> {
    const { venue, market } = partition.key
    if (this.#plan === undefined || this.#market !== `${venue} ${market}`) {
      this.#endMarket()
      this.#market = `${venue} ${market}`
      this.#plan = await MarketPlan.begin(this.#store, venue, market)
    }
    await this.#plan.add(partition)
    this.#records += partition.recordCount
    if (this.#records >= COMMIT_RECORDS || this.#waiting.length >= COMMIT_MARKETS) await this.finish()
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
    this.#waiting.push(this.#plan.change())
    this.#plan = undefined
  }
}
