// The entry of the pool's threads: each task reads what it needs in one go, computes, and encodes here, so that the
// server only passes bytes on. No read transaction is open while a client is waited for.

import { type MessagePort, workerData as threadData, threadId } from 'node:worker_threads'
import { openStore, type Store } from '../../storage/open-store.ts'
import type { AnswerChunks } from '../chunked-answer.ts'
import { ANSWERING, collectGarbage } from '../collect-garbage.ts'
import type { ThreadTimes } from '../requests.ts'
import { taskNamed } from '../tasks/registry.ts'
import { sendChunks } from './chunk-port.ts'
import { type Failure, failureOf } from './outcome.ts'
import { Pulse } from './pulse.ts'

/** `task` is its name. */
export type TaskInput = { task: string; request: unknown; port: MessagePort }

/** `bytes` is the whole answer where it is short; null where it went over the port in chunks. A bug is a result too: a
 *  task that is rejected is one whose thread has ended. */
export type TaskResult<Head> = ({ head: Head; bytes: Uint8Array | null } | { failure: Failure } | { bug: Error }) & {
  times: ThreadTimes
}

// Piscina passes its own array: [its data, ours].
type ThreadData = { folder: string; pulse: SharedArrayBuffer }
const { folder, pulse: pulseMemory } = (Array.isArray(threadData) ? threadData.at(-1) : threadData) as ThreadData
const pulse = new Pulse(pulseMemory, threadId)
let opened: Store | undefined

/** Asked of a thread only so that there is one. */
export const ready = async (): Promise<void> => undefined

export const answer = (input: TaskInput): Promise<TaskResult<object>> => pulse.during(() => answerOver(input))

// An answer of one chunk goes back with the task's result: one message instead of four.
async function answerOver({ task, request, port }: TaskInput): Promise<TaskResult<object>> {
  const startMs = performance.now()
  let readyMs = 0
  const times = (): ThreadTimes => {
    const endMs = performance.now() - startMs
    return { readyMs: readyMs || endMs, endMs }
  }
  try {
    opened ??= openStore(folder, { readOnly: true })
    opened.refresh()
    const { head, chunks } = await taskNamed(task).answer(opened, request as never)
    const first = chunks.next()
    const second = first.done ? first : chunks.next()
    if (second.done) return { head, bytes: first.done ? new Uint8Array(0) : first.value, times: times() }
    readyMs = performance.now() - startMs
    await sendChunks(port, { head, chunks: prepend([first.value, second.value], chunks) })
    collectGarbage(ANSWERING)
    return { head, bytes: null, times: times() }
  } catch (error) {
    const failure = failureOf(error)
    return failure === undefined ? { bug: asError(error), times: times() } : { failure, times: times() }
  } finally {
    port.close()
  }
}

/** Only what crosses threads whole. */
function asError(error: unknown): Error {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return Object.assign(new Error(message), { stack })
}

/** Chunks that were taken already stand before the rest. */
function prepend(first: Uint8Array[], rest: AnswerChunks): AnswerChunks {
  const next = () => (first.length > 0 ? { done: false as const, value: first.shift()! } : rest.next())
  return rest.packParts === undefined ? { next } : { next, packParts: (pack) => rest.packParts?.(pack) }
}
