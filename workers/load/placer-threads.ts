// Several threads that place messages, each those of its own markets: a market's records are placed in the order of the
// capture, whatever the others do, so what is stored is what one thread would store. Lines are taken apart in the
// thread that reads them: that is a third of the work, and only then is it known whose a line is.

import { Worker } from 'node:worker_threads'
import { DataError } from '../../storage/failures.ts'
import { MessageBatch } from './message-batch.ts'
import type { CollectedPart, FromPlacer, ToPlacer } from './placer-thread.ts'
import { type CaptureOptions, ThreadedPlacer } from './threaded-placer.ts'

/** Batches under way before the reader waits: what keeps the threads busy, and bounds the memory. */
const BATCHES_MAX = 4

/** A capture that is being collected: its parts, as they come, by thread. */
type Collection = { parts: (CollectedPart | undefined)[]; done: PromiseWithResolvers<CollectedPart[]> }

export class PlacerThreads {
  /** Messages given to each thread. */
  readonly loads: number[]
  readonly #workers: Worker[]
  readonly #batches: MessageBatch[] = []
  readonly #free: MessageBatch[] = []
  /** The captures begun last, oldest first: threads answer in order. */
  readonly #captures: { options: CaptureOptions; collection: Collection }[] = []
  #onRoom: PromiseWithResolvers<void> | undefined
  #failure: Error | undefined
  #isClosed = false

  constructor(count: number) {
    this.loads = Array.from({ length: count }, () => 0)
    this.#workers = this.loads.map((_, thread) => this.#start(thread))
  }

  /** The threads take one capture after the other: the one before must have been asked to collect. */
  begin(options: CaptureOptions): ThreadedPlacer {
    const { folder, loadingMs } = options
    this.#postAll({ type: 'begin', folder, loadingMs, placers: this.#workers.length })
    const done = Promise.withResolvers<CollectedPart[]>()
    done.promise.catch(() => {})
    if (this.#failure !== undefined) done.reject(this.#failure)
    this.#captures.push({ options, collection: { parts: this.loads.map(() => undefined), done } })
    return new ThreadedPlacer(this, options)
  }

  post(thread: number, message: ToPlacer): void {
    this.#workers[thread]!.postMessage(message)
  }

  takeBatch(): MessageBatch {
    const free = this.#free.pop()
    if (free !== undefined) return free
    const batch = new MessageBatch(this.#batches.length, this.#workers.length)
    this.#batches.push(batch)
    return batch
  }

  /** Undefined where there is room for another batch. Rejects when a thread has failed. */
  room(): Promise<void> | undefined {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    if (this.#batches.length - this.#free.length <= BATCHES_MAX) return undefined
    this.#onRoom ??= Promise.withResolvers<void>()
    return this.#onRoom.promise
  }

  /** Of the capture begun last, one part a thread. */
  collect(): Promise<CollectedPart[]> {
    this.#postAll({ type: 'collect' })
    return this.#captures.at(-1)!.collection.done.promise
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#workers.map((worker) => worker.terminate()))
  }

  #start(thread: number): Worker {
    const worker = new Worker(new URL('./placer-thread.ts', import.meta.url))
    worker.on('message', (message: FromPlacer) => this.#receive(thread, message))
    worker.on('error', (error: Error) => this.#fail(error))
    worker.on('exit', () => this.#fail(new Error('a thread of this load has ended before its work')))
    return worker
  }

  #postAll(message: ToPlacer): void {
    for (const worker of this.#workers) worker.postMessage(message)
  }

  #receive(thread: number, message: FromPlacer): void {
    if (message.type === 'failed') return this.#fail(errorOf(message))
    const capture = this.#captures.find(({ collection }) => collection.parts[thread] === undefined)!
    if (message.type === 'done') {
      for (const reject of message.rejects) capture.options.onReject(reject)
      const batch = this.#batches[message.batch]!
      if (--batch.readersLeft === 0) this.#giveBack(batch)
      return
    }
    const { parts, done } = capture.collection
    parts[thread] = message
    const whole = parts.filter((part) => part !== undefined)
    if (whole.length < parts.length) return
    this.#captures.shift()
    done.resolve(whole)
  }

  #giveBack(batch: MessageBatch): void {
    batch.clear()
    this.#free.push(batch)
    this.#onRoom?.resolve()
    this.#onRoom = undefined
  }

  #fail(error: Error): void {
    if (this.#isClosed) return
    this.#failure ??= error
    this.#onRoom?.reject(this.#failure)
    for (const { collection } of this.#captures) collection.done.reject(this.#failure)
  }
}

const errorOf = ({ code, message }: FromPlacer & { type: 'failed' }): Error =>
  code === null ? new Error(message) : new DataError(code, message)
