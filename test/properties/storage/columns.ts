// Columns: values written to a slot, a column of integers or a column of texts are read back to the byte.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  parseDecimal,
  parsedDecimal,
  printDecimal,
  printTrimmedDecimal,
} from '../../../storage/format/columns/decimal-text.ts'
import { firstInts } from '../../../storage/format/columns/first-ints.ts'
import { parseInstant, printInstant } from '../../../storage/format/columns/instant-text.ts'
import { decodeIndexedInts, decodeInts, encodeInts } from '../../../storage/format/columns/int-column.ts'
import { pack, unpack } from '../../../storage/format/columns/packed.ts'
import { decodeSlot, encodeSlot } from '../../../storage/format/columns/slot-column.ts'
import type { DecodedShape } from '../../../workers/block/decoded-block.ts'
import { writeMessage } from '../../../workers/block/message-writer.ts'
import { SlotBuilder } from '../../../workers/block/slot-builder.ts'
import { ByteWriter } from '../../../workers/bytes/byte-writer.ts'
import { printFixed, printTrimmed } from '../../../workers/table/print-number.ts'
import { property } from '../property.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

const ints = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer({ min: -300, max: 300 }),
  fc.integer({ min: 0, max: 16 }),
  fc.integer({ min: 1_786_000_000_000, max: 1_786_400_000_000 }),
  fc.constantFrom(0, 1, -1, 2 ** 31, 2 ** 32, 2 ** 48, 2 ** 52 - 1, 1 - 2 ** 52, 2 ** 53 - 1, 1 - 2 ** 53),
)
const columnOfInts = fc.oneof(
  fc.array(ints, { size: 'large' }),
  fc
    .tuple(fc.array(ints, { minLength: 1, maxLength: 5 }), fc.array(fc.nat(4), { size: 'large' }))
    .map(([words, picks]) => picks.map((pick) => words[pick % words.length]!)),
)

const decimalText = fc.oneof(
  fc.stringMatching(/^-?\d{1,16}(\.\d{1,14})?$/),
  fc.stringMatching(/^[-+.0-9eE]{0,12}$/),
  fc.stringMatching(/^0\.\d{4}$/),
)
const instantText = fc
  .tuple(fc.date({ min: new Date('1969-01-01'), max: new Date('2201-01-01'), noInvalidDate: true }), fc.nat(999_999))
  .map(([date, micros]) => `${date.toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}Z`)
const spelling = fc.oneof(
  decimalText,
  instantText,
  instantText.map((text) => text.replace(/\.?0*Z$/, 'Z')),
  fc.string({ unit: 'binary' }),
  fc.uint8Array({ maxLength: 40 }).map(textOf),
  fc.stringMatching(/^[0-9a-f]{40}$/),
  fc.constantFrom('', '\u0000', '\uFEFF', '0'.repeat(5_000)),
)
/** Texts of a slot, mostly of one kind, as a venue prints them. */
const slotTexts = fc.oneof(
  fc.array(spelling, { minLength: 1, size: 'medium' }),
  ...[decimalText, instantText, fc.stringMatching(/^[0-9a-f]{40}$/), fc.stringMatching(/^0\.\d{4}$/)].map((usual) =>
    fc.array(fc.oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: spelling }), {
      minLength: 1,
      size: 'large',
    }),
  ),
)

function printedBack(values: Uint8Array[]): string[] {
  const builder = new SlotBuilder()
  for (const value of values) builder.push(value, 0, value.length)
  const slots = [decodeSlot(encodeSlot(builder.finish(), values.length, undefined), values.length, undefined)]
  const writer = new ByteWriter(16)
  return values.map((_, row) => {
    writeMessage(writer, [{ slot: 0 }], { slots } as unknown as DecodedShape, row)
    return textOf(writer.take())
  })
}

const printed = (print: (target: Uint8Array) => number): string => {
  const target = new Uint8Array(80)
  return textOf(target.subarray(0, print(target)))
}

export const columnProperties = [
  property('a column of integers comes back, and so do its first', 300, [columnOfInts, fc.nat()], (values, cut) => {
    const encoded = encodeInts(Float64Array.from(values), values.length)
    assert.deepEqual([...decodeInts(encoded, values.length)], values)
    const count = values.length === 0 ? 0 : cut % (values.length + 1)
    assert.deepEqual([...decodeInts(firstInts(encoded, count), count)], values.slice(0, count))
    const indexed = decodeIndexedInts(encoded, values.length)
    if (indexed !== undefined)
      assert.deepEqual(
        [...indexed.indexes].map((i) => indexed.words[i]!),
        values,
      )
  }),
  property('the values of a slot print again to the byte', 100, [slotTexts], (texts) => {
    const values = texts.map((text) =>
      /[^\0-\xff]/.test(text) ? bytesOf(text) : Uint8Array.from(Buffer.from(text, 'latin1')),
    )
    assert.deepEqual(printedBack(values), values.map(textOf))
  }),
  property('bytes come out of their compression as they went in', 200, [fc.uint8Array({ size: 'large' })], (bytes) => {
    assert.deepEqual([...unpack(pack(bytes))], [...bytes])
  }),
  property('a decimal that is read is its number, and prints as it stood', 2_000, [decimalText], (text) => {
    const mantissa = parseDecimal(bytesOf(text), 0, text.length)
    if (Number.isNaN(mantissa)) return
    const { places } = parsedDecimal
    assert.equal(mantissa, Number(BigInt(text.replace('.', ''))))
    assert.equal(
      printed((target) => printDecimal(mantissa, places, target, 0)),
      text,
    )
    const view = (target: Uint8Array) => new DataView(target.buffer)
    assert.equal(
      printed((target) => printFixed(view(target), 0, mantissa, places)),
      text,
    )
    const trimmed = places === 0 ? text : text.replace(/\.?0+$/, '')
    assert.equal(
      printed((target) => printTrimmedDecimal(mantissa, places, target, 0)),
      trimmed,
    )
    assert.equal(
      printed((target) => printTrimmed(view(target), 0, mantissa, places)),
      trimmed,
    )
  }),
  property(
    'an instant that is read is its date, and prints as it stood',
    2_000,
    [fc.oneof(instantText, spelling)],
    (text) => {
      for (const spelt of [text, text.replace(/\.?0*Z$/, 'Z')]) {
        const bytes = bytesOf(spelt)
        const instantUs = parseInstant(bytes, 0, bytes.length)
        if (Number.isNaN(instantUs)) continue
        assert.equal(Math.floor(instantUs / 1_000), Date.parse(spelt))
        assert.equal(
          printed((target) => printInstant(instantUs, target, 0)),
          spelt,
        )
      }
    },
  ),
]
