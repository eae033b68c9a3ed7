// Reads a range page by page, each page from any node, with the cursor from another node. The pages of a day show what
// the day held after one commit, or a node reports that the day has changed.

import { DataError } from '../../storage/failures.ts'
import type { Position } from '../../workers/requests.ts'
import type { Random } from '../../workers/synthetic/random.ts'
import type { Cluster, Workplace } from './cluster.ts'
import { pauseMs } from './fault-plan.ts'
import { ofEachDate, type Page } from './reader.ts'

/** How long a page may take, ms. Longer means that the node has ended: a node that has ended never answers. */
const PATIENCE_MS = 60_000
const NO_ANSWER = 'no answer'
const TRIES = 5

export const client =
  (cluster: Cluster, random: Random, markets: readonly string[], count: number) => async (at: Workplace) => {
    for (let round = 0; round < count; round++) {
      await cluster.world.sleep(at.process, pauseMs(random))
      await new Client(cluster, at, random).read(random.pick(markets))
    }
  }

class Client {
  readonly #cluster: Cluster
  readonly #at: Workplace
  readonly #random: Random

  constructor(cluster: Cluster, at: Workplace, random: Random) {
    this.#cluster = cluster
    this.#at = at
    this.#random = random
  }

  async read(market: string): Promise<void> {
    const { world, history } = this.#cluster
    const numbers: number[] = []
    let after: Position | null = null
    for (let failed = 0; ; ) {
      const page: Page | string = await this.#ask(market, after)
      if (typeof page === 'string') {
        world.count(`pages refused: ${page}`)
        if (page === 'cursor_stale' || page === 'market_not_stored' || ++failed === TRIES) return
        continue
      }
      numbers.push(...page.numbers)
      after = page.next
      if (after === null) break
      await world.sleep(this.#at.process, this.#random.burst(1_000))
    }
    for (const isShown of ofEachDate(numbers)) {
      if (history.find(market, 0, isShown) !== undefined) continue
      const states = history.states(market).map((state) => [...state].join(' '))
      throw new Error(`${market} in pages of several nodes: ${numbers}, after no commit: ${JSON.stringify(states)}`)
    }
    world.count('ranges in pages of several nodes')
  }

  /** Returns the page, or the reason why there is none. */
  async #ask(market: string, after: Position | null): Promise<Page | string> {
    const { world, nodes } = this.#cluster
    const node = this.#random.pick([...nodes.values()])
    const patience = world.sleep(this.#at.process, PATIENCE_MS).then(() => NO_ANSWER)
    try {
      return await Promise.race([node.page(market, after), patience])
    } catch (error) {
      if (error instanceof DataError) return error.code
      throw error
    }
  }
}
