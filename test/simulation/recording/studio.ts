// The recorders of a run: one group, or two that record the same on purpose. Whoever ends comes back at once, late, or
// never; at the end another one takes what is left, and the disks of those that came back are loaded.

import { MemoryLeases } from '../../../storage/cluster/leases/memory-leases.ts'
import { commitPartitions } from '../../../workers/partition/commit-partitions.ts'
import type { Random } from '../../../workers/synthetic/random.ts'
import { collectLines } from '../../support/collected.ts'
import type { Cluster, Workplace } from '../cluster.ts'
import type { Process } from '../world.ts'
import { Disk } from './disk.ts'
import { LeaseBook, SHARDS } from './lease-book.ts'
import { Recorded } from './recorded.ts'
import { record } from './recorder.ts'
import { TalkingVenue } from './venue.ts'

/** How far clocks of recorders may be from the venue's: times of gaps are by either. */
const APART_MS = 1_000
/** How long the last one of a group records. */
const LAST_MS = 25_000
/** What waits in a socket for longer than an hour is taken for news, since clocks may be so far apart. */
const SUSPENDED_MS_MAX = 3_000_000
/** Some join when the shards are others'. */
const COMES_MS_MAX = 30_000
const WATCH_MS = 1_000

export class Studio {
  readonly venue: TalkingVenue
  readonly recorded: Recorded
  readonly #cluster: Cluster
  readonly #random: Random
  readonly #leases: MemoryLeases
  readonly #book: LeaseBook
  readonly #disks = new Set<Disk>()
  readonly #groups: string[]
  readonly #apartMs: number
  #holders = 0

  constructor(cluster: Cluster) {
    const { world, network } = cluster
    this.#cluster = cluster
    this.#random = world.random('recorders')
    this.venue = new TalkingVenue(world, world.random('venue'))
    this.#leases = new MemoryLeases(cluster.rows.leases, cluster.databaseMs)
    this.#book = new LeaseBook(world, network)
    this.recorded = new Recorded(cluster, this.venue)
    cluster.recorded = this.recorded
    this.#groups = this.#random.chance(0.4) ? ['one', 'two'] : ['one']
    this.#apartMs = Math.min(APART_MS, cluster.weather.skewMs)
  }

  start(): void {
    for (const group of this.#groups) {
      void this.#leases.prepare(group, SHARDS)
      const count = group === 'one' ? this.#random.between(2, 3) : this.#random.between(1, 2)
      for (let index = 0; index < count; index++) {
        const comesMs = index === 0 ? 0 : this.#random.pick([0, this.#random.below(COMES_MS_MAX)])
        this.#cluster.world.after(comesMs, () => this.#start(`recorder ${group} ${index}`, group))
      }
    }
    this.#watch()
  }

  /** All goes well from now on. Resolves once everything is checked. */
  async finish(): Promise<void> {
    const { world } = this.#cluster
    this.venue.calm()
    const ends = this.#groups.map((group) => {
      const untilMs = world.nowMs + LAST_MS
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#run(`last recorder ${group}`, group, new Disk('last'), () => world.nowMs >= untilMs, resolve)
      return promise
    })
    await Promise.all(ends)
    for (const disk of this.#disks) await this.#load(disk)
    await this.recorded.requireComplete(this.#apartMs)
  }

  #start(name: string, group: string): void {
    const disk = new Disk(name.replaceAll(' ', '-'))
    this.#disks.add(disk)
    this.#run(name, group, disk, () => this.venue.isOver)
  }

  #run(name: string, group: string, disk: Disk, isOver: () => boolean, onEnd: () => void = () => undefined): void {
    const [cluster, random] = [this.#cluster, this.#random]
    const { world } = cluster
    const skewMs = random.between(-this.#apartMs, this.#apartMs)
    const process = cluster.process(name, skewMs, () => {
      const pauseMs = random.pick([300, 300, 20_000, null])
      if (pauseMs === null) this.#disks.delete(disk)
      else world.after(random.below(pauseMs), () => !isOver() && this.#run(name, group, disk, isOver, onEnd))
    })
    process.suspendableMs = SUSPENDED_MS_MAX
    const at = this.#workplace(process, group)
    const leases = this.#book.of(process, group, this.#leases)
    const { venue } = this
    const holder = `${name}:${++this.#holders}`
    const work = async () => {
      await record({ world, venue, isOver, group, holder, leases, disk, random }, at)
      this.#book.ends(process, group)
      world.note(`${name} has ended`)
      onEnd()
    }
    work().catch((error) => world.fail(error))
  }

  #workplace(process: Process, group: string): Workplace {
    const at = this.#cluster.workplaceOf(process)
    at.nowMs = () => this.#cluster.world.nowMs + process.skewMs
    at.committing = () => {
      const { isAgain } = at
      return async (commit, refused) => {
        const markets = commit.changes.map(({ market }) => market)
        try {
          if (!isAgain) this.#book.requireHeld(group, markets, commit.fences)
          await this.recorded.took(commit, refused, !isAgain)
        } catch (error) {
          this.#cluster.world.fail(error)
        }
      }
    }
    return at
  }

  #watch(): void {
    const { world } = this.#cluster
    this.#book.requireTakenOver()
    if (!this.venue.isOver) world.after(WATCH_MS, () => this.#watch())
  }

  async #load(disk: Disk): Promise<void> {
    const process = this.#cluster.process('loader of disks', 0, () => undefined)
    const at = this.#workplace(process, '')
    at.isAgain = true
    const store = at.openStore({ listens: false, isEachCallChecked: true })
    for (const name of disk.names) {
      const lines = disk.lines(name)
      this.#cluster.world.count('segments loaded at the end')
      await commitPartitions(store, collectLines(lines, at.nowMs()))
      this.recorded.requireStored(lines)
    }
  }
}
