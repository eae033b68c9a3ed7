// The workers' answers in the thread that asks, for commands: one question at a time, and nobody else waits for it.

import type { Store } from '../../storage/open-store.ts'
import { answerPage } from '../read/answer-page.ts'
import type { JsonArray, PageAnswer, PageRequest, SummaryAnswer, SummaryRequest, Workers } from '../requests.ts'
import { answerSummary } from '../summary/answer-summary.ts'

/** Methods reject with DataError, as those of the pool do. */
export function answerInProcess(store: Store): Pick<Workers, 'summary' | 'page'> {
  return {
    async summary(request: SummaryRequest): Promise<SummaryAnswer> {
      store.refresh()
      const { head, chunks } = await answerSummary(store, request)
      return { ...head, data: asChunks(chunks) }
    },
    async page(request: PageRequest): Promise<PageAnswer> {
      store.refresh()
      const { head, chunks } = await answerPage(store, request)
      return { ...head, data: asChunks(chunks) }
    },
  }
}

/** Each chunk is made when it is asked for. */
function asChunks(chunks: Iterator<Uint8Array>): JsonArray {
  return { chunks: inTurn(chunks) }
}

async function* inTurn(chunks: Iterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let next = chunks.next(); !next.done; next = chunks.next()) yield next.value
}
