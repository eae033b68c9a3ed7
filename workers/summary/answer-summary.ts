// Answers a summary from a store.

import type { Store } from '../../storage/open-store.ts'
import { utcDate } from '../../storage/units.ts'
import type { ChunkedAnswer, SummaryHead } from '../pool/answer-heads.ts'
import { requireMarket } from '../read/require-market.ts'
import type { SummaryRequest } from '../requests.ts'
import { bucketCount, type SummaryJson, summaryChunks } from '../table/summary-json.ts'
import { BucketGrid } from './bucket-grid.ts'
import { giveBack } from './column-pool.ts'
import { planSummary, type StoredDay } from './plan-summary.ts'
import { summarize } from './summarize.ts'

/** Throws DataError: market_not_stored, block_corrupt. */
export function answerSummary(store: Store, request: SummaryRequest): ChunkedAnswer<SummaryHead> {
  requireMarket(store, request)
  const { venue, market, fromMs, toMs, resolutionSeconds, fill, timestampUnit } = request
  const days = store.catalogue.heads(venue, market, { from: utcDate(fromMs), to: utcDate(toMs) })
  const grid = new BucketGrid(resolutionSeconds)
  const plan = planSummary(request, days, dayAfter(store, request), grid)
  const columns = summarize(store.blocks, request, plan, grid)
  const json = { columns, runs: plan.runs, grid, timestampUnit, isObservedOnly: fill === 'none' }
  return { head: { dataPoints: bucketCount(json) }, chunks: chunksOf(json) }
}

// An answer that nobody takes to its end leaves its columns to the garbage collector.
function* chunksOf(json: SummaryJson): Generator<Uint8Array> {
  yield* summaryChunks(json)
  giveBack(json.columns)
}

function dayAfter({ blocks }: Store, { venue, market, toMs }: SummaryRequest): StoredDay | undefined {
  const key = { venue, market, date: utcDate(toMs) }
  const date = blocks.neighbour(key, 'after')
  const head = date === undefined ? undefined : blocks.head({ ...key, date })
  return date === undefined || head === undefined ? undefined : { date, head }
}
