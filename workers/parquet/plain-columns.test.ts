// Columns are written as Parquet's plain bytes, with their minimum and maximum if known.

import { expect, test } from 'bun:test'
import {
  afterLength,
  DoubleColumn,
  FixedColumn,
  Int32Column,
  OptionalUint64Column,
  presentBytes,
  TextColumn,
  Uint64Column,
  WordColumn,
  wholeColumn,
  wordsColumn,
} from './plain-columns.ts'

const wholes = (bytes: Uint8Array) => [...new BigInt64Array(bytes.slice().buffer)]
const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString()

test('integers and doubles', () => {
  const [small, times, doubles] = [new Int32Column(), new Uint64Column(), new DoubleColumn()]
  for (const [row, value] of [0, 7, 2 ** 53 - 1].entries()) {
    small.values[row] = row
    times.set(row, value)
    doubles.values[row] = value / 4
  }
  expect([...new Int32Array(small.take(3).bytes.slice().buffer)]).toEqual([0, 1, 2])
  expect([...new Float64Array(doubles.take(2).bytes.slice().buffer)]).toEqual([0, 1.75])
  const { bytes, least, most } = times.take(3, true)
  expect([wholes(bytes), wholes(least!), wholes(most!)]).toEqual([[0n, 7n, 2n ** 53n - 1n], [0n], [2n ** 53n - 1n]])
  expect(times.take(3)).toEqual({ bytes })
  times.setUsAsNs(0, 1_786_363_200_000_007)
  expect(wholes(times.take(1).bytes)).toEqual([1_786_363_200_000_007_000n])
})

test('optional integers have their values only, and start again after each take', () => {
  const column = new OptionalUint64Column()
  for (const [row, value] of [5, Number.NaN, -1, 0].entries()) column.set(row, value)
  const { bytes, present } = column.take(4)
  expect([wholes(bytes), present![0]! & 0b1111]).toEqual([[5n, 0n], 0b1001])
  for (const [row, value] of [-1, 9].entries()) column.set(row, value)
  const again = column.take(2)
  expect([wholes(again.bytes), again.present![0]! & 0b11]).toEqual([[9n], 0b10])
})

test.each([0, 1, 480_000, 2 ** 32 + 5, 2 ** 40 + 12_345, Number.MAX_SAFE_INTEGER])(
  '%d millionths in 16 bytes',
  (micros) => {
    const column = new FixedColumn(16)
    column.setMicros(1, micros)
    const [low, high] = new BigUint64Array(column.take(2).bytes.slice(16).buffer)
    expect((high! << 64n) + low!).toBe(BigInt(micros) * 10n ** 10n)
  },
)

test('in 8 bytes', () => {
  const column = new FixedColumn(8)
  column.setMicros(0, 480_001)
  expect(wholes(column.take(1).bytes)).toEqual([480_001_000n])
})

test('texts after their lengths, words with the least and the greatest that occur', () => {
  expect([...afterLength('é')]).toEqual([2, 0, 0, 0, 0xc3, 0xa9])
  const texts = new TextColumn()
  texts.add('a')
  expect(texts.take().bytes).toHaveLength(5)
  expect(texts.take().bytes).toHaveLength(0)
  const words = new WordColumn(['snapshot', 'gap', 'level'])
  for (const [row, word] of [2, 0, 2].entries()) words.set(row, word)
  const { bytes, least, most } = words.take(3)
  expect([bytes.length, text(least), text(most)]).toEqual([4 * 3 + 18, 'level', 'snapshot'])
  expect(wordsColumn(['a'], [])).toEqual({ bytes: new Uint8Array(0) })
})

test('values that are present, and the range of whole numbers', () => {
  const values = Float64Array.of(1, 2, 3)
  expect([...new Float64Array(presentBytes(values, 3, (row) => row !== 1).slice().buffer)]).toEqual([1, 3])
  const bytes = new Uint8Array(BigInt64Array.of(5n, -(2n ** 40n), 2n ** 45n, 5n).buffer)
  const { least, most } = wholeColumn(bytes)
  expect([wholes(least!), wholes(most!)]).toEqual([[-(2n ** 40n)], [2n ** 45n]])
  const words = wholeColumn(new Uint8Array(BigInt64Array.of(5n, 2n ** 31n, 7n).buffer))
  expect([wholes(words.least!), wholes(words.most!)]).toEqual([[5n], [2n ** 31n]])
  expect(wholeColumn(new Uint8Array(0)).least).toBeUndefined()
})
