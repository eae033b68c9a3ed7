// The one door from the server to the workers: a bounded pool of threads, and a method for each task.

import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { DataError } from '../storage/failures.ts'
import { ANSWERING, collectGarbage } from './collect-garbage.ts'
import type {
  JsonArray,
  PageAnswer,
  PageRequest,
  PoolFigures,
  SummaryAnswer,
  SummaryRequest,
  TaskKind,
  TaskReport,
  Workers,
} from './requests.ts'
import type { PageHead, SummaryHead } from './tasks/answer-heads.ts'
import type { TaskResult } from './tasks/answer-task.ts'
import type { FromTask } from './tasks/chunk-port.ts'
import { toError } from './tasks/outcome.ts'
import { LOOK_EVERY_MS, type OnThreadEnd, ThreadWatch } from './thread-watch.ts'

/** Answers that a thread works on at once. All but one wait for their clients: the others then have the thread. */
const ANSWERS_PER_THREAD = 64

// Bun's and piscina's declarations of a transfer list disagree; at run time it is the same list.
type Transfer = NonNullable<NonNullable<Parameters<Piscina['run']>[1]>['transferList']>

export type WorkerOptions = {
  /** Data folder, opened by each thread. */
  folder: string
  threads: number
  /** Requests that may wait for a thread; one more is refused with DataError('overloaded'). */
  queueMax: number
  /** Told of each task that ended, in the asynchronous context of its caller. */
  onTask?: (report: TaskReport) => void
  /** Told of each thread that ends before the pool is closed; another takes its place. */
  onThreadEnd?: OnThreadEnd
  /** What the threads run, and how often it is looked whether one is stuck: others than these are for tests. */
  entry?: string
  lookEveryMs?: number
}

// In this form the build finds it (docs/binary.md).
const ANSWER_TASK = new URL('./tasks/answer-task.ts', import.meta.url).href

export function createWorkers(options: WorkerOptions): Workers {
  const { folder, threads, queueMax, onTask, onThreadEnd = () => undefined } = options
  const { entry = ANSWER_TASK, lookEveryMs = LOOK_EVERY_MS } = options
  const watch = new ThreadWatch(threads, onThreadEnd)
  const piscina = new Piscina({
    filename: entry,
    workerData: { folder, pulse: watch.memory },
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: ANSWERS_PER_THREAD,
    maxQueue: queueMax,
    idleTimeout: Number.MAX_SAFE_INTEGER,
  })
  const revive = () => void piscina.run(null, { name: 'ready' }).catch(() => undefined)
  watch.follow(piscina, { lookEveryMs, revive })
  const figures = new Figures()

  async function run<Head>(name: TaskKind, request: unknown): Promise<{ head: Head; data: JsonArray }> {
    const { port1, port2 } = new MessageChannel()
    const incoming = new IncomingAnswer<Head>(port1)
    figures.started++
    const askedMs = performance.now()
    const task = (
      piscina.run({ request, port: port2 }, { name, transferList: [port2] as unknown as Transfer }) as Promise<
        TaskResult<Head>
      >
    )
      .then(
        (result) => {
          onTask?.(reportOf(name, result, incoming.begunMs(performance.now()) - askedMs))
          return result
        },
        // A failure of the task itself is a result: it had no chance, or its thread has ended with it.
        (error: Error) => {
          const isRefused = isQueueFull(error)
          onTask?.({ kind: name, outcome: isRefused ? 'refused' : 'lost' })
          throw isRefused
            ? new DataError('overloaded', 'Too many requests are being answered')
            : new DataError('work_lost', 'The thread that worked on the request has ended: ask again')
        },
      )
      .finally(() => {
        figures.completed++
      })
    return incoming.answer(task)
  }

  return {
    async summary(request: SummaryRequest): Promise<SummaryAnswer> {
      const { head, data } = await run<SummaryHead>('summary', request)
      return { ...head, data }
    },
    async page(request: PageRequest): Promise<PageAnswer> {
      const { head, data } = await run<PageHead>('page', request)
      return { ...head, data }
    },
    figures: (): PoolFigures => ({
      threads: piscina.threads.length,
      running: figures.started - figures.completed - piscina.queueSize,
      queued: piscina.queueSize,
      queueMax,
      completed: figures.completed,
    }),
    close: () => {
      watch.close()
      return piscina.close({ force: true })
    },
  }
}

class Figures {
  started = 0
  completed = 0
}

/** The clocks of two threads are not compared: what of the time until the answer began was no work, was waiting. */
function reportOf<Head>(kind: TaskKind, result: TaskResult<Head>, untilBegunMs: number): TaskReport {
  if ('bug' in result) return { kind, outcome: 'broken' }
  const outcome = 'failure' in result ? 'failed' : 'answered'
  return { kind, outcome, waitMs: Math.max(0, untilBegunMs - result.times.readyMs), times: result.times }
}

const isQueueFull = (error: Error): boolean => error.message.includes('Task queue is at limit')

/** The server's end of an answer: it is complete with the task's result, or begins with a `head` over the port. */
class IncomingAnswer<Head> {
  readonly #port: MessagePort
  readonly #chunks: Uint8Array[] = []
  #isEnded = false
  #headMs: number | undefined
  #failure: Error | undefined
  #wake = () => {}
  #begin: (head: Head) => void = () => {}

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
    return { head: head as Head, data: { chunks: this.#iterator() } }
  }

  /** When its first bytes were here: with its head, or with the result of the task, which is here now. */
  begunMs(nowMs: number): number {
    return this.#headMs ?? nowMs
  }

  #settle(result: TaskResult<Head>): Head | { head: Head; bytes: Uint8Array } | undefined {
    if ('bug' in result) return this.#fail(result.bug)
    if ('failure' in result) return this.#fail(toError(result.failure))
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
    } else if (message.type === 'chunk') this.#chunks.push(message.bytes)
    else if (message.type === 'end') this.#isEnded = true
    this.#wake()
  }

  #iterator(): AsyncIterableIterator<Uint8Array> {
    const next = async (): Promise<IteratorResult<Uint8Array>> => {
      for (;;) {
        const chunk = this.#chunks.shift()
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
