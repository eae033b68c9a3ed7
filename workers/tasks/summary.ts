// Buckets of the top of one book.

import { SECOND_MS } from '../../storage/units.ts'
import type { SummaryHead, SummaryRequest } from '../requests.ts'
import { tableOfSummary } from '../summary/table-of-summary.ts'
import { tableTask } from './table-task.ts'

/** Of the columns of a summary: a day at 1 s takes 13 MB. */
const BUCKET_BYTES = 150
const SMALL_BYTES = 2 ** 20

export const summaryTask = tableTask<SummaryRequest, SummaryHead>({
  name: 'summary',
  weight({ fromMs, toMs, resolutionSeconds }) {
    const bytes = ((toMs - fromMs) / (resolutionSeconds * SECOND_MS)) * BUCKET_BYTES
    return bytes < SMALL_BYTES ? 0 : bytes
  },
  async table(store, request, names) {
    const { head, table } = await tableOfSummary(store, request, names)
    return { head, table, about: { data_points: head.dataPoints } }
  },
})
