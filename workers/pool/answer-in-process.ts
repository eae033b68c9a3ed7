// Answers tasks in the calling thread, for commands: one question at a time, while no other caller waits.

import type { Store } from '../../storage/open-store.ts'
import { storeOfRequest } from '../layers/source-view.ts'
import type { Workers } from '../requests.ts'

/** Returns the in-process equivalent of the pool's `ask`. Like the pool, `ask` rejects with DataError. */
export function answerInProcess(store: Store): Pick<Workers, 'ask'> {
  return {
    async ask(task, request) {
      store.refresh()
      const { head, chunks } = await task.answer(storeOfRequest(store, request), request)
      return { ...head, data: { chunks: inTurn(chunks) } }
    },
  }
}

/** Computes each chunk when it is requested. */
async function* inTurn(chunks: Iterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let next = chunks.next(); !next.done; next = chunks.next()) yield next.value
}
