// Reads captures in a thread of its own.

import { Worker } from 'node:worker_threads'
import { DataError } from '../../storage/failures.ts'
import type { CaptureEnd, CapturePart, ReadOptions } from './capture-reading.ts'
import type { CaptureReader } from './load-in-order.ts'
import type { FromLoadThread, ToLoadThread } from './load-thread.ts'

type Reading = {
  options: Required<ReadOptions>
  offer: (part: CapturePart) => Promise<void>
  end: PromiseWithResolvers<CaptureEnd>
}

export class ThreadReader implements CaptureReader<Required<ReadOptions>, CapturePart, CaptureEnd> {
  readonly #worker: Worker
  #reading: Reading | undefined
  #failure: Error | undefined

  constructor() {
    this.#worker = new Worker(new URL('./load-thread.ts', import.meta.url))
    this.#worker.on('message', (message: FromLoadThread) => this.#receive(message))
    this.#worker.on('error', (error: Error) => this.#fail(error))
    this.#worker.on('exit', () => this.#fail(new Error('a thread of this load has ended before its work')))
  }

  read(options: Required<ReadOptions>, offer: (part: CapturePart) => Promise<void>): Promise<CaptureEnd> {
    const end = Promise.withResolvers<CaptureEnd>()
    this.#reading = { options, offer, end }
    const { onProgress: _, areNew: __, ...plain } = options
    this.#post({ type: 'read', options: plain })
    if (this.#failure !== undefined) end.reject(this.#failure)
    return end.promise
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  #post(message: ToLoadThread): void {
    this.#worker.postMessage(message)
  }

  #receive(message: FromLoadThread): void {
    const reading = this.#reading!
    const { options, offer, end } = reading
    if (message.type === 'progress') return options.onProgress(message)
    if (message.type === 'failed') return this.#fail(errorOf(message))
    if (message.type === 'end') return end.resolve(message.end)
    // If `offer` or `areNew` fails, the load fails: the thread is terminated and gets no answer.
    if (message.type === 'part')
      offer(message.part).then(
        // The thread may already read the next capture; then it does not wait for this commit.
        () => this.#reading === reading && this.#post({ type: 'committed' }),
        () => {},
      )
    else
      options.areNew(message.markets).then(
        (areNew) => this.#post({ type: 'new', areNew }),
        (error: Error) => this.#fail(error),
      )
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#reading?.end.reject(this.#failure)
  }
}

const errorOf = ({ code, message }: FromLoadThread & { type: 'failed' }): Error =>
  code === null ? new Error(message) : new DataError(code, message)
