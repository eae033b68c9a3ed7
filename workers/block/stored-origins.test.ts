// Tests the origins of records: connection and sequence number if a message has both, the venue's time, its texts.

import { expect, test } from 'bun:test'
import { unpackIndexes, unpackInts } from '../../storage/format/block.ts'
import type { JsonObject } from '../../test/model/json.ts'
import { kalshiDelta, kalshiSnapshot, NOON, priceChange, received } from '../../test/model/lines.ts'
import { storedBlock } from '../../test/support/books/made-block.ts'
import { StoredOrigins } from './stored-origins.ts'

function originsOf(...lines: JsonObject[]): StoredOrigins {
  const block = storedBlock(...lines)
  const { recordCount } = block
  const timesMs = unpackInts(block.timesMs, recordCount)
  return new StoredOrigins(block, { recordCount, timesMs, operations: unpackIndexes(block.operations, recordCount) })
}

test('numbers of a socket, -1 where a message has none', () => {
  const origins = originsOf(
    received(0, { ...kalshiSnapshot([['0.5', '1']]), sid: 2, seq: 5 }),
    received(1, { ...kalshiDelta(1, '0.5', '1'), sid: 2, seq: 6 }),
    received(2, { type: 'orderbook_delta', msg: (kalshiDelta(2, '0.5', '1') as JsonObject)['msg']! }),
    received(3, { ...kalshiDelta(3, '0.5', '1'), sid: 3, seq: 1 }),
  )
  const { sids, seqs } = origins.sequences()!
  expect([...sids]).toEqual([2, 2, -1, 3])
  expect([...seqs]).toEqual([5, 6, -1, 1])
  expect([1, 2, 3].map((record) => origins.venueUs(record))).toEqual([1, 2, 3].map((ms) => (NOON + ms) * 1_000))
  expect(origins.venueUs(0)).toBeNaN()
  expect([0, 1, 2, 3].map((record) => origins.rowOf(record))).toEqual([0, 0, 0, 1])
})

test('without any numbers, and the texts of messages and their entries', () => {
  const origins = originsOf(
    priceChange(0, { price: '0.4', size: '1' }, { price: '0.5', size: '2' }),
    priceChange(1, { price: '0.6', size: '3', side: 'SELL' }),
  )
  expect(origins.sequences()).toBeUndefined()
  expect(origins.entryTexts(0, 'price')).toEqual(['0.4', '0.5'])
  expect([origins.text(0, 'price'), origins.text(1, 'side'), origins.text(1, 'timestamp')]).toEqual([
    ...['0.5', 'SELL', String(NOON + 1)],
  ])
  expect(origins.text(0, 'hash')).toBeUndefined()
})
