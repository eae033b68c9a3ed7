// Columns of every type have the values of their chunks, with nulls, in Arrow's layout and as plain values of Parquet.

import { expect, test } from 'bun:test'
import { columnBuffer, Names } from './column-buffer.ts'
import { type ColumnType, NO_TEXTS, NULL, type Texts } from './table.ts'

const ENTRIES = Int32Array.of(0, 0, 1, 2, 3)
function filled(type: ColumnType, values: number[], texts: Texts = NO_TEXTS) {
  const buffer = columnBuffer(type, 10, 0)
  const column = { entries: ENTRIES, values: Float64Array.from(values), texts }
  buffer.add({ from: 1, to: 3, at: 0 }, column)
  buffer.add({ from: 3, to: 5, at: 2 }, column)
  return buffer
}
const validity = (bytes: Uint8Array) => [0, 1, 2, 3].map((row) => (bytes[0]! >> row) & 1)

test('doubles and decimals', () => {
  const { buffers, nullCount } = filled({ places: 2 }, [48, NULL, -0, 125]).vector(4)
  expect([...new Float64Array(buffers[1]!.slice().buffer)]).toEqual([0.48, 0, 0, 1.25])
  expect([nullCount, validity(buffers[0]!)]).toEqual([1, [1, 0, 1, 1]])
  const { bytes, present } = filled('double', [0.1, NULL, 7, 1e300]).plain(4)
  expect([...new Float64Array(bytes.slice().buffer)]).toEqual([0.1, 7, 1e300])
  expect(validity(present!)).toEqual([1, 0, 1, 1])
})

test('whole numbers are 64-bit integers', () => {
  const values = [-(2 ** 51), 2 ** 51 - 1, 0, -1]
  const buffer = filled('whole', values)
  const { buffers, nullCount } = buffer.vector(4)
  expect([...new BigInt64Array(buffers[1]!.slice().buffer)]).toEqual(values.map(BigInt))
  expect([nullCount, buffers[0]!.length]).toEqual([0, 0])
  expect(buffer.plain(4).present).toBeUndefined()
  const some = filled('whole', [5, NULL, NULL, 6]).vector(4)
  expect([some.nullCount, validity(some.buffers[0]!)]).toEqual([2, [1, 0, 0, 1]])
})

test('flags are bits, without the nulls in Parquet', () => {
  const buffer = filled('flag', [1, NULL, 0, 1])
  expect(validity(buffer.vector(4).buffers[1]!)).toEqual([1, 0, 0, 1])
  expect(buffer.plain(4).bytes[0]! & 7).toBe(0b101)
  buffer.clear()
  expect(buffer.vector(4)).toMatchObject({ nullCount: 0, buffers: [new Uint8Array(0), new Uint8Array(1)] })
})

test('names are indexes into a dictionary, one byte wide if they fit', () => {
  const names = ['sell', 'buy']
  const buffer = filled({ names }, [1, NULL, 0, 1])
  expect([...buffer.vector(4).buffers[1]!]).toEqual([1, 0, 0, 1])
  const many = columnBuffer({ names: Array.from({ length: 129 }, (_, i) => `${i}`) }, 2, 0)
  expect(many.vector(2).buffers[1]).toHaveLength(8)
  expect([...new Names(3, names, 0, 1).vector(3).buffers[1]!]).toEqual([1, 1, 1])
})

test('texts: their bytes, and the end of each', () => {
  const texts = { arena: Buffer.from('abbccc'), offsets: Uint32Array.of(0, 1, 3, 6) }
  const buffer = filled('text', [2, NULL, 0, 1], texts)
  const { buffers } = buffer.vector(4)
  expect([...new Int32Array(buffers[1]!.slice().buffer)]).toEqual([0, 3, 3, 4, 6])
  expect(Buffer.from(buffers[2]!).toString()).toBe('cccabb')
  expect(Buffer.from(buffer.plain(4).bytes).toString()).toBe('\u0003\0\0\0ccc\u0001\0\0\0a\u0002\0\0\0bb')
})

test('texts start again after a clear', () => {
  const texts = { arena: Buffer.from('abbccc'), offsets: Uint32Array.of(0, 1, 3, 6) }
  const buffer = filled('text', [2, NULL, 0, 1], texts)
  buffer.clear()
  const column = { entries: Int32Array.of(0, 1), values: Float64Array.of(1, 0), texts }
  buffer.add({ from: 0, to: 2, at: 0 }, column)
  const { buffers, nullCount } = buffer.vector(2)
  expect([nullCount, ...new Int32Array(buffers[1]!.slice().buffer)]).toEqual([0, 0, 2, 3])
  expect(Buffer.from(buffers[2]!).toString()).toBe('bba')
})
