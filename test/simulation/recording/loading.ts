// Loads the segments on a recorder's disk into the store. Loads new lines every few seconds, and each finished segment
// once more as a whole. Loads the segments of an earlier process as a whole, too.

import { DataError } from '../../../storage/failures.ts'
import type { Store } from '../../../storage/open-store.ts'
import { commitPartitions } from '../../../workers/dates/commit-partitions.ts'
import { LiveLoad } from '../../../workers/live-load/live-load.ts'
import type { CommitReport, LiveLoading } from '../../../workers/live-load/live-loading.ts'
import { type BooksOfMarket, lastRecords } from '../../../workers/read/last-records.ts'
import { collectLines } from '../../support/collected.ts'
import type { Workplace } from '../cluster.ts'
import type { World } from '../world.ts'
import type { Disk } from './disk.ts'

const EVERY_MS = 2_500
const AGAIN_MS = 1_000
/** A folder that does not exist: the simulation loads nothing from files. */
const NO_FOLDER = '/proc/no such folder'

export class DiskLoading implements Pick<LiveLoading, 'add' | 'closed' | 'lastRecords'> {
  readonly #world: World
  readonly #at: Workplace
  readonly #store: Store
  readonly #disk: Disk
  readonly #load: LiveLoad
  readonly #textBytes = new Map<string, number>()
  #left: string[]
  #working: Promise<unknown> = Promise.resolve()
  #isStopped = false

  constructor(world: World, at: Workplace, store: Store, disk: Disk) {
    this.#world = world
    this.#at = at
    this.#store = store
    this.#disk = disk
    this.#left = disk.names
    const turns = async () => undefined
    this.#load = new LiveLoad(store, { dataFolder: NO_FOLDER, nowMs: at.nowMs, turns })
  }

  /** Starts to load. Ends when it is stopped. */
  start(): void {
    const work = async () => {
      while (!this.#isStopped) {
        await this.#world.sleep(this.#at.process, EVERY_MS)
        // Old segments come first, as in the thread that loads.
        const isLoaded = await this.#afterOthers(() => this.#loadLeft())
        if (isLoaded) await this.#afterOthers(() => this.#commit(false))
      }
    }
    work().catch((error) => this.#world.fail(error))
  }

  add(segment: string, bytes: Uint8Array<ArrayBuffer>): void {
    const from = this.#textBytes.get(segment) ?? 0
    this.#textBytes.set(segment, from + bytes.length)
    this.#load.add(segment, { from, length: bytes.length, bytes })
  }

  closed(segment: string): void {
    this.#load.closed(segment)
  }

  async lastRecords(markets: readonly BooksOfMarket[]): Promise<ReadonlyMap<string, number>[]> {
    for (;;) {
      try {
        const records = await lastRecords(this.#store, markets)
        for (const { size } of records) if (size > 0) this.#world.count('stored markets taken')
        return records
      } catch (error) {
        if (!(error instanceof DataError)) throw error
        await this.#world.sleep(this.#at.process, AGAIN_MS)
      }
    }
  }

  /** Stops. Returns whether everything is stored. */
  async stop(): Promise<boolean> {
    this.#isStopped = true
    const { failure } = await this.#afterOthers(() => this.#commit(true))
    if (failure !== null) return false
    return this.#afterOthers(() => this.#loadLeft())
  }

  #afterOthers<T>(work: () => Promise<T>): Promise<T> {
    const worked = this.#working.then(work)
    this.#working = worked.catch(() => undefined)
    return worked
  }

  async #commit(isAll: boolean): Promise<CommitReport> {
    for (;;) {
      const report = await this.#load.commit(isAll)
      if (report.failure !== null) this.#world.note(`${this.#at.process.name} cannot commit: ${report.failure.message}`)
      for (const { message } of report.errors) {
        this.#world.note(`${this.#at.process.name} leaves a segment: ${message}`)
      }
      if (report.recordsAdded > 0) this.#world.count('recorder commits')
      this.#left.push(...report.loaded)
      if (!isAll || report.failure !== null || !this.#load.hasMore) return report
    }
  }

  /** Loads the segments of an earlier process like captures. Returns whether all are loaded. */
  async #loadLeft(): Promise<boolean> {
    for (let name = this.#left[0]; name !== undefined; name = this.#left[0]) {
      this.#at.isAgain = true
      try {
        await commitPartitions(this.#store, collectLines(this.#disk.lines(name), this.#at.nowMs()))
      } catch (error) {
        if (!(error instanceof DataError)) throw error
        this.#world.note(`${this.#at.process.name} cannot load ${name}: ${error.message}`)
        return false
      } finally {
        this.#at.isAgain = false
      }
      this.#disk.loaded(name)
      this.#left.shift()
    }
    return true
  }
}
