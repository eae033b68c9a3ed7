// Loads segments while they are recorded. Each segment is a capture of its own, so a message that two connections
// received is stored once. If a record of a segment was stored already, the segment is loaded again when it closes:
// only the whole file shows whether its venue sent a message twice.
//
// A commit goes through the segments and stores a few of them at a time. Clients can read the records of the first
// segments while the last segments are still being parsed. The last segments include lines that arrive in between.

import { join } from 'node:path'
import { DataError } from '../../storage/failures.ts'
import type { Store } from '../../storage/open-store.ts'
import { type FileReport, loadCapture } from '../load/load-capture.ts'
import { findSegment, moveToLoaded, newFolder, PART_END, type SegmentName } from '../segment/segment-folder.ts'
import { CommitRound } from './commit-round.ts'
import type { Lines } from './line-queue.ts'
import { LineQueue } from './line-queue.ts'
import { isDamage, LiveBatch } from './live-batch.ts'
import type { CommitReport, LeftoverReport } from './live-loading.ts'
import { LiveSegment } from './live-segment.ts'
import { fail, type LiveSource, sharesOf, waitingBytes } from './live-source.ts'
import { segmentFault } from './segment-fault.ts'
import { settledEnd } from './settled-lines.ts'

/** Maximum bytes of text to take from one segment before its records are stored. Limits memory, no matter how much text
 *  waits. */
const TEXT_BYTES_MAX = 32 << 20
/** Maximum text of all segments in one commit, as a multiple of the maximum text of one segment. */
const COMMIT_TIMES = 4
/** If more text waits than a commit takes, the next commit takes this many times as much, because the cost of storing
 *  depends more on the number of markets than on the number of messages. With 5,000 markets, a factor of four took a
 *  recorder beyond 600 MB. */
const BEHIND_TIMES = 2
/** Time after which the lines of a segment's last instant are complete, because a segment that has lines is flushed
 *  each second. */
const FLUSHED_MS = 2_000
/** Maximum bytes of text in a batch, per partition that a batch may have. */
const PARTITION_TEXT_BYTES = 32 << 10

/** Resolves when it is the turn of the next segments of a commit. `share` is the share of segments that had their turn.
 *  `lastMs` is the time at which the first of the next segments had its previous turn, on the clock of
 *  `performance.now()`. */
export type Turns = (share: number, lastMs: number) => Promise<unknown>

type Options = {
  dataFolder: string
  nowMs: () => number
  /** If absent, the segments do not wait for their turns. */
  turns?: Turns
  textBytesMax?: number
  batchPartitions?: number
}

export class LiveLoad {
  readonly #dataStore: Store
  readonly #dataFolder: string
  readonly #nowMs: () => number
  readonly #turns: Turns
  readonly #textBytesMax: number
  readonly #batchPartitions: number
  /** Bytes of text that the next commit takes from one segment. */
  #roomBytes: number
  readonly #sources = new Map<SegmentName, LiveSource>()
  /** A commit that has not ended yet. */
  #round: CommitRound | undefined

