// Reads texts of stored messages by key: of the last change, of each change, or of a message that is stored as a text.

import { expect, test } from 'bun:test'
import { unpackIndexes, unpackInts } from '../../storage/format/block.ts'
import type { JsonObject } from '../../test/model/json.ts'
import { book, NOON, priceChange } from '../../test/model/lines.ts'
import { storedBlock } from '../../test/support/books/made-block.ts'
import { StoredFields } from './stored-fields.ts'

function fieldsOf(...lines: JsonObject[]): StoredFields {
  const block = storedBlock(...lines)
  const { recordCount } = block
  const timesMs = unpackInts(block.timesMs, recordCount)
  return new StoredFields(block, { recordCount, timesMs, operations: unpackIndexes(block.operations, recordCount) })
}

test('of the last change, else of the message', () => {
  const fields = fieldsOf(
    priceChange(0, { price: '0.4', size: '1', hash: 'x' }, { price: '0.41', size: '2', hash: 'y' }),
    { ...book(1, [['0.5', '1']], []), hash: 'z' },
    priceChange(2, { price: '0.42', size: '3', hash: 'w' }),
  )
  for (const isAlone of [false, true]) {
    expect([0, 1, 2].map((record) => fields.text(record, 'hash', isAlone))).toEqual(['y', 'z', 'w'])
  }
  expect([0, 2].map((record) => fields.text(record, 'timestamp'))).toEqual([String(NOON), String(NOON + 2)])
  expect([fields.text(0, 'none'), fields.text(1, 'bids')]).toEqual([undefined, undefined])
  expect([0, 1, 2].map((record) => fields.entryTexts(record, 'price'))).toEqual([['0.4', '0.41'], [], ['0.42']])
  expect([0, 1, 2].map((record) => fields.rowOf(record))).toEqual([0, 0, 1])
})

test('of a message whose entries differ, which is stored as a text', () => {
  const uneven = priceChange(0, { price: '0.4', size: '1' }, { price: '0.41', size: '2', extra: 'e' })
  const fields = fieldsOf(uneven)
  expect([fields.text(0, 'price'), fields.text(0, 'extra'), fields.text(0, 'event_type')]).toEqual([
    '0.41',
    'e',
    'price_change',
  ])
  expect(fields.entryTexts(0, 'price')).toEqual(['0.4', '0.41'])
})

test('of a message that is stored as a text and has no list of changes', () => {
  const uneven = { ...book(0, [['0.5', '1']], []), hash: 'z', extra: [{ a: '1' }, { b: '2' }] }
  const fields = fieldsOf(uneven)
  expect([fields.text(0, 'hash'), fields.text(0, 'extra')]).toEqual(['z', undefined])
  expect([fields.entryTexts(0, 'hash'), fields.entryTexts(0, 'extra')]).toEqual([['z'], []])
})
