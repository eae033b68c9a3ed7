// Tests the records of a page: those of its book and times, after the skipped ones, up to its limit.

import { expect, test } from 'bun:test'
import { encodeBlock } from '../../storage/format/block.ts'
import type { BlockEntry } from '../../storage/format/partition-head.ts'
import { NOON, priceChange } from '../../test/model/lines.ts'
import { storedBlock } from '../../test/support/books/made-block.ts'
import type { PlannedBlock } from './plan-page.ts'
import { selectRecords } from './select-records.ts'

const block = storedBlock(
  ...[0, 1, 2, 3, 4, 5].map((i) => priceChange(10 * i, { asset_id: i % 2 === 0 ? 'A' : 'B', price: '0.4', size: '1' })),
)
const parts = { bytes: () => encodeBlock(block), books: () => undefined as never }
const entry = (firstRecord: number) =>
  ({ id: 1, firstRecord, recordCount: 6, firstMs: NOON, lastMs: NOON + 50 }) as BlockEntry
const ALL = { skip: 0, fromRecord: 0, fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }

function selected(limit: number, bounds: Partial<typeof ALL>, bookIndex = -1, count = 1) {
  const key = { venue: 'polymarket', market: '0x', date: '2026-08-10' } as const
  const planned = Array.from(
    { length: count },
    (_, index): PlannedBlock => ({
      ...{ key, revision: 9, index, entry: entry(100 + 6 * index), bookIndex },
      bounds: { ...ALL, ...bounds },
    }),
  )
  const { blocks, count: found, hasMore, after } = selectRecords({ limit } as never, planned, parts)
  expect(found).toBe(blocks.reduce((sum, { records }) => sum + records.length, 0))
  return [blocks.map(({ records }) => [...records]), hasMore, after?.record]
}

test('all of a block, from a record or after some', () => {
  expect(selected(10, {})).toEqual([[[0, 1, 2, 3, 4, 5]], false, 106])
  expect(selected(10, { fromRecord: 104 })).toEqual([[[4, 5]], false, 106])
  expect(selected(10, { skip: 4 })).toEqual([[[4, 5]], false, 106])
  expect(selected(10, { fromRecord: 200 })).toEqual([[], false, undefined])
})

test('of some times, and of a book', () => {
  expect(selected(10, { fromMs: NOON + 10, toMs: NOON + 30 })).toEqual([[[1, 2, 3]], false, 104])
  expect(selected(10, {}, 1)).toEqual([[[1, 3, 5]], false, 106])
  expect(selected(10, { skip: 1, fromMs: NOON + 1, fromRecord: 101 }, 0)).toEqual([[[4]], false, 105])
})

test('no more than a page has, and whether there are more', () => {
  expect(selected(2, {})).toEqual([[[0, 1]], true, 102])
  expect(selected(6, {})).toEqual([[[0, 1, 2, 3, 4, 5]], false, 106])
  expect(selected(8, {}, -1, 2)).toEqual([
    [
      [0, 1, 2, 3, 4, 5],
      [0, 1],
    ],
    true,
    108,
  ])
  expect(selected(6, {}, -1, 3)).toEqual([[[0, 1, 2, 3, 4, 5]], true, 106])
})
