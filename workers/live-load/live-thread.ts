// The thread that loads segments while they are recorded. Only this thread opens the store of the data folder for
// writing.

import { parentPort, workerData } from 'node:worker_threads'
import { DataError, type DataErrorCode } from '../../storage/failures.ts'
import { type OpenStore, openStoreAt } from '../../storage/open-store.ts'
import { withRetry } from '../../storage/retry/with-retry.ts'
import { collectEachMinute } from '../collect-garbage.ts'
import { type BooksOfMarket, lastRecords } from '../read/last-records.ts'
import type { SegmentName } from '../segment/segment-folder.ts'
import type { Lines } from './line-queue.ts'
import { LiveLoad, type Turns } from './live-load.ts'
import { type CommitReport, type LeftoverReport, type LiveLoadOptions, newLeftoverReport } from './live-loading.ts'
import { Retention, type RetentionReport } from './retention.ts'

/** Options of the thread. `leftover` are the segments of an earlier recorder process. */
export type LiveThreadData = Omit<LiveLoadOptions, 'queuedBytesMax'> & { leftover: SegmentName[] }

export type ToLiveThread =
  | { type: 'add'; segment: SegmentName; lines: Lines }
  | { type: 'closed'; segment: SegmentName }
  /** Requests commits until all lines that were added before this message are stored. */
  | { type: 'commit'; ask: number }
  | { type: 'last_records'; ask: number; markets: readonly BooksOfMarket[] }
  | { type: 'stop' }

/** Messages of the thread. `consumedBytes` is the number of bytes of lines that were passed on in memory and no longer
 *  wait. */
export type FromLiveThread =
  | { type: 'report'; report: CommitReport; consumedBytes: number; answered: number[] }
  /** Sent during a commit. */
  | { type: 'taken'; consumedBytes: number }
  /** How many leftover segments are still to be loaded. */
  | { type: 'left'; segments: number }
  | { type: 'leftover'; report: LeftoverReport }
  /** Nothing can be loaded at present. */
  | { type: 'waiting'; message: string }
  | { type: 'retention'; report: RetentionReport }
  | { type: 'last_records'; ask: number; records: Map<string, number>[] }
  | { type: 'failed'; message: string; code: DataErrorCode | null }
  | { type: 'stopped' }

/** Longest time between two turns of a segment, in intervals between commits. The turns of a commit are spread over
 *  the interval. The limit keeps a segment from waiting for another segment that takes longer than last time. */
const TURN_INTERVALS_MAX = 1.05

/** Longest wait before the store is tried again, ms. */
const RETRY_MS = 1_000
/** Codes of failures that may pass by themselves. */
const PASSING = new Set<DataErrorCode>(['store_unavailable', 'blocks_unavailable', 'disk_full'])

const port = parentPort!
const post = (message: FromLiveThread) => port.postMessage(message)
const postWaiting = (error: unknown) => post({ type: 'waiting', message: (error as DataError).message })

class LiveThread {
  readonly #store: OpenStore
  readonly #load: LiveLoad
  readonly #intervalMs: number
  readonly #leftover: SegmentName[]
  readonly #retention: Retention | undefined
  #addedBytes = 0
  #requested: number[] = []
  #isStopped = false
  #startedMs = 0
  #wake = Promise.withResolvers<void>()

  constructor(store: OpenStore, { dataFolder, commitSeconds, retentionDays, leftover }: LiveThreadData) {
    this.#store = store
    const turns: Turns = (share, lastMs) => this.#turn(share, lastMs)
    this.#load = new LiveLoad(this.#store, { dataFolder, nowMs: Date.now, turns })
    this.#intervalMs = commitSeconds * 1_000
    this.#leftover = leftover
    this.#retention = retentionDays === null ? undefined : new Retention(this.#store, dataFolder, retentionDays)
  }

  take(message: ToLiveThread): void {
    if (message.type === 'add') {
      this.#load.add(message.segment, message.lines)
      if (message.lines.bytes !== null) this.#addedBytes += message.lines.length
    } else if (message.type === 'closed') this.#load.closed(message.segment)
    else if (message.type === 'last_records') void this.#answerLastRecords(message.ask, message.markets)
    else {
      if (message.type === 'commit') this.#requested.push(message.ask)
      else this.#isStopped = true
      this.#wake.resolve()
    }
  }

