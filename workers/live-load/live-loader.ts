// The recorder's end of the thread that loads segments while they are recorded.

import { Worker } from 'node:worker_threads'
import { DataError } from '../../storage/failures.ts'
import type { BooksOfMarket } from '../read/last-records.ts'
import { newFolder, type SegmentName, segmentsBelow } from '../segment/segment-folder.ts'
import type { CommitReport, LiveLoadHooks, LiveLoading, LiveLoadOptions } from './live-loading.ts'
import type { FromLiveThread, LiveThreadData, ToLiveThread } from './live-thread.ts'

type CommitRequest = PromiseWithResolvers<void> & { ask: number }

export class LiveLoader implements LiveLoading {
  readonly #worker: Worker
  readonly #hooks: LiveLoadHooks
  readonly #queuedBytesMax: number
  /** Bytes of text passed on so far, for each segment that is not closed. */
  readonly #textBytes = new Map<SegmentName, number>()
  #addedBytes = 0
  #consumedBytes = 0
  #addedFileBytes = 0
  #bytesToLoad = 0
  #leftoverSegments: number
  #requests: CommitRequest[] = []
  #requestCount = 0
  #failure: Error | undefined
  readonly #lastRecords = new Map<number, PromiseWithResolvers<ReadonlyMap<string, number>[]>>()
  readonly #stopped = Promise.withResolvers<void>()

  /** Starts the thread, which first loads the segments in segments/new. Create the loader before the first new
   *  segment. */
  constructor({ queuedBytesMax, ...options }: LiveLoadOptions, hooks: LiveLoadHooks = {}) {
    this.#hooks = hooks
    this.#queuedBytesMax = queuedBytesMax
    const data: LiveThreadData = { ...options, leftover: segmentsBelow(newFolder(options.dataFolder)) }
    this.#leftoverSegments = data.leftover.length
    this.#worker = new Worker(new URL('./live-thread.ts', import.meta.url), { workerData: data })
    this.#worker.on('message', (message: FromLiveThread) => this.#receive(message))
    this.#worker.on('error', (error: Error) => this.#fail(error))
    this.#worker.on('exit', () => this.#fail(new Error('the thread that loads has ended before its work')))
    this.#stopped.promise.catch(() => {})
  }

  get queuedBytes(): number {
    return this.#addedBytes - this.#consumedBytes
  }

  get bytesToLoad(): number {
    return this.#bytesToLoad + this.#addedFileBytes
  }

  get leftoverSegments(): number {
    return this.#leftoverSegments
  }

  add(segment: SegmentName, lines: Uint8Array<ArrayBuffer>): void {
    const { length } = lines
    if (length === 0) return
    const from = this.#textBytes.get(segment) ?? 0
    this.#textBytes.set(segment, from + length)
    if (this.queuedBytes + length > this.#queuedBytesMax) {
      this.#addedFileBytes += length
      return this.#post({ type: 'add', segment, lines: { from, length, bytes: null } })
    }
    this.#addedBytes += length
    const isWhole = lines.byteLength === lines.buffer.byteLength
    const bytes = isWhole ? lines : lines.slice()
    this.#post({ type: 'add', segment, lines: { from, length, bytes } }, [bytes.buffer])
  }

  closed(segment: SegmentName): void {
    this.#textBytes.delete(segment)
    this.#post({ type: 'closed', segment })
  }

  lastRecords(markets: readonly BooksOfMarket[]): Promise<ReadonlyMap<string, number>[]> {
    const answer = Promise.withResolvers<ReadonlyMap<string, number>[]>()
    const ask = this.#requestCount++
    if (this.#failure !== undefined) answer.reject(this.#failure)
    else {
      this.#lastRecords.set(ask, answer)
      this.#post({ type: 'last_records', ask, markets })
    }
    return answer.promise
  }

  commit(): Promise<void> {
    const request: CommitRequest = { ...Promise.withResolvers<void>(), ask: this.#requestCount++ }
    if (this.#failure !== undefined) request.reject(this.#failure)
    else {
      this.#requests.push(request)
      this.#post({ type: 'commit', ask: request.ask })
    }
    return request.promise
  }

  async stop(): Promise<void> {
    const last = this.commit()
    this.#post({ type: 'stop' })
    try {
      await last
    } finally {
      await this.#stopped.promise.catch(() => {})
      await this.#worker.terminate()
    }
  }

  #post(message: ToLiveThread, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer)
  }

  #receive(message: FromLiveThread): void {
    if (message.type === 'failed') {
      const { code } = message
      return this.#fail(code === null ? new Error(message.message) : new DataError(code, message.message))
    }
    if (message.type === 'stopped') return this.#end()
    if (message.type === 'left') {
      this.#leftoverSegments = message.segments
      return
    }
    if (message.type === 'taken') {
      this.#consumedBytes = message.consumedBytes
      return
    }
    if (message.type === 'last_records') {
      this.#lastRecords.get(message.ask)?.resolve(message.records)
      this.#lastRecords.delete(message.ask)
      return
    }
    if (message.type === 'waiting') return this.#hooks.onWaiting?.(message.message)
    if (message.type === 'leftover') return this.#hooks.onLeftover?.(message.report)
    if (message.type === 'retention') return this.#hooks.onRetention?.(message.report)
    this.#consumedBytes = message.consumedBytes
    this.#bytesToLoad = message.report.bytesToLoad
    this.#addedFileBytes = 0
    this.#hooks.onCommit?.(message.report)
    this.#answer(message.answered, message.report)
  }

  #answer(answered: number[], { failure }: CommitReport): void {
    const requests = this.#requests.filter(({ ask }) => answered.includes(ask))
    this.#requests = this.#requests.filter((request) => !requests.includes(request))
    for (const { resolve, reject } of requests) {
      if (failure === null) resolve()
      else reject(failure.code === null ? new Error(failure.message) : new DataError(failure.code, failure.message))
    }
  }

  #end(): void {
    this.#failure ??= new Error('the thread that loads is stopped')
    this.#stopped.resolve()
  }

  #fail(error: Error): void {
    if (this.#failure !== undefined) return
    this.#failure = error
    for (const { reject } of this.#requests) reject(error)
    this.#requests = []
    for (const { reject } of this.#lastRecords.values()) reject(error)
    this.#lastRecords.clear()
    this.#stopped.reject(error)
    this.#hooks.onFailure?.(error)
  }
}
