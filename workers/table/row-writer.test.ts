// Rows written by steps equal the text of the columns, whichever columns are constant and however small the writer's
// buffer is.

import { describe, expect, test } from 'bun:test'
import type { SlotValues } from '../../storage/format/columns/slot-column.ts'
import type { Part } from '../../storage/format/shape.ts'
import { SlotBuilder } from '../block/slot-builder.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'
import { Random } from '../synthetic/random.ts'
import { StepList } from './row-steps.ts'
import { writeRow } from './row-writer.ts'

function slotOf(values: string[]): SlotValues {
  const builder = new SlotBuilder()
  for (const value of values) {
    const bytes = Buffer.from(value)
    builder.push(bytes, 0, bytes.length)
  }
  return builder.finish()
}

function written(parts: Part[], columns: { slots: SlotValues[]; listStarts: Float64Array[] }, rows: number): string[] {
  const steps = new StepList().parts(parts, columns).finish()
  const writer = new ByteWriter(1)
  return Array.from({ length: rows }, (_, row) => {
    writeRow(writer, steps, row)
    return Buffer.from(writer.take()).toString()
  })
}

describe('writeRow', () => {
  test.each([
    ['constant ascii', ['same', 'same', 'same']],
    ['constant, not ascii', ['é', 'é', 'é']],
    ['empty texts', ['', '', '']],
    ['long texts', ['x'.repeat(300), 'ÿ'.repeat(1_000), '']],
    ['fixed', ['0.4800', '-1.0000', '12345678.0001']],
    ['trimmed', ['0.48', '7', '-0.125']],
    ['mixed', ['0.48', '7.0', '-0.500']],
    ['instants', ['2026-08-10T12:00:00Z', '2026-08-10T12:00:00.5Z', '2026-08-11T00:00:59.000001Z']],
    ['constant number', ['5', '5', '5']],
  ])('writes %s', (_, values) => {
    const parts: Part[] = ['{"a long name of a literal, ≤ and more":"', { slot: 0 }, '"}']
    const expected = values.map((value) => `{"a long name of a literal, ≤ and more":"${value}"}`)
    expect(written(parts, { slots: [slotOf(values)], listStarts: [] }, values.length)).toEqual(expected)
  })

  test('writes a shape without a text before, between or after its values', () => {
    const slots = [slotOf(['1', '2']), slotOf(['a', 'b'])]
    expect(written([{ slot: 0 }, { slot: 1 }], { slots, listStarts: [] }, 2)).toEqual(['1a', '2b'])
  })

  test('writes lists of none, one and many', () => {
    const random = new Random(3, 'lists')
    const lists = Array.from({ length: 200 }, (_, row) =>
      Array.from({ length: row % 7 === 0 ? 0 : random.between(1, 9) }, () => [
        (random.between(0, 9_999) / 10_000).toFixed(4),
        random.hex(random.between(0, 40)),
      ]),
    )
    const starts = new Float64Array(lists.length + 1)
    lists.forEach((list, row) => {
      starts[row + 1] = starts[row]! + list.length
    })
    const slots = [0, 1].map((column) => slotOf(lists.flat().map((pair) => pair[column]!)))
    const parts: Part[] = ['[', { list: 0, element: ['["', { slot: 0 }, '","', { slot: 1 }, '"]'] }, ']']
    expect(written(parts, { slots, listStarts: [starts] }, lists.length)).toEqual(
      lists.map((list) => JSON.stringify(list)),
    )
  })
})

describe('StepList', () => {
  const print = (steps: StepList, rows: number) => {
    const list = steps.finish()
    const writer = new ByteWriter(8)
    for (let row = 0; row < rows; row++) writeRow(writer, list, row)
    return Buffer.from(writer.take()).toString()
  }

  test('writes null for missing values and values below 0', () => {
    expect(print(new StepList().nullable(undefined).text(' '), 2)).toBe('null null ')
    expect(print(new StepList().nullable(Float64Array.of(-1, -1)).text(' '), 2)).toBe('null null ')
    expect(print(new StepList().nullable(Float64Array.of(7, -1, 0)).text(' '), 3)).toBe('7 null 0 ')
    expect(print(new StepList().nullable(Float64Array.of(1_786_400_000_000)).text(' '), 1)).toBe('1786400000000 ')
    expect(print(new StepList().nullable(Float64Array.of(999_999_999_999_999, 1e9)).text(' '), 2)).toBe(
      '999999999999999 1000000000 ',
    )
  })
})
