// The task that returns the trades of one book in buckets.

import type { SummaryHead, TradeSummaryRequest } from '../requests.ts'
import { tableOfTrades } from '../trades/trade-summary.ts'
import { tableTask } from './table-task.ts'
import { bucketsIn, weightOf } from './weight.ts'

/** Bytes of memory per bucket. This includes copies, because columns are copied when they grow. */
const BUCKET_BYTES = 150

export const tradeSummaryTask = tableTask<TradeSummaryRequest, SummaryHead>({
  name: 'trade-summary',
  weight: (request) => weightOf(bucketsIn(request) * BUCKET_BYTES),
  async table(store, request) {
    const { head, table } = await tableOfTrades(store, request)
    return { head, table, about: { data_points: head.dataPoints } }
  },
})
