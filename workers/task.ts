// A task of the workers: one kind of request, and how a thread answers it. workers/tasks/registry.ts lists all tasks.

import type { Store } from '../storage/open-store.ts'
import type { ChunkedAnswer } from './chunked-answer.ts'

/** `Request` and `Head` are plain data that crosses threads. */
export type Task<Request, Head extends object> = {
  /** Name in metrics, and between threads. */
  readonly name: string
  /** Returns the bytes of memory that computing the answer needs if the client takes it at once. Returns 0 for a small
   *  answer. A small answer is not weighed, and never waits for large ones. */
  weight(request: Request): number
  /** Rejects with DataError. */
  answer(store: Store, request: Request): Promise<ChunkedAnswer<Head>>
}
