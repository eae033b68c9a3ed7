// Trades of one book in buckets.

import { SECOND_MS } from '../../storage/units.ts'
import type { SummaryHead, TradeSummaryRequest } from '../requests.ts'
import { tableOfTrades } from '../trades/trade-summary.ts'
import { tableTask } from './table-task.ts'

/** Of its columns, which are copied as they grow. */
const BUCKET_BYTES = 150
const SMALL_BYTES = 2 ** 20

export const tradeSummaryTask = tableTask<TradeSummaryRequest, SummaryHead>({
  name: 'trade-summary',
  weight({ fromMs, toMs, resolutionSeconds }) {
    const bytes = ((toMs - fromMs) / (resolutionSeconds * SECOND_MS)) * BUCKET_BYTES
    return bytes < SMALL_BYTES ? 0 : bytes
  },
  async table(store, request) {
    const { head, table } = await tableOfTrades(store, request)
    return { head, table, about: { data_points: head.dataPoints } }
  },
})
