// The server's only interface to the workers: a bounded pool of threads that answer tasks.

import { MessageChannel } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { DataError } from '../../storage/failures.ts'
import type { StorePlace } from '../../storage/open-store.ts'
import type { NodeMemory } from '../../storage/store.ts'
import type { Answer, PoolStats, TaskReport, Workers } from '../requests.ts'
import type { Task } from '../task.ts'
import { Admission } from './admission.ts'
import type { TaskResult } from './answer-task.ts'
import { IncomingAnswer } from './incoming-answer.ts'
import { CHECK_EVERY_MS, type OnThreadEnd, ThreadWatch } from './thread-watch.ts'

/** Limits per thread. Small answers are limited by number. Large answers are limited by the memory that computing
 *  them needs. Slow clients are limited by number and by packed bytes. A slow client has the rest of its answer
 *  stored packed, and two chunks of 64 KB on their way. */
const PER_THREAD = { small: 48, largeBytes: 8 * 2 ** 20, slow: 512, slowBytes: 64 * 2 ** 20 }
/** Maximum number of large answers of a thread at once. Each weighs at least 1 MB. */
const LARGE_MAX = 8

// Bun and piscina declare the type of a transfer list differently, but at run time both are the same list.
type Transfer = NonNullable<NonNullable<Parameters<Piscina['run']>[1]>['transferList']>

export type WorkerOptions = {
  /** The store that each thread opens. */
  place: StorePlace
  /** Memory that the server and the threads of a cluster node share. */
  shared?: NodeMemory | undefined
  threads: number
  /** Maximum number of requests that wait for a thread. Further requests are refused with DataError('overloaded'). */
  queueMax: number
  /** Called for each task that ended, in the asynchronous context of its caller. */
  onTask?: (report: TaskReport) => void
  /** Called for each thread that ends before the pool is closed; another replaces it. */
  onThreadEnd?: OnThreadEnd
  /** For tests: the file that the threads run, and the interval of checks for stuck threads. */
  entry?: string
  checkEveryMs?: number
}

// The build finds the file only if its URL is written in this form (docs/binary.md).
const ANSWER_TASK = new URL('./answer-task.ts', import.meta.url).href

export function createWorkers(options: WorkerOptions): Workers {
  const { place, shared, threads, queueMax, onTask, onThreadEnd = () => undefined } = options
  const { entry = ANSWER_TASK, checkEveryMs = CHECK_EVERY_MS } = options
  const watch = new ThreadWatch(threads, onThreadEnd)
  const piscina = new Piscina({
    filename: entry,
    workerData: { place, shared, pulse: watch.memory },
    minThreads: threads,
    maxThreads: threads,
    // `admission` decides which tasks may enter.
    concurrentTasksPerWorker: PER_THREAD.small + LARGE_MAX + PER_THREAD.slow,
    idleTimeout: Number.MAX_SAFE_INTEGER,
  })
  const revive = () => void piscina.run(null, { name: 'ready' }).catch(() => undefined)
  watch.follow(piscina, { checkEveryMs, revive })
  const counts = { started: 0, completed: 0 }
  const admission = admissionTo(threads, queueMax)

  async function ask<Request, Head extends object>(task: Task<Request, Head>, request: Request): Promise<Answer<Head>> {
    const { name } = task
    const { port1, port2 } = new MessageChannel()
    const onPacked = (bytes: number) => admission.slow(incoming, bytes)
    const incoming: IncomingAnswer<Head> = new IncomingAnswer(port1, { onPacked })
    const requestedMs = performance.now()
    try {
      // A task larger than a thread's share is weighed as the whole share, so its thread works on no other large task.
      const room = admission.enter(incoming, Math.min(task.weight(request), PER_THREAD.largeBytes))
      if (room !== undefined) await room
    } catch (error) {
      port1.close()
      onTask?.({ kind: name, outcome: 'refused' })
      throw error
    }
    counts.started++
    const working = (
      piscina.run(
        { task: name, request, port: port2 },
        { name: 'answer', transferList: [port2] as unknown as Transfer },
      ) as Promise<TaskResult>
    )
      .then(
        (result) => {
          onTask?.(reportOf(name, result, incoming.begunMs(performance.now()) - requestedMs))
          return result
        },
        // A failure of the task itself is a result, so a rejection means that its thread has ended.
        () => {
          onTask?.({ kind: name, outcome: 'lost' })
          throw new DataError('work_lost', 'The thread that worked on the request has ended: try again')
        },
      )
      .finally(() => {
        counts.completed++
        admission.leave(incoming)
      })
    const { head, data } = await incoming.answer(working)
    return { ...head, data }
  }

  return {
    ask,
    stats: (): PoolStats => ({
      threads: piscina.threads.length,
      running: counts.started - counts.completed,
      queued: admission.queued,
      queueMax,
      completed: counts.completed,
    }),
    close: () => {
      watch.close()
      admission.close()
      return piscina.close({ force: true })
    },
  }
}

const admissionTo = (threads: number, queue: number): Admission =>
  new Admission({
    small: threads * PER_THREAD.small,
    largeBytes: threads * PER_THREAD.largeBytes,
    slow: threads * PER_THREAD.slow,
    slowBytes: threads * PER_THREAD.slowBytes,
    queue,
  })

/** Returns a task's report. The clocks of two threads are not compared. Instead, the waiting time is the time until the
 *  answer began, minus the time that the thread worked on it. */
function reportOf(kind: string, result: TaskResult, untilBegunMs: number): TaskReport {
  if ('bug' in result) return { kind, outcome: 'broken' }
  const outcome = 'failure' in result ? 'failed' : 'answered'
  return { kind, outcome, waitMs: Math.max(0, untilBegunMs - result.times.readyMs), times: result.times }
}
