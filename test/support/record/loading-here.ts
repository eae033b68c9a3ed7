// Loads what a recorder records into any store, in this process.

import type { Store } from '../../../storage/open-store.ts'
import { LiveLoad } from '../../../workers/live-load/live-load.ts'
import { type CommitReport, type LiveLoading, newLeftoverReport } from '../../../workers/live-load/live-loading.ts'
import { type BooksOfMarket, lastRecords } from '../../../workers/read/last-records.ts'
import { newFolder, type SegmentName, segmentsBelow } from '../../../workers/segment/segment-folder.ts'

const EVERY_MS = 100

export class LoadingHere implements LiveLoading {
  readonly #store: Store
  readonly #load: LiveLoad
  readonly #onCommit: (report: CommitReport) => void
  readonly #textBytes = new Map<SegmentName, number>()
  readonly #timer: Timer
  #working: Promise<unknown>
  leftoverSegments = 0

  /** Begins with the segments under segments/new. */
  constructor(store: Store, folder: string, onCommit: (report: CommitReport) => void) {
    const load = new LiveLoad(store, { dataFolder: folder, nowMs: Date.now })
    this.#store = store
    this.#load = load
    this.#onCommit = onCommit
    const leftover = segmentsBelow(newFolder(folder))
    this.#working = (async () => {
      for (const name of leftover) await load.loadLeftover(name, newLeftoverReport())
    })()
    this.#timer = setInterval(() => void this.#commit(false), EVERY_MS)
  }

  get queuedBytes(): number {
    return this.#load.queuedBytes
  }

  get bytesToLoad(): number {
    return this.#load.bytesToLoad
  }

  add(segment: SegmentName, bytes: Uint8Array<ArrayBuffer>): void {
    const from = this.#textBytes.get(segment) ?? 0
    this.#textBytes.set(segment, from + bytes.length)
    this.#load.add(segment, { from, length: bytes.length, bytes })
  }

  closed(segment: SegmentName): void {
    this.#load.closed(segment)
  }

  lastRecords(markets: readonly BooksOfMarket[]): Promise<ReadonlyMap<string, number>[]> {
    return lastRecords(this.#store, markets)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    const { failure } = await this.#commit(true)
    if (failure !== null) throw new Error(failure.message)
    this.#load.close()
  }

  /** Waits until earlier commits have ended, then commits. */
  #commit(isAll: boolean): Promise<CommitReport> {
    const commit = this.#working.then(async () => {
      for (;;) {
        const report = await this.#load.commit(isAll)
        this.#onCommit(report)
        if (!isAll || report.failure !== null || !this.#load.hasMore) return report
      }
    })
    this.#working = commit
    return commit
  }
}
