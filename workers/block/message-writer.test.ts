// A message is the text of its shape with the values of a row filled in, each printed as its column defines.

import { expect, test } from 'bun:test'
import type { SlotValues } from '../../storage/format/columns/slot-column.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'
import { byteParts, writeInteger, writeMessage } from './message-writer.ts'

const decimal = (style: 'fixed' | 'trimmed' | 'mixed', values: number[], places?: number[]): SlotValues =>
  ({
    form: 'decimal',
    scale: 2,
    style,
    values: Float64Array.from(values),
    places: places && Uint8Array.from(places),
  }) as never

function written(
  slots: SlotValues[],
  parts: Parameters<typeof byteParts>[0],
  row: number,
  listStarts: number[][] = [],
) {
  const writer = new ByteWriter(1)
  const shape = { slots, listStarts: listStarts.map((starts) => Float64Array.from(starts)) }
  writeMessage(writer, byteParts(parts), shape as never, row)
  return Buffer.from(writer.take()).toString()
}

test('numbers of every style', () => {
  const slots = [
    decimal('fixed', [50, -5]),
    decimal('trimmed', [50, 700]),
    decimal('mixed', [50, 700], [1, 0]),
    { form: 'instant', values: Float64Array.of(0, 1.5e15) } as never,
  ]
  const parts = ['[', { slot: 0 }, ',', { slot: 1 }, ',', { slot: 2 }, ',"', { slot: 3 }, '"]']
  expect(written(slots, parts, 0)).toBe('[0.50,0.5,0.5,"1970-01-01T00:00:00Z"]')
  expect(written(slots, parts, 1)).toBe('[-0.05,7,7,"2017-07-14T02:40:00Z"]')
})

test('texts, and a list of the elements of the row', () => {
  const texts = {
    arena: Buffer.from('yesno'),
    offsets: Uint32Array.of(0, 3, 5),
    wordCount: 2,
    indexes: Float64Array.of(1, 0, 1),
  }
  const slots = [{ form: 'text', texts } as never, decimal('trimmed', [10, 20, 30])]
  const parts = ['{"l":[', { list: 0, element: ['["', { slot: 0 }, '",', { slot: 1 }, ']'] }, ']}']
  const rows = [0, 1, 2].map((row) => written(slots, parts, row, [[0, 1, 1, 3]]))
  expect(rows).toEqual(['{"l":[["no",0.1]]}', '{"l":[]}', '{"l":[["yes",0.2],["no",0.3]]}'])
})

test('a whole number', () => {
  const writer = new ByteWriter(1)
  for (const value of [0, -17, Number.MAX_SAFE_INTEGER]) writeInteger(writer, value)
  expect(Buffer.from(writer.take()).toString()).toBe('0-179007199254740991')
})
