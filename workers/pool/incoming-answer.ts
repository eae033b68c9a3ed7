// The server's end of an answer that a thread makes: complete with the task's result, or begun with a `head` over the
// port and then taken chunk by chunk. The one rule of what a slow client is stands here.

import type { MessagePort } from 'node:worker_threads'
import { DataError } from '../../storage/failures.ts'
import { ANSWERING, letGo } from '../collect-garbage.ts'
import type { AnswerBytes, StreamListener } from '../requests.ts'
import type { Admitted } from './admission.ts'
import type { TaskResult } from './answer-task.ts'
import { CREDITS, type FromTask } from './chunk-port.ts'
import { toError } from './outcome.ts'

/** A client that was waited for so long in all, with as many chunks here as there may be, is slow. */
const PATIENCE_MS = 100

export type IncomingOptions = {
  /** Called when the client is slow and the rest of its answer is packed, with what that is held in. */
  onPacked?: (bytes: number) => void
  /** Another than the usual is for tests. */
  patienceMs?: number
}

/** `bytes` is all of a short answer. */
type Begun<Head> = { head: Head; bytes?: Uint8Array | undefined }

export class IncomingAnswer<Head> implements Admitted {
  /** Since when as many chunks are here as there may be, and nobody takes them. */
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
      // It is reported before it is answered.
      await settled
      this.#port.close()
      letGo(bytes.length, ANSWERING)
      return { head, data: { bytes } }
    }
    const follow = (listener: StreamListener) => {
      this.#listener = listener
      if (this.#isSlow) listener.slow()
    }
    return { head, data: { chunks: this.#iterator(), follow } }
  }

  /** Its client takes nothing, and others need the room. */
  cut(): void {
    this.#failure = new DataError('overloaded', 'There are too many slow clients, and this one was waited for longest')
    this.#chunks.length = 0
    this.#taken()
    this.#port.postMessage('cancel')
    this.#wake()
    this.#listener?.cut(this.#failure)
  }

  /** When its first bytes were here: with its head, which the result of the task may have overtaken. */
  begunMs(nowMs: number): number {
    return this.#headMs ?? nowMs
  }

  #settle(result: TaskResult): Promise<Begun<Head>> | undefined {
    if ('bug' in result) return this.#fail(result.bug)
    if ('failure' in result) return this.#fail(toError(result.failure))
    // Its client left, or it was cut: nobody closes the port by taking the last chunk.
    if (this.#isEnded || this.#failure !== undefined) this.#port.close()
    // The head may still be on its way: it comes over another port.
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
      if (this.#chunks.length >= CREDITS) this.#stalled()
    } else if (message.type === 'packed') this.#onPacked(message.bytes)
    else if (message.type === 'end') this.#isEnded = true
    this.#wake()
  }

  #stalled(): void {
    if (this.stalledSinceMs !== null) return
    this.stalledSinceMs = performance.now()
    if (this.#isSlow) return
    this.#timer = setTimeout(() => {
      this.#isSlow = true
      this.#port.postMessage('pack')
      this.#listener?.slow()
    }, this.#patienceMs)
  }

  #taken(): void {
    clearTimeout(this.#timer)
    const waitedMs = this.stalledSinceMs === null ? 0 : performance.now() - this.stalledSinceMs
    // A busy thread may take what is there before it runs a timer that is over.
    this.#patienceMs = Math.max(0, this.#patienceMs - waitedMs)
    this.stalledSinceMs = null
  }

  #iterator(): AsyncIterableIterator<Uint8Array> {
    const next = async (): Promise<IteratorResult<Uint8Array>> => {
      for (;;) {
        const chunk = this.#chunks.shift()
        this.#taken()
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
