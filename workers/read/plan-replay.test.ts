// Tests what a replay of one book over a window reads: the state before it, and blocks with records of the book.

import { expect, test } from 'bun:test'
import type { BlockEntry, PartitionHead } from '../../storage/format/partition-head.ts'
import { type BookWindow, continuesDayBefore, partsOfReplay, planDayBefore, planReplay } from './plan-replay.ts'

const block = (i: number, bookRecords: number[], of: Partial<BlockEntry> = {}) =>
  ({
    id: 10 + i,
    stateId: 20 + i,
    firstRecord: 100 * i,
    recordCount: 100,
    firstMs: 1_000 * i,
    lastMs: 1_000 * i + 999,
    bookRecords,
    ...of,
  }) as BlockEntry
const headOf = (blocks: BlockEntry[], of: Partial<PartitionHead> = {}) =>
  ({ blocks, books: [{ id: 'A' }, { id: 'B' }], gaps: [], ...of }) as unknown as PartitionHead
const day = (head: PartitionHead, date = '2026-08-10') => ({ date, head })
const head = headOf([block(0, [50, 50]), block(1, [0, 100]), block(2, [100, 0]), block(3, [1, 99])])
const window = (of: Partial<BookWindow>): BookWindow => ({
  venue: 'polymarket',
  market: '0x',
  book: 'A',
  fromMs: 0,
  toMs: 9_999,
  ...of,
})
const parts = (of: Partial<BookWindow>, ...days: ReturnType<typeof day>[]) =>
  partsOfReplay(planReplay(window(of), days)).map((part) =>
    part.kind === 'books' ? 'books' : `${part.kind} ${part.id}`,
  )

test('from the block before the window to the last one in it', () => {
  expect(parts({}, day(head))).toEqual(['books', 'block 10', 'block 12', 'block 13'])
  expect(parts({ fromMs: 1_001, toMs: 2_000 }, day(head))).toEqual(['state 21', 'block 12'])
  expect(parts({ fromMs: 2_000, toMs: 2_000 }, day(head))).toEqual(['state 21', 'block 12'])
  expect(parts({ fromMs: 2_001, toMs: 2_500, book: 'B' }, day(head))).toEqual(['state 22'])
})

test('by records', () => {
  expect(parts({ fromRecord: 100, toRecord: 199 }, day(head))).toEqual(['state 21'])
  expect(parts({ fromRecord: 99, toRecord: 200 }, day(head))).toEqual(['books', 'block 10', 'block 12'])
})

test('a block with a gap is read for every book; a day without the book only if a gap concerns it', () => {
  const gap = (book: string | null) => ({ gaps: [{ book }] }) as Partial<PartitionHead>
  expect(parts({ toMs: 1_500 }, day(headOf(head.blocks, gap('B'))))).toEqual(['books', 'block 10', 'block 11'])
  expect(parts({ book: 'C' }, day(head))).toEqual([])
  expect(parts({ book: 'C' }, day(headOf(head.blocks, gap('B'))))).toEqual([])
  expect(parts({ book: 'C', toMs: 500 }, day(headOf(head.blocks, gap(null))))).toEqual(['books', 'block 10'])
})

test('a switch within the window is read with its state, at its beginning only once', () => {
  const switched = head.blocks.map((each, i) => (i === 2 ? { ...each, begins: 1_800 } : each))
  expect(parts({}, day(headOf(switched)))).toEqual(['books', 'state 22', 'block 10', 'block 12', 'block 13'])
  expect(parts({ fromMs: 1_801, toMs: 2_500 }, day(headOf(switched)))).toEqual(['state 22', 'block 12'])
  expect(parts({ fromRecord: 200, toRecord: 250 }, day(headOf(switched)))).toEqual(['state 21', 'state 22', 'block 12'])
})

test('the day before counts if the window begins with a day', () => {
  expect(continuesDayBefore([])).toBe(true)
  expect(continuesDayBefore(planReplay(window({ fromMs: 500 }), [day(head)]))).toBe(true)
  expect(continuesDayBefore(planReplay(window({ fromMs: 1_500 }), [day(head)]))).toBe(false)
  const before = planDayBefore(window({}), day(head, '2026-08-09'))
  expect([before.firstBlock, before.endBlock, partsOfReplay([before]).map(({ kind }) => kind)]).toEqual([
    4,
    4,
    ['books'],
  ])
})

test('a day that begins with another source is planned, also without the book', () => {
  const days = [
    day(headOf([block(0, [1, 0])], { source: 'a' }), '2026-08-09'),
    day(headOf([block(0, [0, 1])], { books: [] as never })),
  ]
  expect(planReplay(window({}), days).map(({ isSwitched }) => isSwitched)).toEqual([false, true])
  expect(planReplay(window({}), days.slice(1), days[0])).toHaveLength(1)
})
