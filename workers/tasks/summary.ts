// The task that returns buckets of the top of one book.

import type { SummaryHead, SummaryRequest } from '../requests.ts'
import { tableOfSummary } from '../summary/table-of-summary.ts'
import { tableTask } from './table-task.ts'
import { bucketsIn, weightOf } from './weight.ts'

/** Bytes of a bucket in the columns of a summary: a day at 1 s takes 13 MB. */
const BUCKET_BYTES = 150

export const summaryTask = tableTask<SummaryRequest, SummaryHead>({
  name: 'summary',
  weight: (request) => weightOf(bucketsIn(request) * BUCKET_BYTES),
  async table(store, request, names) {
    const { head, table } = await tableOfSummary(store, request, names)
    return { head, table, about: { data_points: head.dataPoints } }
  },
})
