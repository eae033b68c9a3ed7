// The entry of the pool's threads: each task reads what it needs in one go, computes, and encodes JSON bytes here, so
// that the server only passes them on. No read transaction is open while a client is waited for.

import { type MessagePort, workerData as threadData, threadId } from 'node:worker_threads'
import { openStore, type Store } from '../../storage/open-store.ts'
import { ANSWERING, collectGarbage } from '../collect-garbage.ts'
import { answerPage } from '../read/answer-page.ts'
import type { PageRequest, SummaryRequest, ThreadTimes } from '../requests.ts'
import { answerSummary } from '../summary/answer-summary.ts'
import type { RecordChunks } from '../table/records-json.ts'
import type { ChunkedAnswer, PageHead, SummaryHead } from './answer-heads.ts'
import { type OnSlow, sendChunks } from './chunk-port.ts'
import { type Failure, failureOf } from './outcome.ts'
import { packChunks } from './packed-chunks.ts'
import { Pulse } from './pulse.ts'
import { WorkLimit } from './work-limit.ts'
import { pageWeight, summaryWeight } from './work-weight.ts'

export type TaskInput<Request> = { request: Request; port: MessagePort }

/** `bytes` is the whole array where it is short; null where it went over the port in chunks. A bug is a result too: a
 *  task that is rejected is one whose thread has ended. */
export type TaskResult<Head> = ({ head: Head; bytes: Uint8Array | null } | { failure: Failure } | { bug: Error }) & {
  times: ThreadTimes
}

// Piscina passes its own array: [its data, ours].
type ThreadData = { folder: string; pulse: SharedArrayBuffer }
const { folder, pulse: pulseMemory } = (Array.isArray(threadData) ? threadData.at(-1) : threadData) as ThreadData
const pulse = new Pulse(pulseMemory, threadId)
let opened: Store | undefined

/** Memory of the answers that a thread is making, for clients that take them as fast as that. What is small is not
 *  weighed. What is larger is made alone. */
const inHand = new WorkLimit(8 * 2 ** 20)

/** Asked of a thread only so that there is one. */
export const ready = async (): Promise<void> => undefined

export function summary({ request, port }: TaskInput<SummaryRequest>): Promise<TaskResult<SummaryHead>> {
  return weighed(summaryWeight(request), (leave) => {
    const onSlow: OnSlow = async (rest) => {
      const packed = await packChunks(rest)
      leave()
      collectGarbage(ANSWERING)
      return packed
    }
    return answer(port, (store) => answerSummary(store, request), onSlow)
  })
}

/** The stored blocks of a page take less than its JSON, packed or not: only what is decoded of them is packed. */
export function page({ request, port }: TaskInput<PageRequest>): Promise<TaskResult<PageHead>> {
  return weighed(pageWeight(request), (leave) => {
    let chunks: RecordChunks | undefined
    const compute = async (store: Store) => {
      const computed = await answerPage(store, request)
      chunks = computed.chunks
      return computed
    }
    const onSlow: OnSlow = async (rest) => {
      chunks?.slow()
      leave()
      collectGarbage(ANSWERING)
      return rest
    }
    return answer(port, compute, onSlow)
  })
}

async function weighed<T>(bytes: number, work: (leave: () => void) => Promise<T>): Promise<T> {
  if (bytes === 0) return work(() => undefined)
  const leave = await inHand.enter(bytes)
  try {
    return await work(leave)
  } finally {
    leave()
    collectGarbage(ANSWERING)
  }
}

// An answer of one chunk goes back with the task's result: one message instead of four.
function answer<Head>(
  port: MessagePort,
  compute: (store: Store) => Promise<ChunkedAnswer<Head>>,
  onSlow: OnSlow,
): Promise<TaskResult<Head>> {
  return pulse.during(() => answerOver(port, compute, onSlow))
}

async function answerOver<Head>(
  port: MessagePort,
  compute: (store: Store) => Promise<ChunkedAnswer<Head>>,
  onSlow: OnSlow,
): Promise<TaskResult<Head>> {
  const startMs = performance.now()
  let readyMs = 0
  const times = (): ThreadTimes => {
    const endMs = performance.now() - startMs
    return { readyMs: readyMs || endMs, endMs }
  }
  try {
    opened ??= openStore(folder)
    opened.refresh()
    const { head, chunks } = await compute(opened)
    const first = chunks.next()
    const second = first.done ? first : chunks.next()
    if (second.done) return { head, bytes: first.done ? new Uint8Array(0) : first.value, times: times() }
    readyMs = performance.now() - startMs
    await sendChunks(port, { head, chunks: prepend([first.value, second.value], chunks) }, onSlow)
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

function* prepend(first: Uint8Array[], rest: Iterator<Uint8Array>): Generator<Uint8Array> {
  yield* first
  for (let next = rest.next(); !next.done; next = rest.next()) yield next.value
}