  /** Runs until it is stopped. */
  async run(): Promise<void> {
    await this.#loadLeftover()
    while (!this.#isStopped || this.#requested.length > 0) {
      this.#startedMs = performance.now()
      const [requested, isAll] = [this.#requested, this.#requested.length > 0]
      this.#requested = []
      const { failure } = await this.#commit(isAll, requested)
      if (failure === null && this.#load.isBehind) {
        // Let the event loop deliver new lines, so that the next commit knows how much waits.
        await Bun.sleep(0)
        continue
      }
      await this.#removeNext()
      await this.#pause(this.#intervalMs - (performance.now() - this.#startedMs))
    }
    this.#load.close()
    await this.#store.flushed()
    await this.#store.close()
  }

  async #commit(isAll: boolean, requested: number[]): Promise<CommitReport> {
    for (;;) {
      const report = await this.#load.commit(isAll)
      const isDone = !isAll || report.failure !== null || !this.#load.hasMore
      post({ type: 'report', report, consumedBytes: this.#consumedBytes, answered: isDone ? requested : [] })
      if (isDone) return report
    }
  }

  async #answerLastRecords(ask: number, markets: readonly BooksOfMarket[]): Promise<void> {
    const records = await this.#untilStored(() => {
      this.#store.refresh()
      return lastRecords(this.#store, markets)
    })
    if (records !== undefined) post({ type: 'last_records', ask, records })
  }

  get #consumedBytes(): number {
    return this.#addedBytes - this.#load.queuedBytes
  }

  async #turn(share: number, lastMs: number): Promise<void> {
    post({ type: 'taken', consumedBytes: this.#consumedBytes })
    const dueMs = Math.min(this.#startedMs + share * this.#intervalMs, lastMs + TURN_INTERVALS_MAX * this.#intervalMs)
    const waitMs = dueMs - performance.now()
    if (waitMs > 0 && !this.#load.isBehind) await this.#pause(waitMs)
    // Let the event loop deliver new lines.
    else await Bun.sleep(0)
  }

  /** Loads leftover segments first, because they are older than all new lines. Commits new lines in between. */
  async #loadLeftover(): Promise<void> {
    const report = newLeftoverReport()
    let committedMs = performance.now()
    for (const [index, name] of this.#leftover.entries()) {
      if (this.#isStopped) return
      if (!(await this.#loadOne(name, report))) return
      post({ type: 'left', segments: this.#leftover.length - index - 1 })
      if (performance.now() - committedMs < this.#intervalMs) continue
      await this.#commit(false, [])
      committedMs = performance.now()
    }
    post({ type: 'leftover', report })
  }

  /** Loads one leftover segment. Returns false if the thread is stopped before the store accepts it. */
  async #loadOne(name: SegmentName, report: LeftoverReport): Promise<boolean> {
    const load = async () => {
      await this.#load.loadLeftover(name, report)
      return true
    }
    return (await this.#untilStored(load, postWaiting)) ?? false
  }

  /** Repeats `work` until the store answers. Returns undefined if the thread is stopped first. */
  #untilStored<T>(work: () => Promise<T>, onRetry?: (error: unknown) => void): Promise<T | undefined> {
    const isPassing = (error: unknown) => error instanceof DataError && PASSING.has(error.code)
    const waitMs = () => Math.min(this.#intervalMs, RETRY_MS)
    return withRetry(async () => (this.#isStopped ? undefined : work()), {
      isPassing,
      waitMs,
      ...(onRetry && { onRetry }),
    })
  }

  /** Removes at most one old segment between two commits. Removal first loads the segment again, and several segments
   *  would delay the next commit. */
  async #removeNext(): Promise<void> {
    if (this.#requested.length > 0 || this.#isStopped) return
    try {
      const report = await this.#retention?.removeNext(Date.now())
      if (report !== undefined) post({ type: 'retention', report })
    } catch (error) {
      // The disk is full; the commits report it.
      if (!(error instanceof DataError)) throw error
    }
  }

  async #pause(ms: number): Promise<void> {
    if (this.#requested.length > 0 || this.#isStopped) return
    this.#wake = Promise.withResolvers()
    const timer = setTimeout(this.#wake.resolve, Math.max(0, ms))
    await this.#wake.promise
    clearTimeout(timer)
  }
}

/** Posts a failure as plain data, because an error's class does not survive the transfer. */
function postFailure(error: unknown): void {
  const code = error instanceof DataError ? error.code : null
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  post({ type: 'failed', message: error instanceof DataError ? error.message : message, code })
}

const data = workerData as LiveThreadData
/** Messages that arrive while the store is being opened. */
const early: ToLiveThread[] = []
let thread: LiveThread | undefined
port.on('message', (message: ToLiveThread) => {
  if (thread === undefined) early.push(message)
  else thread.take(message)
})
/** Opens the store. Retries for a cluster store, because its servers may start after the recorder. */
function openedStore(): Promise<OpenStore> {
  const open = () => openStoreAt({ folder: data.dataFolder, cluster: data.cluster }, { mayWrite: true })
  const isStopped = () => early.some(({ type }) => type === 'stop')
  const isPassing = (error: unknown) => data.cluster !== null && error instanceof DataError && !isStopped()
  return withRetry(open, { isPassing, waitMs: () => RETRY_MS, onRetry: postWaiting })
}

async function work(): Promise<void> {
  collectEachMinute()
  thread = new LiveThread(await openedStore(), data)
  for (const message of early) thread.take(message)
  await thread.run()
  post({ type: 'stopped' })
}

// Not awaited: messages arrive only after the module has been read.
work().catch(postFailure)
