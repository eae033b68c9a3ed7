// The recorders of a run: one set of recorders that shares the markets, or two sets that both record all markets. A
// recorder that ends is restarted at once, late, or only at the end. At the end, a set runs again: either the same
// recorders, or one recorder that takes all markets and has no earlier segments. Then the remaining disks are loaded.

import type { Share } from '../../../src/record/config/record-settings.ts'
import { commitPartitions } from '../../../workers/dates/commit-partitions.ts'
import type { Random } from '../../../workers/synthetic/random.ts'
import { collectLines } from '../../support/collected.ts'
import type { Cluster, Workplace } from '../cluster.ts'
import type { Process } from '../world.ts'
import { Disk } from './disk.ts'
import { Recorded } from './recorded.ts'
import { record } from './recorder.ts'
import { SendingVenue } from './venue.ts'

/** Maximum difference between a recorder's clock and the venue's, ms. The times of gaps may be by either clock. */
const APART_MS = 1_000
/** How long the last recorders run, ms. */
const LAST_MS = 25_000
/** A message that waits in a socket for more than an hour counts as new, since clocks may be that far apart. */
const SUSPENDED_MS_MAX = 3_000_000
/** Maximum delay before a recorder starts for the first time, ms. */
const COMES_MS_MAX = 30_000

/** Maximum time from the start of a recorder until it is killed, ms. */
const KILLED_MS_MAX = 40_000

type Course = { isOver: () => boolean; isKilled: boolean; onEnd?: () => void }
type Place = { name: string; share: Share | null; disk: Disk }

export class RecorderGroup {
  readonly venue: SendingVenue
  readonly recorded: Recorded
  readonly #cluster: Cluster
  readonly #random: Random
  readonly #places: Place[] = []
  /** Disks that were lost with their recorders. */
  readonly #lost = new Set<Disk>()
  readonly #sets: number
  readonly #apartMs: number

  constructor(cluster: Cluster) {
    const { world } = cluster
    this.#cluster = cluster
    this.#random = world.random('recorders')
    this.venue = new SendingVenue(world, world.random('venue'))
    this.recorded = new Recorded(cluster, this.venue)
    cluster.recorded = this.recorded
    this.#sets = this.#random.chance(0.4) ? 2 : 1
    this.#apartMs = Math.min(APART_MS, cluster.faultPlan.skewMs)
  }

  start(): void {
    for (let set = 0; set < this.#sets; set++) {
      const count = set === 0 ? this.#random.between(2, 3) : this.#random.between(1, 2)
      for (let index = 0; index < count; index++) {
        const name = `recorder ${set} ${index}`
        const share = { number: index + 1, count }
        const place: Place = { name, share, disk: new Disk(name.replaceAll(' ', '-')) }
        this.#places.push(place)
        const comesMs = this.#random.pick([0, this.#random.below(COMES_MS_MAX)])
        this.#cluster.world.after(comesMs, () => this.#run(place, { isOver: () => this.venue.isOver, isKilled: true }))
      }
    }
  }

  /** Stops all faults. Resolves once everything is checked. */
  async finish(): Promise<void> {
    const { world } = this.#cluster
    this.venue.endFaults()
    const untilMs = world.nowMs + LAST_MS
    // With two sets of recorders, what one set has stored says nothing about what the other lost with a disk.
    const isAnother = this.#lost.size > 0 || (this.#sets === 1 && this.#random.chance(0.5))
    const places = isAnother ? [{ name: 'last recorder', share: null, disk: new Disk('last') }] : this.#places
    const ends = places.map(
      (place) =>
        new Promise<void>((onEnd) => {
          this.#run(place, { isOver: () => world.nowMs >= untilMs, isKilled: false, onEnd })
        }),
    )
    await Promise.all(ends)
    for (const { disk } of this.#places) if (!this.#lost.has(disk)) await this.#load(disk)
    await this.recorded.requireComplete(this.#apartMs)
  }

  #run(place: Place, course: Course): void {
    const [cluster, random] = [this.#cluster, this.#random]
    const { isOver, isKilled, onEnd } = course
    const { world } = cluster
    const { name, share, disk } = place
    const skewMs = random.between(-this.#apartMs, this.#apartMs)
    const process = cluster.process(name, skewMs, () => {
      const pauseMs = random.pick([300, 300, 20_000, null])
      // A disk with older segments is not lost: newer records may be stored, and they imply that all older ones are.
      if (pauseMs === null && this.#sets === 1 && !disk.isBehind) this.#lost.add(disk)
      if (pauseMs === null) return
      world.after(random.below(pauseMs), () => {
        if (isOver()) return
        world.count('recorders started again')
        this.#run(place, course)
      })
    })
    process.suspendableMs = SUSPENDED_MS_MAX
    if (isKilled && random.chance(0.3)) world.after(random.below(KILLED_MS_MAX), () => process.end())
    const at = this.#workplace(process)
    const { venue } = this
    const work = async () => {
      await record({ world, venue, isOver, share, disk, random }, at)
      world.note(`${name} has ended`)
      onEnd?.()
    }
    work().catch((error) => world.fail(error))
  }

  #workplace(process: Process): Workplace {
    const at = this.#cluster.workplaceOf(process)
    at.nowMs = () => this.#cluster.world.nowMs + process.skewMs
    at.committing = () => {
      const { isAgain } = at
      return async (changes) => {
        try {
          await this.recorded.took(changes, !isAgain)
        } catch (error) {
          this.#cluster.world.fail(error)
        }
      }
    }
    return at
  }

  async #load(disk: Disk): Promise<void> {
    const process = this.#cluster.process('loader of disks', 0, () => undefined)
    const at = this.#workplace(process)
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
