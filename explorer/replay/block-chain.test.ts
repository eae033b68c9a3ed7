// Chains the blocks of all stored dates, one after another.

import { expect, test } from 'bun:test'
import { BLOCK_RECORDS } from '../data/replay/change-block.ts'
import { blockAfter, blockBefore, blockOf, firstBlock } from './block-chain.ts'

const DATES = [
  { date: '2026-07-20', record_count: 2 * BLOCK_RECORDS },
  { date: '2026-07-21', record_count: 1 },
  { date: '2026-07-25', record_count: BLOCK_RECORDS + 1 },
]
const CHAIN = ['2026-07-20 0', '2026-07-20 1', '2026-07-21 0', '2026-07-25 0', '2026-07-25 1']

test('is the same forwards and backwards', () => {
  const on: string[] = []
  for (let id = firstBlock(DATES); id !== undefined; id = blockAfter(DATES, id)) on.push(`${id.date} ${id.index}`)
  expect(on).toEqual(CHAIN)
  const back: string[] = []
  for (let id = blockOf({ date: '2026-07-25', record: BLOCK_RECORDS }) as ReturnType<typeof blockBefore>; id; ) {
    back.push(`${id.date} ${id.index}`)
    id = blockBefore(DATES, id)
  }
  expect(back).toEqual(CHAIN.toReversed())
})

test('has no first block if nothing is stored, and continues from a date that is not stored', () => {
  expect(firstBlock([])).toBeUndefined()
  expect(blockAfter(DATES, { date: '2026-07-22', index: 0 })).toEqual({ date: '2026-07-25', index: 0 })
  expect(blockBefore(DATES, { date: '2026-07-22', index: 0 })).toEqual({ date: '2026-07-21', index: 0 })
})
