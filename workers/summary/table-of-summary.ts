// Reads a summary from a store as a table.

import { NotFetched } from '../../storage/block-store.ts'
import type { Store } from '../../storage/open-store.ts'
import { utcDate } from '../../storage/units.ts'
import { bookConstants } from '../read/book-constants.ts'
import { consistently } from '../read/consistently.ts'
import { requireMarket } from '../read/require-market.ts'
import type { SummaryHead, SummaryRequest } from '../requests.ts'
import { columnNames, type Table, type TableChunk } from '../table/table.ts'
import { trustSteps } from '../trust/trust-steps.ts'
import { BucketGrid } from './bucket-grid.ts'
import { releaseColumns } from './column-pool.ts'
import { partsOfSummary, planSummary } from './plan-summary.ts'
import { summarize } from './summarize.ts'
import { type Buckets, bucketCount, candlesOf, SUMMARY_COLUMNS, summaryTable } from './summary-table.ts'
import { trustedRuns } from './trusted-runs.ts'

/** Returns the summary. Computes only the candles that have columns in `names`, or all candles if `names` is absent.
 *  The other candles must not be read. Rejects with DataError: market_not_stored, block_corrupt. */
export function tableOfSummary(
  store: Store,
  request: SummaryRequest,
  names?: readonly string[],
): Promise<{ head: SummaryHead; table: Table }> {
  return consistently(store, request, async () => {
    await requireMarket(store, request)
    const { venue, market, fromMs, toMs, resolutionSeconds, fill, timestampUnit } = request
    const { catalogue } = store
    const days = await catalogue.heads(venue, market, { from: utcDate(fromMs), to: utcDate(toMs) })
    const next = await catalogue.neighbour({ venue, market, date: utcDate(toMs) }, 'after')
    const grid = new BucketGrid(resolutionSeconds)
    const plan = planSummary(request, days, next, grid)
    const candles = candlesOf(names)
    const compute = async (toEnd: boolean) =>
      summarize(await store.blocks.fetch(partsOfSummary(request, plan, toEnd)), request, plan, { grid, candles })
    const columns = await compute(false).catch((error) => {
      if (error instanceof NotFetched) return compute(true)
      throw error
    })
    const runs = trustedRuns(plan.runs, trustSteps(days, request.book), { grid, toMs, shownTrusts: request.trust })
    const buckets = { columns, runs, grid, isObservedOnly: fill === 'none' }
    const table = summaryTable(buckets, { constants: bookConstants(request), timestampUnit })
    return { head: { dataPoints: bucketCount(buckets) }, table: { ...table, chunks: releasing(buckets, table) } }
  })
}

/** Returns the names of the summary's columns in flat formats. */
export const summaryColumns = (request: SummaryRequest): string[] =>
  columnNames(SUMMARY_COLUMNS, bookConstants(request))

// Releases the columns after the last chunk. If the caller stops earlier, the garbage collector frees them.
function* releasing({ columns }: Buckets, { chunks }: Table): Generator<TableChunk> {
  for (let next = chunks.next(); !next.done; next = chunks.next()) yield next.value
  releaseColumns(columns)
}
