// Tests that the gaps of a block are those that its records report, with the details of each.

import { expect, test } from 'bun:test'
import type { JsonObject } from '../../test/model/json.ts'
import { book, CONDITION, kalshiDelta, kalshiGap, NOON, received, TICKER } from '../../test/model/lines.ts'
import { decodedBlock } from '../../test/support/books/made-block.ts'
import { gapsIn } from './gaps-in-block.ts'

test('a gap of the only book of a market, among other records', () => {
  const block = decodedBlock(
    kalshiDelta(0, '0.5', '1'),
    received(2_000, kalshiGap(1_500)),
    kalshiDelta(2_500, '0.5', '1'),
  )
  const at = NOON + 1_500
  expect(gapsIn(block)).toEqual([{ book: TICKER, reason: 'reconnect', fromMs: at, toMs: at, atMs: at }])
})

test('a gap of a book, and one without a reason and times', () => {
  const gap = (of: JsonObject, msg: JsonObject) => ({ type: 'gap', venue: 'polymarket', market: CONDITION, ...of, msg })
  const block = decodedBlock(
    book(0, [], [], 'A'),
    book(0, [], [], 'B'),
    received(3_000, gap({ asset_id: 'B' }, { reason: 'lag', from: NOON + 1_000, to: NOON + 3_000 })),
    received(4_000, gap({}, { from: 'noon' })),
  )
  expect(gapsIn(block)).toEqual([
    { book: 'B', reason: 'lag', fromMs: NOON + 1_000, toMs: NOON + 3_000, atMs: expect.any(Number) },
    { book: null, reason: '', fromMs: null, toMs: null, atMs: NOON + 4_000 },
  ])
})

test('a gap that another recorder covers is marked', () => {
  const block = decodedBlock(received(2_000, kalshiGap(1_500)))
  const shapes = block.shapes.map((shape) => ({ ...shape, shape: { ...shape.shape, isCovered: true as const } }))
  expect(gapsIn({ ...block, shapes })[0]).toMatchObject({ isCovered: true })
  expect(gapsIn(block)[0]).not.toHaveProperty('isCovered')
})
