// Queries of recorded markets, with answers as text: everything about one market, and its best prices by the minute.

import type { Store } from '../../../storage/open-store.ts'
import type { ChunkedAnswer } from '../../../workers/chunked-answer.ts'
import { answerPage } from '../../../workers/read/answer-page.ts'
import { summaryTask } from '../../../workers/tasks/summary.ts'
import { VENUE } from '../made-loads.ts'

/** All days on which a recorder may run. */
const RECORDED = { fromMs: Date.parse('2026-07-22T00:00:00Z'), toMs: Date.parse('2026-07-29T00:00:00Z') }
/** The range in which the venue sends messages. */
const SENDING = { fromMs: Date.parse('2026-07-22T09:58:00Z'), toMs: Date.parse('2026-07-22T10:05:00Z') }
const LIMIT = 10_000
const RESOLUTION_SECONDS = 60

export type RecordedQuestion = 'range' | 'summary'

export async function recordedAnswer(store: Store, market: string, question: RecordedQuestion): Promise<string> {
  const of = { venue: VENUE, market } as const
  if (question === 'range') {
    return textOf(await answerPage(store, { ...of, book: null, limit: LIMIT, scope: { ...RECORDED, after: null } }))
  }
  const how = { resolutionSeconds: RESOLUTION_SECONDS, fill: 'none', timestampUnit: 'ms' } as const
  return textOf(await summaryTask.answer(store, { ...of, ...SENDING, ...how, book: market, nowMs: SENDING.toMs }))
}

function textOf({ chunks }: ChunkedAnswer<object>): string {
  const parts: Uint8Array[] = []
  for (let next = chunks.next(); !next.done; next = chunks.next()) parts.push(next.value)
  return Buffer.concat(parts).toString()
}
