// The server's end of an answer that a thread makes: complete with the task's result, or begun with a `head` over the port
// and then taken chunk by chunk.

import type { MessagePort } from 'node:worker_threads'
import { DataError } from '../../storage/failures.ts'
import { ANSWERING, collectGarbage } from '../collect-garbage.ts'
import type { JsonArray } from '../requests.ts'
import type { Answering } from './answer-slots.ts'
import type { TaskResult } from './answer-task.ts'
import type { FromTask } from './chunk-port.ts'
import { toError } from './outcome.ts'

export class IncomingAnswer<Head> implements Answering {
  /** Since when a chunk is here that nobody takes. */
  stalledSinceMs: number | null = null
  readonly #port: MessagePort
  readonly #chunks: Uint8Array[] = []
  #isEnded = false
  #headMs: number | undefined
  #failure: Error | undefined
  #wake = () => {}
  #begin: (head: Head) => void = () => {}
  #tellCut: (error: Error) => void = () => {}

  constructor(port: MessagePort) {
    this.#port = port
    port.on('message', (message: FromTask<Head>) => this.#receive(message))
  }

  async answer(task: Promise<TaskResult<Head>>): Promise<{ head: Head; data: JsonArray }> {
    const begun = new Promise<Head>((resolve) => {
      this.#begin = resolve
    })
    const settled = task.then(
      (result) => this.#settle(result),
      (error: Error) => this.#fail(error),
    )
    const head = await Promise.race([begun, settled])
    if (head === undefined) throw this.#failure
    if ('bytes' in (head as object)) {
      this.#port.close()
      const { head: figures, bytes } = head as { head: Head; bytes: Uint8Array }
      return { head: figures, data: { bytes } }
    }
    const onCut = (listener: (error: Error) => void) => {
      this.#tellCut = listener
    }
    return { head: head as Head, data: { chunks: this.#iterator(), onCut } }
  }

  /** Its client takes nothing, and others need the room. */
  cut(): void {
    this.#failure = new DataError('overloaded', 'There are too many slow clients, and this one was waited for longest')
    this.#chunks.length = 0
    this.stalledSinceMs = null
    this.#port.postMessage('cancel')
    this.#wake()
    this.#tellCut(this.#failure)
  }

  /** When its first bytes were here: with its head, or with the result of the task, which is here now. */
  begunMs(nowMs: number): number {
    return this.#headMs ?? nowMs
  }

  #settle(result: TaskResult<Head>): Head | { head: Head; bytes: Uint8Array } | undefined {
    if ('bug' in result) return this.#fail(result.bug)
    if ('failure' in result) return this.#fail(toError(result.failure))
    // Its client left, or it was cut: nobody closes the port by taking the last chunk.
    if (this.#isEnded || this.#failure !== undefined) this.#port.close()
    if (result.bytes !== null) return { head: result.head, bytes: result.bytes }
    return result.head
  }

  #fail(error: Error): undefined {
    this.#failure = error
    this.#wake()
    this.#port.close()
    return undefined
  }

  #receive(message: FromTask<Head>): void {
    if (message.type === 'head') {
      this.#headMs = performance.now()
      this.#begin(message.head)
    } else if (message.type === 'chunk') {
      if (this.#failure !== undefined) return
      this.#chunks.push(message.bytes)
      this.stalledSinceMs ??= performance.now()
    } else if (message.type === 'end') this.#isEnded = true
    this.#wake()
  }

  #iterator(): AsyncIterableIterator<Uint8Array> {
    const next = async (): Promise<IteratorResult<Uint8Array>> => {
      for (;;) {
        const chunk = this.#chunks.shift()
        this.stalledSinceMs = this.#chunks.length > 0 ? performance.now() : null
        if (chunk !== undefined) {
          this.#port.postMessage('credit')
          // The chunks that were passed on are this thread's garbage.
          collectGarbage(ANSWERING)
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
      return { done: true, value: undefined }
    }
    return {
      next,
      return: leave,
      [Symbol.asyncIterator]: () => ({ next, return: leave }) as AsyncIterableIterator<Uint8Array>,
    }
  }
}
