// The cluster of a run: its two stores and the processes that use them. Checks both stores after every change.

import type { ClusterRows, Listener } from '../../storage/cluster/cluster-rows.ts'
import { type ClusterParts, clusterStore } from '../../storage/cluster/cluster-store.ts'
import { NO_CACHE, type PieceCache } from '../../storage/cluster/piece-reader.ts'
import type { Store } from '../../storage/open-store.ts'
import type { Random } from '../../workers/synthetic/random.ts'
import { MemoryClusterRows } from '../support/cluster/memory-cluster-rows.ts'
import { MemoryObjects } from '../support/cluster/memory-objects.ts'
import { type ChangedMarket, DamagedCache, damaged, objectsOf, rowsOf, shortOf } from './doubles.ts'
import { drawFaultPlan, type FaultPlan, withoutNewFaults } from './fault-plan.ts'
import { History } from './history.ts'
import { Listening } from './listening.ts'
import type { Load } from './made-loads.ts'
import { Network } from './network.ts'
import type { Node } from './reader.ts'
import type { Recorded } from './recording/recorded.ts'
import { Process, World } from './world.ts'

/** What a process works with. */
export type Workplace = {
  process: Process
  objects: ReturnType<typeof objectsOf>
  rows: ClusterRows
  openStore: (options: Pick<ClusterParts, 'listens' | 'isEachCallChecked'>) => Store
  nowMs: () => number
  randomBytes: (count: number) => Uint8Array
  /** The load in progress, to which commits belong; null if there is none. */
  load: Load | null
  /** Whether a recorder is loading a segment as a whole. */
  isAgain: boolean
  /** Called when a commit is sent. Returns the function to call when the commit has taken effect. */
  committing: () => Committed
}

export type Committed = (changes: ChangedMarket[]) => void | Promise<void>

export class Cluster {
  readonly world: World
  readonly network: Network
  readonly history = new History()
  /** The running node of each name, or the last one that ran. */
  readonly nodes = new Map<string, Node>()
  /** What recorders have stored; undefined in a run without recorders. */
  recorded: Recorded | undefined
  readonly stored: MemoryObjects['stored'] = new Map()
  readonly rows = new MemoryClusterRows()
  readonly objects: MemoryObjects
  /** Keys of objects that were acknowledged but not stored intact, and the process that put each of them. */
  readonly broken = new Map<string, string>()
  readonly #random: Random
  readonly #nonces: Random
  readonly #damage: Random
  readonly #caches = new Map<string, DamagedCache>()

  constructor(seed: number, faultsForMs: number) {
    this.world = new World(seed)
    this.#random = this.world.random('cluster')
    this.#nonces = this.world.random('nonces')
    this.network = new Network(this.world, drawFaultPlan(this.world.random('weather')))
    const objectsSkewMs = this.skewMs()
    this.objects = new MemoryObjects(this.stored, () => this.world.nowMs + objectsSkewMs)
    this.#damage = this.world.random('damage')
    this.world.after(faultsForMs, () => this.endFaults())
  }

  get faultPlan(): FaultPlan {
    return this.network.faultPlan
  }

  isRecorded(market: string): boolean {
    return this.recorded?.has(market) === true
  }

  endFaults(): void {
    this.world.note('all goes well from now on')
    this.network.faultPlan = withoutNewFaults(this.faultPlan)
  }

  /** Returns how far a clock is ahead of the world's, ms. */
  skewMs(): number {
    const { skewMs } = this.faultPlan
    return skewMs === 0 ? 0 : this.#random.between(-skewMs, skewMs)
  }

  /** Runs a program until it ends by itself, and restarts it after each crash. Only its cache, and what the program
   *  itself holds, outlive a process. */
  start(name: string, program: (at: Workplace) => Promise<void>): void {
    const restart = () => {
      if (this.#random.chance(0.5)) this.#caches.get(name)?.clear()
      this.start(name, program)
    }
    const process = this.process(name, this.skewMs(), () => this.world.after(this.#random.burst(300), restart))
    program(this.#workplace(process)).catch((error) => this.world.fail(error))
  }

  process(name: string, skewMs: number, onEnd: () => void): Process {
    this.world.note(`${name} starts`)
    const process = new Process(name, skewMs, () => {
      this.world.note(`${name} crashes`)
      onEnd()
    })
    return process
  }

  #workplace(process: Process): Workplace {
    const cache =
      this.#caches.get(process.name) ?? new DamagedCache(this.world.random(`cache ${process.name}`), this.network)
    this.#caches.set(process.name, cache)
    return this.workplaceOf(process, cache)
  }

  workplaceOf(process: Process, cache: PieceCache = NO_CACHE): Workplace {
    const nowMs = () => {
      if (this.#random.chance(0.05)) process.skewMs = this.skewMs()
      return this.world.nowMs + process.skewMs
    }
    const randomBytes = (count: number) => Uint8Array.from({ length: count }, () => this.#nonces.below(256))
    const objects = objectsOf(process, this.network, this.objects, (key, bytes) => this.#put(process, key, bytes))
    const at = { process, objects, nowMs, randomBytes, load: null, isAgain: false } as unknown as Workplace
    at.committing = () => this.#committing(at.load)
    const listens = (listener: Listener) => void new Listening(this, process, listener, this.#random)
    at.rows = rowsOf(process, this.network, this.rows, listens, () => at.committing())
    const clock = {
      steadyMs: () => this.world.nowMs,
      after: (delayMs: number, ring: () => void) => this.world.timer(process, delayMs, ring),
    }
    at.openStore = (options) =>
      clusterStore({ objects, rows: at.rows, cache, nowMs: () => at.nowMs(), clock, randomBytes, ...options })
    return at
  }

  /** Returns the function to call when a commit takes effect. It adds the commit to the history. */
  #committing(load: Load | null): Committed {
    return (changes) => {
      for (const { market, revision } of changes) this.history.took(market, revision, load!.numbers.get(market)!)
    }
  }

  /** Loses or damages some objects, unnoticed by the process that puts them. */
  async #put({ name }: Process, key: string, bytes: Uint8Array): Promise<void> {
    const isAgain = this.stored.has(key) || this.broken.has(key)
    if (isAgain || !this.#damage.chance(this.faultPlan.objectDamage)) {
      this.broken.delete(key)
      return this.objects.put(key, bytes)
    }
    this.broken.set(key, name)
    this.world.note(`the object ${shortOf(key)} breaks`)
    if (this.#damage.chance(0.7)) await this.objects.put(key, damaged(bytes, this.#damage))
  }
}
