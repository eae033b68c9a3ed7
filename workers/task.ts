// A task of the workers: one kind of question, and how a thread answers it. workers/tasks/registry.ts lists them all.

import type { Store } from '../storage/open-store.ts'
import type { ChunkedAnswer } from './chunked-answer.ts'

/** `Request` and `Head` cross threads: plain data. */
export type Task<Request, Head extends object> = {
  /** In metrics and traces, and between threads. */
  readonly name: string
  /** Bytes of memory that the answer takes while it is made, for a client that takes it as fast as that. 0 for what is
   *  small: it is not weighed, and waits for nothing that is large. */
  weight(request: Request): number
  /** Rejects with DataError. */
  answer(store: Store, request: Request): Promise<ChunkedAnswer<Head>>
}
