// Goal: the values of a slot are restored byte for byte, with any mixture of values and in every form of a slot.

import { describe, expect, test } from 'bun:test'
import { decodeSlot, encodeSlot } from '../../storage/format/columns/slot-column.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'
import { Random } from '../synthetic/random.ts'
import type { DecodedShape } from './decoded-block.ts'
import { writeMessage } from './message-writer.ts'
import { SlotBuilder } from './slot-builder.ts'

function roundTrip(values: string[]): { form: string; printed: string[] } {
  const builder = new SlotBuilder()
  for (const value of values) {
    const bytes = Buffer.from(`<${value}>`)
    builder.push(bytes, 1, bytes.length - 1)
  }
  const column = encodeSlot(builder.finish(), values.length, undefined)
  const slots = [decodeSlot(column, values.length, undefined)]
  const writer = new ByteWriter(16)
  const printed = values.map((_, row) => {
    writeMessage(writer, [{ slot: 0 }], { slots } as unknown as DecodedShape, row)
    return Buffer.from(writer.take()).toString()
  })
  return { form: column.form === 'decimal' ? column.style : column.form, printed }
}

function check(values: string[], form?: string): void {
  const { form: actualForm, printed } = roundTrip(values)
  expect(printed).toEqual(values)
  if (form !== undefined) expect(actualForm).toBe(form)
}

describe('SlotBuilder', () => {
  test('keeps decimals that all have the same number of places', () => check(['0.4800', '0.5000', '-1.0000'], 'fixed'))
  test('keeps trimmed decimals', () => check(['0.48', '0.5', '7', '10', '0', '-0.125'], 'trimmed'))
  test('keeps decimals with different numbers of places', () => check(['0.48', '0.50', '7.0', '100', '-0.5'], 'mixed'))
  test('keeps instants', () => check(['2026-08-10T12:00:00Z', '2026-08-10T12:00:00.5Z'], 'instant'))
  test('keeps texts', () => check(['', 'a', 'é', ''], 'text'))
  test('keeps decimals mixed with a text', () => check(['0.48', '0.50', '.48'], 'text'))
  test('keeps instants mixed with a decimal', () => check(['2026-08-10T12:00:00.25Z', '7'], 'text'))
  test('keeps decimals mixed with an instant', () => check(['7', '2026-08-10T12:00:00.25Z'], 'text'))
  test('keeps numbers too far apart for one scale', () => check(['999999999999999', '0.000000000001'], 'text'))
  test('keeps more values than its initial capacity', () =>
    check(Array.from({ length: 1_000 }, (_, i) => (i < 700 ? `0.${i}1` : i < 900 ? `${i}` : `text ${i}`))))

  test.each(Array.from({ length: 60 }, (_, index) => index + 1))('keeps random mixtures, seed %d', (seed) => {
    const random = new Random(seed, 'slots')
    const makers = [
      () => String(random.between(-500, 500)),
      () => (random.between(-9_999, 9_999) / 10_000).toFixed(random.between(0, 12)),
      () => `${random.decimal(random.between(1, 20))}.${random.decimal(random.between(1, 6))}`,
      () => `2026-08-10T12:00:${String(random.between(10, 59))}.${random.between(0, 999_999)}Z`,
      () => random.pick(['', '-0', '1e5', '.5', 'x', '00', '0.0', '-0.0', 'null']),
      () => random.hex(40),
    ]
    const usual = random.pick(makers)
    const oddity = random.pick([0, 0.01, 0.3])
    check(
      Array.from({ length: random.between(1, 300) }, () => (random.chance(oddity) ? random.pick(makers)() : usual())),
    )
  })
})
