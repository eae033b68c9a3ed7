// Answers a summary from a store.

import type { Store } from '../../storage/open-store.ts'
import { utcDate } from '../../storage/units.ts'
import type { ChunkedAnswer, SummaryHead } from '../pool/answer-heads.ts'
import { requireMarket } from '../read/require-market.ts'
import type { SummaryRequest } from '../requests.ts'
import type { Table, TableChunk } from '../table/table.ts'
import { tableText } from '../table/table-text.ts'
import { BucketGrid } from './bucket-grid.ts'
import { giveBack } from './column-pool.ts'
import { planSummary, type StoredDay } from './plan-summary.ts'
import { summarize } from './summarize.ts'
import { type Buckets, bucketCount, summaryTable } from './summary-table.ts'

/** Throws DataError: market_not_stored, block_corrupt. */
export function answerSummary(store: Store, request: SummaryRequest): ChunkedAnswer<SummaryHead> {
  const { head, table } = tableOfSummary(store, request)
  return { head, chunks: tableText(table, 'json') }
}

/** Throws DataError: market_not_stored, block_corrupt. */
export function tableOfSummary(store: Store, request: SummaryRequest): { head: SummaryHead; table: Table } {
  requireMarket(store, request)
  const { venue, market, fromMs, toMs, resolutionSeconds, fill, timestampUnit } = request
  const days = store.catalogue.heads(venue, market, { from: utcDate(fromMs), to: utcDate(toMs) })
  const grid = new BucketGrid(resolutionSeconds)
  const plan = planSummary(request, days, dayAfter(store, request), grid)
  const columns = summarize(store.blocks, request, plan, grid)
  const buckets = { columns, runs: plan.runs, grid, isObservedOnly: fill === 'none' }
  const table = summaryTable(buckets, { constants: constantsOf(request), timestampUnit })
  return { head: { dataPoints: bucketCount(buckets) }, table: { ...table, chunks: releasing(buckets, table) } }
}

const constantsOf = ({ venue, market, book }: SummaryRequest) => [
  { name: 'market', text: market },
  ...(venue === 'polymarket' ? [{ name: 'asset_id', text: book }] : []),
]

// An answer that nobody takes to its end leaves its columns to the garbage collector.
function* releasing({ columns }: Buckets, { chunks }: Table): Generator<TableChunk> {
  for (let next = chunks.next(); !next.done; next = chunks.next()) yield next.value
  giveBack(columns)
}

function dayAfter({ blocks }: Store, { venue, market, toMs }: SummaryRequest): StoredDay | undefined {
  const key = { venue, market, date: utcDate(toMs) }
  const date = blocks.neighbour(key, 'after')
  const head = date === undefined ? undefined : blocks.head({ ...key, date })
  return date === undefined || head === undefined ? undefined : { date, head }
}
