// A column of texts is read back byte for byte, in each of its forms.

import { describe, expect, test } from 'bun:test'
import { TextTableBuilder } from '../../../workers/bytes/text-table-builder.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { decodeTexts, encodeTexts, textAt } from './text-column.ts'

function encoded(texts: string[]) {
  const builder = new TextTableBuilder()
  const bytes = texts.map((text) => Buffer.from(`<${text}>`))
  const indexes = Float64Array.from(bytes, (text) => builder.indexOf(text, 1, text.length - 1))
  return encodeTexts(builder.table(indexes), texts.length)
}

function check(texts: string[], form?: string): void {
  const column = encoded(texts)
  if (form !== undefined) expect(column.form).toBe(form as typeof column.form)
  const { arena, offsets, indexes } = decodeTexts(column, texts.length)
  const decoded = texts.map((_, i) =>
    Buffer.from(arena.subarray(offsets[indexes[i]!], offsets[indexes[i]! + 1])).toString(),
  )
  expect(decoded).toEqual(texts)
  const alone = texts.map((_, i) => Buffer.from(textAt(column, i)).toString())
  expect(alone).toEqual(texts)
}

const hashes = (count: number, wrap = (hex: string) => hex) => {
  const random = new Random(3, 'hashes')
  return Array.from({ length: count }, () => wrap(random.hex(40)))
}

describe('encodeTexts', () => {
  test('round-trips an empty column', () => check([]))
  test('round-trips empty texts', () => check(['', '', 'a', '']))
  test('stores few distinct texts as a dictionary', () =>
    check(['BUY', 'SELL', 'BUY', 'BUY', 'SELL', 'BUY'], 'dictionary'))
  test('stores distinct texts plainly', () =>
    check(
      Array.from({ length: 50 }, (_, i) => `text ${i} é🙂`),
      'plain',
    ))
  test('stores hashes as digits', () => check(hashes(50), 'hex'))
  test('stores uuids and prefixes as digits', () =>
    check(
      hashes(50, (hex) => `0x${hex}-${hex.slice(0, 5)}`),
      'hex',
    ))
  test('round-trips repeated hashes', () => check([...hashes(50), ...hashes(20)]))
  test('round-trips hashes when one is in upper case', () => check([...hashes(50), 'A'.repeat(40)], 'plain'))
  test('round-trips hashes when one is shorter', () => check([...hashes(50), 'a'.repeat(39)], 'plain'))
  test('round-trips hashes when one is empty', () => check(['', ...hashes(50)], 'plain'))
  test('round-trips hashes when the first has a letter that the others do not', () =>
    check(['g'.repeat(40), ...hashes(50)]))

  test.each(Array.from({ length: 30 }, (_, index) => index + 1))('round-trips random texts, seed %d', (seed) => {
    const random = new Random(seed, 'texts')
    const letters = random.pick(['ab', '0123456789abcdef', 'é漢🙂 -', '\\"0x'])
    const length = random.pick([0, 3, 16, 40])
    const text = () =>
      Array.from({ length: random.chance(0.9) ? length : random.below(60) }, () => random.pick([...letters])).join('')
    const words = Array.from({ length: random.between(1, 300) }, text)
    check(Array.from({ length: random.between(1, 600) }, () => (random.chance(0.5) ? random.pick(words) : text())))
  })
})

describe('decodeTexts', () => {
  test('throws RangeError if a column does not fit its count', () => {
    for (const texts of [hashes(50), Array.from({ length: 50 }, (_, i) => `text ${i}`)]) {
      expect(() => decodeTexts(encoded(texts), 49)).toThrow(RangeError)
    }
  })
})
