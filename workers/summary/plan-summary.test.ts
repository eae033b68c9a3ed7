// Goal: a summary of whole minutes reads rollups and no block that has one, and needs no part that it did not plan.

import { describe, expect, test } from 'bun:test'
import { NotFetched, nameOfPart, type PartRef, type Parts } from '../../storage/block-store.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import { DAY_MS } from '../../storage/units.ts'
import { collectLines } from '../../test/support/collected.ts'
import { MemoryPartition } from '../../test/support/stored-partition.ts'
import type { StoredPartition } from '../partition/partition-types.ts'
import type { SummaryRequest } from '../requests.ts'
import { syntheticDay } from '../synthetic/synthetic-day.ts'
import { BucketGrid } from './bucket-grid.ts'
import { partsOfSummary, planSummary } from './plan-summary.ts'
import { summarize } from './summarize.ts'

const DATE = '2026-07-20'
const FROM_MS = Date.parse(DATE)
const day = syntheticDay({ date: DATE, kalshiRecords: 60_000 })

function storedDay(): StoredPartition {
  const memory = new MemoryPartition()
  const lines = [...day.kalshiLines].filter((line) => line.includes(`"${day.kalshiTicker}"`))
  for (const collected of collectLines(lines)) memory.add(collected)
  return memory.stored!
}

const stored = storedDay()

const requestOf = (options: Partial<SummaryRequest>): SummaryRequest => ({
  ...{ venue: 'kalshi', market: day.kalshiTicker, book: day.kalshiTicker, fill: 'observed', timestampUnit: 'ms' },
  ...{ fromMs: FROM_MS, toMs: FROM_MS + DAY_MS - 1, nowMs: FROM_MS + 2 * DAY_MS, resolutionSeconds: 60 },
  ...options,
})

/** Plans a summary of a day with this head, and returns the plan and the buckets made of the planned parts alone. */
function summaryOf(request: SummaryRequest, head: PartitionHead) {
  const grid = new BucketGrid(request.resolutionSeconds)
  const plan = planSummary(request, [{ date: DATE, head }], undefined, grid)
  const planned = partsOfSummary(request, plan, true)
  const columns = summarize(onlyThese(planned), request, plan, { grid })
  const { count, numbers, quoteCounts, bids, asks, bidSizes, askSizes, candles } = columns
  const rows = [numbers, quoteCounts, bids, asks, bidSizes, askSizes].map((column) => [...column.subarray(0, count)])
  return { kinds: planned.map(({ kind }) => kind), rows: [...rows, [...candles.subarray(0, 16 * count)]] }
}

function onlyThese(planned: readonly PartRef[]): Parts {
  const names = new Set(planned.map((part) => (part.kind === 'books' ? 'books' : nameOfPart(part))))
  const required = (name: string) => {
    if (!names.has(name)) throw new NotFetched(name)
  }
  return {
    bytes(_, part) {
      required(nameOfPart(part))
      return stored.bytes(part)
    },
    books() {
      required('books')
      return stored.books
    },
  }
}

describe.each([
  ['a day at 60 s', {}],
  ['a day at 3600 s', { resolutionSeconds: 3_600 }],
  ['a day at 90 s', { resolutionSeconds: 90 }],
  ['a window that cuts a minute', { fromMs: FROM_MS + 40_000_123, toMs: FROM_MS + 50_000_456 }],
  ['a window in the morning', { toMs: FROM_MS + DAY_MS / 4 - 1 }],
])('%s', (_, options) => {
  const request = requestOf(options)

  test('equals a replay of its blocks', () =>
    expect(summaryOf(request, stored.head).rows).toEqual(summaryOf(request, { ...stored.head, rollups: [] }).rows))
})

test('whole minutes read rollups of minutes, and the blocks after the last rollup', () => {
  const { firstRecord, recordCount } = stored.head.rollups.at(-1)!
  const behind = stored.head.blocks.filter((block) => block.firstRecord >= firstRecord + recordCount)
  const { kinds } = summaryOf(requestOf({}), stored.head)
  expect(kinds.filter((kind) => kind === 'minutes').length).toBe(stored.head.rollups.length)
  expect(kinds.filter((kind) => kind === 'block').length).toBe(behind.length)
})
