// A decoded block has each record's time, book, shape, row and values. Its first records can be decoded alone.

import { expect, test } from 'bun:test'
import { CONDITION, NOON, priceChange, received } from '../../test/model/lines.ts'
import { storedBlock } from '../../test/support/books/made-block.ts'
import { decodeFirstRecords, decodeWholeBlock } from './decoded-block.ts'

const change = (ms: number, ...entries: object[]) => received(ms, priceChange(ms, ...(entries as never[])))
const entry = (asset: string, price: string) => ({ asset_id: asset, price, size: '2' })
const trade = (ms: number) =>
  received(ms, {
    ...{ event_type: 'last_trade_price', market: CONDITION, asset_id: 'A', price: '0.5', size: '1', side: 'BUY' },
    timestamp: String(NOON + ms),
  })

const block = storedBlock(
  change(0, entry('A', '0.4'), entry('A', '0.41')),
  trade(1),
  change(2, entry('B', '0.42')),
  change(3, entry('A', '0.43'), entry('B', '0.44')),
)

test('every record of the whole block', () => {
  const { recordCount, timesMs, bookIds, books, shapeIndexes, rows, opensQuote, shapes } = decodeWholeBlock(block)
  expect([recordCount, bookIds]).toEqual([5, ['A', 'B']])
  expect(Array.from(timesMs, (ms) => ms - NOON)).toEqual([0, 1, 2, 3, 3])
  expect([...books]).toEqual([1, 1, 2, 1, 2])
  expect([...opensQuote]).toEqual([1, 0, 1, 1, 1])
  expect(Array.from(shapeIndexes, (shape) => shapes[shape]!.shape.kind === 'trade')).toEqual([
    ...[false, true, false, false, false],
  ])
  const deltas = shapes.find(({ shape }) => shape.kind === 'delta')!
  expect([...rows]).toEqual([0, 0, 1, 2, 3])
  expect([...deltas.timesMs].map((ms) => ms - NOON)).toEqual([0, 2, 3, 3])
  expect([...deltas.listStarts[0]!]).toEqual([0, 2, 3, 4, 5])
  expect([...deltas.receivedMs!].map((ms) => ms - NOON)).toEqual([0, 2, 3, 3])
  const prices = deltas.slots[deltas.shape.changes!.price.slot] as { values: Float64Array; scale: number }
  expect([...prices.values].map((price) => price / 10 ** prices.scale)).toEqual([0.4, 0.41, 0.42, 0.43, 0.44])
})

test('the first records alone', () => {
  const whole = decodeWholeBlock(block)
  const first = decodeFirstRecords(block, 3)
  expect(first.recordCount).toBe(3)
  expect([...first.books]).toEqual([1, 1, 2])
  for (const [i, { timesMs, listStarts }] of first.shapes.entries()) {
    const count = first.shapeIndexes.filter((shape) => shape === i).length
    expect([...timesMs]).toEqual([...whole.shapes[i]!.timesMs.subarray(0, count)])
    for (const [list, starts] of listStarts.entries()) {
      expect([...starts]).toEqual([...whole.shapes[i]!.listStarts[list]!.subarray(0, count + 1)])
    }
  }
})

test('a record of a shape that the block lacks is damage', () =>
  expect(() => decodeWholeBlock({ ...block, shapes: block.shapes.slice(0, 1) })).toThrow(
    'Cannot read the records of a stored block: a record has a shape that the block lacks',
  ))
