// How a process is notified of commits: in order, each after a delay, until its connection falls silent. The process
// notices the silence a moment later, and some time after that it receives notifications again. It never receives those
// that were sent meanwhile.

import type { Listener } from '../../storage/cluster/cluster-rows.ts'
import { entryKey, removedKey } from '../../storage/rows/keys.ts'
import { openMarket } from '../../storage/rows/market-rows.ts'
import type { Venue } from '../../storage/venue.ts'
import type { Random } from '../../workers/synthetic/random.ts'
import type { MemoryClusterRows } from '../support/cluster/memory-cluster-rows.ts'
import type { History } from './history.ts'
import type { Network } from './network.ts'
import type { Process, World } from './world.ts'

/** Maximum time until a process notices a silence, and until the silence ends, ms. */
const NOTICED_MS = 1_500
const SILENT_MS = 60_000

export type Surroundings = { world: World; network: Network; history: History; rows: MemoryClusterRows }

export class Listening {
  readonly #surroundings: Surroundings
  readonly #process: Process
  readonly #listener: Listener
  readonly #random: Random
  readonly #onTheirWay: (() => void)[] = []
  #isSilent = false
  #lastMs = 0

  constructor(surroundings: Surroundings, process: Process, listener: Listener, random: Random) {
    this.#surroundings = surroundings
    this.#process = process
    this.#listener = listener
    this.#random = random
    const changed: Listener['changed'] = (markets) => this.#notify(markets)
    void surroundings.rows.listen({ changed, watching: () => undefined, lost: () => undefined })
    this.#begin()
  }

  #notify(markets: Parameters<Listener['changed']>[0]): void {
    const { world, network, rows } = this.#surroundings
    if (!this.#process.isAlive || this.#isSilent) return
    if (this.#random.chance(network.faultPlan.silences)) return this.#fallSilent()
    // This runs before the history has the commit.
    const commits = markets.map(({ venue, market }) => {
      return [market, revisionOf(rows, venue, market)] as const
    })
    this.#send(() => {
      world.note(`${this.#process.name} hears of ${markets.map(({ market }) => market)}`)
      world.count('commits heard of')
      for (const [market, count] of commits) this.#process.knownCommits.set(market, count)
      this.#listener.changed(markets)
    })
  }

  /** A process that starts to listen must ask once for earlier commits. */
  #begin(): void {
    const { history, world } = this.#surroundings
    const commits = history.allCommits()
    this.#isSilent = false
    this.#send(() => {
      world.note(`${this.#process.name} hears`)
      for (const [market, count] of commits) this.#process.knownCommits.set(market, count)
      this.#process.isListening = true
      this.#listener.watching()
    })
  }

  #fallSilent(): void {
    const { world } = this.#surroundings
    this.#isSilent = true
    world.note(`${this.#process.name} hears nothing any more`)
    world.timer(this.#process, NOTICED_MS, () => {
      this.#process.isListening = false
      world.count('silences noticed')
      this.#listener.lost()
      world.timer(this.#process, this.#random.below(SILENT_MS), () => this.#begin())
    })
  }

  /** Delivers in order: no notification overtakes an earlier one. */
  #send(arrive: () => void): void {
    const { world } = this.#surroundings
    this.#onTheirWay.push(arrive)
    const atMs = Math.max(this.#lastMs, world.nowMs + this.#random.burst(20))
    this.#lastMs = atMs
    world.timer(this.#process, atMs - world.nowMs, () => this.#onTheirWay.shift()?.())
  }
}

/** Returns the revision of a market, also of a market that has lost its days. */
export function revisionOf(rows: MemoryClusterRows, venue: Venue, market: string): number {
  const keys = [entryKey(venue, market), removedKey(venue, market)]
  return Math.max(...keys.map((key) => openMarket(key, rows.read(key)).revision))
}
