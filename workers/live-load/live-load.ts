// Loads segments while they are recorded. Each is a capture of its own, so a message that two connections saw is stored
// once. A segment of which a record was stored before is loaded once more when it is closed: only as a whole it tells
// whether its venue said a thing twice.

import { join } from 'node:path'
import { DataError } from '../../storage/failures.ts'
import type { Store } from '../../storage/open-store.ts'
import { loadCapture } from '../load/load-capture.ts'
import { findSegment, moveToLoaded, newFolder, PART_END, type SegmentName } from '../segment/segment-folder.ts'
import type { Lines } from './line-queue.ts'
import { LineQueue } from './line-queue.ts'
import { LiveBatch } from './live-batch.ts'
import type { CommitReport, LeftoverReport } from './live-loading.ts'
import { LiveSegment } from './live-segment.ts'
import { settledEnd } from './settled-lines.ts'

/** Text that becomes records before they are committed: it bounds the memory, whatever waits. */
const TEXT_BYTES_MAX = 32 << 20
/** A commit costs more by the market than by the message: where more waits than it takes, the next takes so many times
 *  as much. With 5,000 markets, four times took a recorder beyond 600 MB. */
const BEHIND_TIMES = 2
const TEXT_BYTES_MIN = 64 << 10
/** A segment that has lines is flushed each second: after this, nothing more comes of the instant of the last. */
const FLUSHED_MS = 2_000

type Source = {
  name: SegmentName
  live: LiveSegment
  queue: LineQueue
  addedMs: number
  isOver: boolean
  /** Nothing of it is left to collect. */
  isCollected: boolean
  /** A record of it was stored already when it came. */
  isRepeated: boolean
  error: string | null
}

type Options = { dataFolder: string; nowMs: () => number; textBytesMax?: number }

export class LiveLoad {
  readonly #store: Store
  readonly #dataFolder: string
  readonly #nowMs: () => number
  readonly #textBytesMax: number
  /** What the next commit takes. */
  #roomBytes: number
  readonly #sources = new Map<SegmentName, Source>()
  /** What could not be stored yet. */
  #batch: LiveBatch<Source> | undefined

  constructor(store: Store, { dataFolder, nowMs, textBytesMax }: Options) {
    this.#store = store
    this.#dataFolder = dataFolder
    this.#nowMs = nowMs
    this.#textBytesMax = textBytesMax ?? TEXT_BYTES_MAX
    this.#roomBytes = this.#textBytesMax
  }

  add(name: SegmentName, lines: Lines): void {
    const source = this.#sourceOf(name)
    if (source.error !== null) return
    source.queue.add(lines)
    source.addedMs = this.#nowMs()
  }

  closed(name: SegmentName): void {
    this.#sourceOf(name).isOver = true
  }

  get queuedBytes(): number {
    return this.#sum(({ memoryBytes }) => memoryBytes)
  }

  get fileBytesBehind(): number {
    return this.#sum(({ fileBytes }) => fileBytes)
  }

  get hasMore(): boolean {
    return this.queuedBytes + this.fileBytesBehind > 0
  }

  /** Whether more waits than a commit takes. */
  get isBehind(): boolean {
    return this.queuedBytes + this.fileBytesBehind > this.#textBytesMax
  }

  /** Commits what has come, as far as there is memory for it. `isAll`: the lines of the last instant too. */
  async commit(isAll = false): Promise<CommitReport> {
    const startedMs = performance.now()
    const batch = this.#batch ?? this.#collect(isAll)
    this.#batch = batch
    const failure = await this.#storing(() => batch.store(this.#store, this.#nowMs(), fail))
    const committedMs = this.#nowMs()
    if (failure === null) {
      batch.tellOwners((source, partition) => {
        if (!source.live.goOnFrom(partition)) source.isRepeated = true
      })
      this.#batch = undefined
    }
    const errors = this.#errors()
    const finished = failure === null ? await this.#finish() : { loaded: [], recordsAdded: 0, failure: null }
    const { counts, committed, audits, firstReceivedMs } = batch
    const hasReceipt = Number.isFinite(firstReceivedMs)
    return {
      ...counts,
      committedMs,
      tookMs: performance.now() - startedMs,
      recordsAdded: committed.recordsAdded + finished.recordsAdded,
      audits,
      lagMs: hasReceipt ? committedMs - firstReceivedMs : null,
      queuedBytes: this.queuedBytes,
      fileBytesBehind: this.fileBytesBehind,
      loaded: finished.loaded,
      errors,
      failure: failure ?? finished.failure,
    }
  }

