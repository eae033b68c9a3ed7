// Receives, in the server, an answer that a thread computes. A short answer arrives whole with its `head`. A long
// answer begins with its `head`, and its chunks are taken one by one. This file also defines when a client is slow.

import type { MessagePort } from 'node:worker_threads'
import { DataError } from '../../storage/failures.ts'
import { ANSWERING, countReleased } from '../collect-garbage.ts'
import type { AnswerBytes, StreamListener } from '../requests.ts'
import type { Admitted } from './admission.ts'
import type { TaskResult } from './answer-task.ts'
import { CREDITS, type FromTask } from './chunk-port.ts'
import { toError } from './outcome.ts'

/** A client is slow once it has left all allowed chunks untaken for this total time, in ms. */
const PATIENCE_MS = 100

export type IncomingOptions = {
  /** Called with the packed size when the client is slow and the rest of its answer is packed. */
  onPacked?: (bytes: number) => void
  /** For tests; default PATIENCE_MS. */
  patienceMs?: number
}

/** `bytes` is the whole answer if the answer is short, else undefined. */
type Begun<Head> = { head: Head; bytes?: Uint8Array | undefined }

export class IncomingAnswer<Head> implements Admitted {
  /** Time (`performance.now()`) at which the client stalled: since then, CREDITS chunks wait and the client has taken
   *  none of them. Null if the client is not stalled. */
  stalledSinceMs: number | null = null
  readonly #onPacked: (bytes: number) => void
  #patienceMs: number
  #timer: Timer | undefined
  #isSlow = false
  readonly #port: MessagePort
  readonly #chunks: Uint8Array[] = []
  #isEnded = false
  #headMs: number | undefined
  #failure: Error | undefined
  #wake = () => {}
  readonly #begun = Promise.withResolvers<Begun<Head>>()
  #listener: StreamListener | undefined

  constructor(port: MessagePort, { onPacked = () => undefined, patienceMs = PATIENCE_MS }: IncomingOptions = {}) {
    this.#port = port
    this.#onPacked = onPacked
    this.#patienceMs = patienceMs
    port.on('message', (message: FromTask<Head>) => this.#receive(message))
  }

  async answer(task: Promise<TaskResult>): Promise<{ head: Head; data: AnswerBytes }> {
    const settled = task.then(
      (result) => this.#settle(result),
      (error: Error) => this.#fail(error),
    )
    const begun = await Promise.race([this.#begun.promise, settled])
    if (begun === undefined) throw this.#failure
    const { head, bytes } = begun
    if (bytes !== undefined) {
      // Wait for the task's result, so that the task is reported before its answer is returned.
      await settled
      this.#port.close()
      countReleased(bytes.length, ANSWERING)
      return { head, data: { bytes } }
    }
    const follow = (listener: StreamListener) => {
      this.#listener = listener
      if (this.#isSlow) listener.slow()
    }
    return { head, data: { chunks: this.#iterator(), follow } }
  }

  /** Cuts the answer off. Used if its client takes nothing and other answers need the memory. */
  cut(): void {
    this.#failure = new DataError('overloaded', 'Closed the slowest client to free memory: retry')
    this.#chunks.length = 0
    this.#endStall()
    this.#port.postMessage('cancel')
    this.#wake()
    this.#listener?.cut(this.#failure)
  }

  /** Returns the time at which the head arrived. Returns `nowMs` if the head has not arrived yet: the task's result
   *  may arrive before it. */
  begunMs(nowMs: number): number {
    return this.#headMs ?? nowMs
  }

  #settle(result: TaskResult): Promise<Begun<Head>> | undefined {
    if ('bug' in result) return this.#fail(result.bug)
    if ('failure' in result) return this.#fail(toError(result.failure))
    // Usually the port closes when the iterator ends. Also close it here, because the iterator does not end if the
    // client left or the answer was cut.
    if (this.#isEnded || this.#failure !== undefined) this.#port.close()
    // Wait for the head: it comes over another port than the result, and may still be on its way.
    return this.#begun.promise
  }

  #fail(error: Error): undefined {
    clearTimeout(this.#timer)
    this.#failure = error
    this.#wake()
    this.#port.close()
    return undefined
  }

  #receive(message: FromTask<Head>): void {
    if (message.type === 'head') {
      this.#headMs = performance.now()
      this.#begun.resolve(message)
    } else if (message.type === 'chunk') {
      if (this.#failure !== undefined) return
      this.#chunks.push(message.bytes)
      if (this.#chunks.length >= CREDITS) this.#beginStall()
    } else if (message.type === 'packed') this.#onPacked(message.bytes)
    else if (message.type === 'end') this.#isEnded = true
    this.#wake()
  }

  #beginStall(): void {
    if (this.stalledSinceMs !== null) return
    this.stalledSinceMs = performance.now()
    if (this.#isSlow) return
    this.#timer = setTimeout(() => {
      this.#isSlow = true
      this.#port.postMessage('pack')
      this.#listener?.slow()
    }, this.#patienceMs)
  }

  #endStall(): void {
    clearTimeout(this.#timer)
    const waitedMs = this.stalledSinceMs === null ? 0 : performance.now() - this.stalledSinceMs
    // A busy thread may take a chunk before it runs a timer that is due. Then `waitedMs` is greater than `#patienceMs`.
    this.#patienceMs = Math.max(0, this.#patienceMs - waitedMs)
    this.stalledSinceMs = null
  }

  #iterator(): AsyncIterableIterator<Uint8Array> {
    const next = async (): Promise<IteratorResult<Uint8Array>> => {
      for (;;) {
        const chunk = this.#chunks.shift()
        this.#endStall()
        if (chunk !== undefined) {
          this.#port.postMessage('credit')
          return { done: false, value: chunk }
        }
        if (this.#failure !== undefined) throw this.#failure
        if (this.#isEnded) {
          this.#port.close()
          return { done: true, value: undefined }
        }
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
    }
    const leave = async (): Promise<IteratorResult<Uint8Array>> => {
      if (!this.#isEnded) this.#port.postMessage('cancel')
      this.#isEnded = true
      clearTimeout(this.#timer)
      return { done: true, value: undefined }
    }
    return {
      next,
      return: leave,
      [Symbol.asyncIterator]: () => ({ next, return: leave }) as AsyncIterableIterator<Uint8Array>,
    }
  }
}