  constructor(store: Store, { dataFolder, nowMs, turns, textBytesMax, batchPartitions }: Options) {
    this.#dataStore = store
    this.#dataFolder = dataFolder
    this.#nowMs = nowMs
    this.#turns = turns ?? (() => Bun.sleep(0))
    this.#textBytesMax = textBytesMax ?? TEXT_BYTES_MAX
    this.#batchPartitions = batchPartitions ?? store.partitionsAtOnce
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

  get bytesToLoad(): number {
    return this.#sum(({ fileBytes }) => fileBytes)
  }

  get hasMore(): boolean {
    return this.queuedBytes + this.bytesToLoad > 0
  }

  /** Whether more text waits than a commit takes. */
  get isBehind(): boolean {
    return this.queuedBytes + this.bytesToLoad > this.#textBytesMax
  }

  /** Commits what has arrived, as far as memory allows. `isAll` includes the lines of the last instant. After a
   *  failure, the next call continues where this call stopped. */
  async commit(isAll = false): Promise<CommitReport> {
    const startedMs = performance.now()
    this.#round ??= new CommitRound([...this.#sources.values()])
    const round = this.#round
    const failure = await this.#storing(() => this.#store(round, isAll))
    if (failure === null) this.#round = undefined
    const unfinished = { loaded: [], recordsAdded: 0, failure: null, errors: this.#errors() }
    const finished = failure === null ? await this.#finish() : unfinished
    const { recordsAdded, ...totals } = round.totals
    return {
      ...totals,
      committedMs: this.#nowMs(),
      tookMs: performance.now() - startedMs,
      recordsAdded: recordsAdded + finished.recordsAdded,
      queuedBytes: this.queuedBytes,
      bytesToLoad: this.bytesToLoad,
      loaded: finished.loaded,
      errors: finished.errors,
      failure: failure ?? finished.failure,
    }
  }

  /** Loads a segment that an earlier process left behind, and moves it. */
  async loadLeftover(name: SegmentName, report: LeftoverReport): Promise<void> {
    const path = findSegment(newFolder(this.#dataFolder), name)
    if (path === undefined) return
    const loaded = await this.#loadWhole(path)
    if (typeof loaded === 'string') return void report.errors.push({ segment: name, message: loaded })
    report.segments++
    report.messages += loaded.messages
    report.recordsAdded += loaded.recordsAdded
    if (loaded.isCutOff) report.truncated.push(name)
    const fault = loaded.error ?? segmentFault(path)
    if (fault !== null) return void report.errors.push({ segment: name, message: fault })
    await this.#dataStore.flushed()
    moveToLoaded(this.#dataFolder, name)
  }

  /** Loads a whole segment. If a market in the store is damaged, returns the message of the error instead of throwing
   *  it, so that other segments can be loaded. */
  async #loadWhole(path: string): Promise<FileReport | string> {
    try {
      return await loadCapture(this.#dataStore, this.#dataFolder, path)
    } catch (error) {
      if (!isDamage(error)) throw error
      return error.message
    }
  }

  close(): void {
    for (const { live } of this.#sources.values()) live.close()
    this.#sources.clear()
  }

  #sourceOf(name: SegmentName): LiveSource {
    let source = this.#sources.get(name)
    if (source === undefined) {
      const path = join(newFolder(this.#dataFolder), name)
      const live = new LiveSegment(this.#dataFolder, path)
      source = {
        name,
        live,
        queue: new LineQueue(),
        addedMs: 0,
        turnMs: Number.NEGATIVE_INFINITY,
        isOver: false,
        isCollected: false,
        isRepeated: false,
        error: null,
      }
      this.#sources.set(name, source)
    }
    return source
  }

  /** Stores the segments of a round, a few at a time. Throws DataError; a later call continues. */
  async #store(round: CommitRound, isAll: boolean): Promise<void> {
    const { length: count } = round.sources
    while (!round.isOver) {
      const [next] = round.sources
      // If all earlier lines are requested, do not wait for the turn.
      if (!isAll && next !== undefined) await this.#turns(1 - round.sources.length / count, next.turnMs)
      round.batch ??= this.#collect(round.sources, isAll)
      const { batch } = round
      await batch.store(this.#dataStore, this.#nowMs(), fail)
      batch.visitOwners((source, partition) => {
        if (!source.live.continueFrom(partition)) source.isRepeated = true
      })
      round.stored(this.#nowMs())
    }
    this.#roomBytes = (this.isBehind ? BEHIND_TIMES : 1) * this.#textBytesMax
  }

  /** Collects from the first segments, in order. If two segments have the same market, the earlier segment comes
   *  first. */
  #collect(sources: LiveSource[], isAll: boolean): LiveBatch<LiveSource> {
    const shares = sharesOf(sources, COMMIT_TIMES * this.#roomBytes)
    const batch = new LiveBatch<LiveSource>()
    const textBytesMax = Math.min(TEXT_BYTES_MAX, this.#batchPartitions * PARTITION_TEXT_BYTES)
    let textBytes = 0
    while (sources.length > 0 && textBytes < textBytesMax && batch.partitionCount < this.#batchPartitions) {
      const source = sources.shift()!
      if (source.error !== null) continue
      try {
        textBytes += this.#feed(source, Math.min(shares.get(source)!, this.#roomBytes), isAll)
        const next = waitingBytes(source) > 0 ? 'waits' : source.isOver ? 'none' : 'unknown'
        batch.add(source, source.live.collect(this.#nowMs(), next))
        source.isCollected = next === 'none'
      } catch (error) {
        fail(source, (error as Error).message)
      }
    }
    return batch
  }

  /** Feeds waiting lines to the segment. Returns the number of bytes. */
  #feed(source: LiveSource, textBytesMax: number, isAll: boolean): number {
    const { name, live, queue, isOver, addedMs } = source
    const nowMs = this.#nowMs()
    source.turnMs = performance.now()
    const { last } = queue
    const isFresh = !isAll && !isOver && nowMs - addedMs < FLUSHED_MS
    const settled = isFresh && last !== undefined ? settledEnd(last) : undefined
    const pathNow = () => findSegment(newFolder(this.#dataFolder), name) ?? join(newFolder(this.#dataFolder), name)
    let textBytes = 0
    for (const lines of queue.take(pathNow, textBytesMax, settled)) {
      live.feed(lines, nowMs)
      textBytes += lines.length
    }
    return textBytes
  }

  /** Loads segments again where needed, waits for the disk, and moves the segments that are complete. */
  async #finish() {
    const loaded: SegmentName[] = []
    let recordsAdded = 0
    let errors = this.#errors()
    const failure = await this.#storing(async () => {
      const collected = [...this.#sources.values()].filter(({ isCollected, error }) => isCollected && error === null)
      for (const source of collected) {
        const { name, isRepeated } = source
        const path = findSegment(newFolder(this.#dataFolder), name)
        if (path === undefined || !(isRepeated || path.endsWith(PART_END))) continue
        const again = await this.#loadWhole(path)
        const error = typeof again === 'string' ? again : again.error
        if (error !== null) fail(source, error)
        if (typeof again !== 'string') recordsAdded += again.recordsAdded
      }
      const over = collected.filter(({ error }) => error === null)
      if (over.length > 0) await this.#dataStore.flushed()
      for (const { name } of over) {
        moveToLoaded(this.#dataFolder, name)
        loaded.push(name)
      }
      errors = this.#errors()
      const failed = [...this.#sources.values()].filter(({ isOver, error }) => isOver && error !== null)
      for (const { name, live } of [...over, ...failed]) {
        live.close()
        this.#sources.delete(name)
      }
    })
    return { loaded, recordsAdded, failure, errors }
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