  /** Loads a segment that another process left behind, and moves it. */
  async loadLeftover(name: SegmentName, report: LeftoverReport): Promise<void> {
    const path = findSegment(newFolder(this.#dataFolder), name)
    if (path === undefined) return
    const loaded = await loadCapture(this.#store, this.#dataFolder, path)
    report.segments++
    report.messages += loaded.messages
    report.recordsAdded += loaded.recordsAdded
    if (loaded.isCutOff) report.truncated.push(name)
    if (loaded.error !== null) return void report.errors.push({ segment: name, message: loaded.error })
    await this.#store.flushed()
    moveToLoaded(this.#dataFolder, name)
  }

  close(): void {
    for (const { live } of this.#sources.values()) live.close()
    this.#sources.clear()
  }

  #sourceOf(name: SegmentName): Source {
    let source = this.#sources.get(name)
    if (source === undefined) {
      const path = join(newFolder(this.#dataFolder), name)
      const live = new LiveSegment(this.#dataFolder, path)
      source = {
        name,
        live,
        queue: new LineQueue(),
        addedMs: 0,
        isOver: false,
        isCollected: false,
        isRepeated: false,
        error: null,
      }
      this.#sources.set(name, source)
    }
    return source
  }

  #collect(isAll: boolean): LiveBatch<Source> {
    const batch = new LiveBatch<Source>()
    const sources = [...this.#sources.values()].filter(({ error }) => error === null)
    const shares = sharesOf(sources, this.#roomBytes)
    // In their order: of two connections of a market, the one that was there first.
    for (const source of sources) {
      try {
        this.#feed(source, shares.get(source)!, isAll)
        const isEnded = source.isOver && waitingBytes(source) === 0
        batch.add(source, source.live.collect(this.#nowMs(), isEnded))
        source.isCollected = isEnded
      } catch (error) {
        fail(source, (error as Error).message)
      }
    }
    this.#roomBytes = (this.isBehind ? BEHIND_TIMES : 1) * this.#textBytesMax
    return batch
  }

  #feed({ name, live, queue, isOver, addedMs }: Source, textBytesMax: number, isAll: boolean): void {
    const nowMs = this.#nowMs()
    const { last } = queue
    const isFresh = !isAll && !isOver && nowMs - addedMs < FLUSHED_MS
    const settled = isFresh && last !== undefined ? settledEnd(last) : undefined
    const path = findSegment(newFolder(this.#dataFolder), name) ?? join(newFolder(this.#dataFolder), name)
    for (const lines of queue.take(path, textBytesMax, settled)) live.feed(lines, nowMs)
  }

  /** Loads once more what has to be, waits for the disk, and moves the segments that are over. */
  async #finish() {
    const loaded: SegmentName[] = []
    let recordsAdded = 0
    const failure = await this.#storing(async () => {
      const over = [...this.#sources.values()].filter(({ isCollected, error }) => isCollected && error === null)
      for (const { name, isRepeated } of over) {
        const path = findSegment(newFolder(this.#dataFolder), name)
        if (path === undefined || !(isRepeated || path.endsWith(PART_END))) continue
        const again = await loadCapture(this.#store, this.#dataFolder, path)
        recordsAdded += again.recordsAdded
      }
      if (over.length > 0) await this.#store.flushed()
      for (const { name } of over) {
        moveToLoaded(this.#dataFolder, name)
        loaded.push(name)
      }
      const failed = [...this.#sources.values()].filter(({ isOver, error }) => isOver && error !== null)
      for (const { name, live } of [...over, ...failed]) {
        live.close()
        this.#sources.delete(name)
      }
    })
    return { loaded, recordsAdded, failure }
  }

  #errors(): CommitReport['errors'] {
    const failed = [...this.#sources.values()].filter(({ error }) => error !== null)
    return failed.map(({ name, error }) => ({ segment: name, message: error! }))
  }

  async #storing(work: () => Promise<void>): Promise<CommitReport['failure']> {
    try {
      await work()
      return null
    } catch (error) {
      if (!(error instanceof DataError)) throw error
      return { code: error.code, message: error.message }
    }
  }

  #sum(bytesOf: (queue: LineQueue) => number): number {
    let sum = 0
    for (const { queue } of this.#sources.values()) sum += bytesOf(queue)
    return sum
  }
}

const waitingBytes = ({ queue }: Source): number => queue.memoryBytes + queue.fileBytes

/** How many bytes of text each may take: what those with little do not need is for those with much. */
function sharesOf(sources: readonly Source[], textBytesMax: number): Map<Source, number> {
  const shares = new Map<Source, number>()
  let left = textBytesMax
  const byNeed = sources.toSorted((a, b) => waitingBytes(a) - waitingBytes(b))
  for (const [i, source] of byNeed.entries()) {
    const share = Math.max(TEXT_BYTES_MIN, Math.floor(left / (sources.length - i)))
    shares.set(source, share)
    left -= Math.min(share, waitingBytes(source))
  }
  return shares
}

/** The segment stays where it is, and is loaded as a whole at the next start. */
function fail(source: Source, message: string): void {
  source.error ??= message
  source.queue.clear()
}
