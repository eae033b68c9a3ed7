// The entry of the pool's threads: each task reads what it needs in one go, computes, and encodes JSON bytes here, so
// that the server only passes them on. No read transaction is open while a client is waited for.

import { type MessagePort, workerData as threadData } from 'node:worker_threads'
import { openStore, type Store } from '../../storage/open-store.ts'
import { answerPage } from '../raw/answer-page.ts'
import type { PageRequest, SummaryRequest } from '../requests.ts'
import { answerSummary } from '../summary/answer-summary.ts'
import type { ChunkedAnswer, PageHead, SummaryHead } from './answer-heads.ts'
import { sendChunks } from './chunk-port.ts'
import { type Failure, failureOf } from './outcome.ts'

export type TaskInput<Request> = { request: Request; port: MessagePort }

/** `bytes` is the whole array where it is short; null where it went over the port in chunks. */
export type TaskResult<Head> = { head: Head; bytes: Uint8Array | null } | { failure: Failure }

// Piscina passes its own array: [its data, ours].
const { folder } = (Array.isArray(threadData) ? threadData.at(-1) : threadData) as { folder: string }
let opened: Store | undefined

export const summary = ({ request, port }: TaskInput<SummaryRequest>): Promise<TaskResult<SummaryHead>> =>
  answer(port, (store) => answerSummary(store, request))

export const page = ({ request, port }: TaskInput<PageRequest>): Promise<TaskResult<PageHead>> =>
  answer(port, (store) => answerPage(store, request))

// An answer of one chunk goes back with the task's result: one message instead of four.
async function answer<Head>(
  port: MessagePort,
  compute: (store: Store) => ChunkedAnswer<Head>,
): Promise<TaskResult<Head>> {
  try {
    opened ??= openStore(folder)
    opened.refresh()
    const { head, chunks } = compute(opened)
    const first = chunks.next()
    const second = first.done ? first : chunks.next()
    if (second.done) return { head, bytes: first.done ? new Uint8Array(0) : first.value }
    await sendChunks(port, head, prepend([first.value, second.value], chunks))
    return { head, bytes: null }
  } catch (error) {
    const failure = failureOf(error)
    if (failure === undefined) throw error
    return { failure }
  } finally {
    port.close()
  }
}

function* prepend(first: Uint8Array[], rest: Iterator<Uint8Array>): Generator<Uint8Array> {
  yield* first
  for (let next = rest.next(); !next.done; next = rest.next()) yield next.value
}
