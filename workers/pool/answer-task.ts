// The entry point of the pool's threads. A task reads all it needs, computes and encodes here, so the server only
// passes bytes on. No read transaction is open while the answer waits for its client.

import { type MessagePort, workerData as threadData, threadId } from 'node:worker_threads'
import { openStore, openStoreAt, type Store, type StorePlace } from '../../storage/open-store.ts'
import type { NodeMemory } from '../../storage/store.ts'
import { ANSWERING, collectGarbage, countReleased, PRESSED } from '../collect-garbage.ts'
import { storeOfRequest } from '../layers/source-view.ts'
import type { ThreadTimes } from '../requests.ts'
import { taskNamed } from '../tasks/registry.ts'
import { sendChunks, sendWhole } from './chunk-port.ts'
import { type Failure, failureOf } from './outcome.ts'
import { Pulse } from './pulse.ts'
import { lowerPriority } from './thread-priority.ts'
import { wholeAnswer } from './whole-answer.ts'

/** `task` is the task's name. */
export type TaskInput = { task: string; request: unknown; port: MessagePort }

/** Result of a task. The answer itself goes over the port. A bug is a result too, because a task rejects only if its
 *  thread has ended. */
export type TaskResult = ({ isAnswered: true } | { failure: Failure } | { bug: Error }) & { times: ThreadTimes }

// Piscina passes an array: [its data, ours].
type ThreadData = { place: StorePlace; shared?: NodeMemory; pulse: SharedArrayBuffer }
const { place, shared, pulse: pulseMemory } = (Array.isArray(threadData) ? threadData.at(-1) : threadData) as ThreadData
const pulse = new Pulse(pulseMemory, threadId)
let opened: Store | undefined
let opening: Promise<Store> | undefined
lowerPriority()

/** Does nothing; the pool calls it to make sure that a thread exists. */
export const ready = async (): Promise<void> => undefined

export const answer = (input: TaskInput): Promise<TaskResult> => pulse.during(() => answerOver(input))

async function answerOver({ task, request, port }: TaskInput): Promise<TaskResult> {
  const startMs = performance.now()
  let readyMs = 0
  const times = (): ThreadTimes => ({ readyMs: readyMs || performance.now() - startMs })
  try {
    opened ??= await openOnce()
    opened.refresh()
    const { head, chunks } = await taskNamed(task).answer(storeOfRequest(opened, request), request as never)
    const answer = wholeAnswer(chunks)
    if ('bytes' in answer) sendWhole(port, head, answer.bytes)
    else {
      readyMs = performance.now() - startMs
      // The answer's source data takes about as much memory as the answer, so it counts as the same number of released
      // bytes.
      countReleased(await sendChunks(port, { head, chunks: answer.chunks }), ANSWERING)
      collectGarbage(PRESSED)
    }
    return { isAnswered: true, times: times() }
  } catch (error) {
    const failure = failureOf(error)
    return failure === undefined ? { bug: asError(error), times: times() } : { failure, times: times() }
  } finally {
    port.close()
  }
}

/** Opens the store once. If that fails, the next task tries again. */
async function openOnce(): Promise<Store> {
  // The server has created the folder's store already.
  if (place.cluster === null) return openStore(place.folder, { readOnly: true })
  // This thread does not listen for commits, so it can sleep while idle. Without the server's shared memory, each task
  // checks whether the rows that this thread knows are current.
  opening ??= openStoreAt(place, { mayWrite: false, shared })
  try {
    return await opening
  } finally {
    opening = undefined
  }
}

/** Returns an error with only the properties that cross threads intact. */
function asError(error: unknown): Error {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return Object.assign(new Error(message), { stack })
}
