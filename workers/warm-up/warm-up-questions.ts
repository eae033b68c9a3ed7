// What a thread is asked to warm up: questions of all kinds that answer from blocks, in the formats that programs ask
// for, each time about something else.

import { DAY_MS, dateStartMs, MINUTE_MS } from '../../storage/units.ts'
import { AGGREGATES } from '../depth-map/price-steps.ts'
import type { TableFormat } from '../table/encode-table.ts'
import type { Task } from '../task.ts'
import { bookTask } from '../tasks/book.ts'
import { bookChangesTask } from '../tasks/book-changes.ts'
import { depthTask } from '../tasks/depth.ts'
import { depthMapTask } from '../tasks/depth-map.ts'
import { pageTask } from '../tasks/page.ts'
import { summaryTask } from '../tasks/summary.ts'
import { tradeSummaryTask } from '../tasks/trade-summary.ts'
import { tradesTask } from '../tasks/trades.ts'
import type { WarmUpBook, WarmUpDay } from './warm-up-day.ts'

export type WarmUpQuestion = { task: Task<never, object>; request: never }

/** Most of the gain comes with the first: after two of them a book at an instant takes 5 ms and not 18, after twenty
 *  more still 5. */
const ROUNDS = 4

const FORMATS: readonly TableFormat[] = ['arrow', 'json']
const CHART = ['timestamp', 'best_bid', 'best_ask', 'mid_price_open', 'mid_price_high', 'mid_price_low']
/** Prime to the milliseconds of a day. */
const STRIDE_MS = 7_368_787
const STRIDE_RECORDS = 997
const SOME_RECORDS = 2_000

export function* warmUpQuestions({ date, books }: Pick<WarmUpDay, 'date' | 'books'>): Generator<WarmUpQuestion> {
  for (let round = 0; round < ROUNDS; round++) for (const book of books) yield* questionsOf(book, date, round)
}

function questionsOf(book: WarmUpBook, date: string, round: number): WarmUpQuestion[] {
  const dayMs = dateStartMs(date)
  const toMs = dayMs + DAY_MS - 1
  const window = { ...book, fromMs: dayMs - round * MINUTE_MS, toMs, nowMs: toMs + 1, timestampUnit: 'ms' as const }
  const minutes = { ...window, resolutionSeconds: 60 }
  const seconds = { ...window, resolutionSeconds: 1 }
  const record = SOME_RECORDS + ((round * STRIDE_RECORDS) % SOME_RECORDS)
  const encoding = { format: FORMATS[round % FORMATS.length]! }
  const arrow = { format: 'arrow' as const }
  const at = { ms: dayMs + (((round + 1) * STRIDE_MS) % DAY_MS) }
  const place = { date, record }
  const depth = { levels: 10, bands: ['0.01', '0.05'], sizes: [] }
  const aggregate = AGGREGATES[round % AGGREGATES.length]!
  return [
    questionTo(summaryTask, { ...minutes, fill: 'observed' }),
    questionTo(summaryTask, { ...seconds, fill: 'none', encoding }),
    questionTo(summaryTask, { ...seconds, fill: 'observed', encoding: { ...arrow, columns: CHART } }),
    questionTo(bookTask, { ...book, at, depth: 10_000, subject: {} }),
    questionTo(bookTask, { ...book, at: place, depth: 10, subject: {} }),
    questionTo(bookChangesTask, { ...book, scope: { ...place, limit: SOME_RECORDS }, encoding }),
    questionTo(tradesTask, { ...window, after: null, limit: SOME_RECORDS, encoding }),
    questionTo(tradeSummaryTask, { ...minutes, fill: 'none' }),
    questionTo(depthTask, { ...minutes, fill: 'observed', ...depth, encoding }),
    questionTo(depthMapTask, { ...window, resolutionMs: MINUTE_MS, stepMicros: 10_000, aggregate, encoding: arrow }),
    questionTo(pageTask, { ...book, book: null, limit: 500, scope: { date, offset: record } }),
  ]
}

const questionTo = <Request>(task: Task<Request, object>, request: Request): WarmUpQuestion => ({
  task: task as unknown as Task<never, object>,
  request: request as never,
})
