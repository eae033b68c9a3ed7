// Numbers the values of a slot: the same number always means the same text, whatever values came in between.

import { expect, test } from 'bun:test'
import { viewOf } from '../bytes/byte-words.ts'
import { TextTableBuilder } from '../bytes/text-table-builder.ts'
import { RepeatedValues } from './repeated-values.ts'

const encoder = new TextEncoder()
const TEXTS = ['KXGOLD15M-00', 'KXGOLD15M-01', 'KXGOLD15M-001', 'short', 'x'.repeat(200), 'b1a0bdc7-0b43']

test('values with one number are one text, in a table of them too', () => {
  const repeated = new RepeatedValues(2)
  const table = new TextTableBuilder()
  const byNumber = new Map<number, string>()
  const places: { text: string; word: number }[] = []
  let state = 7
  let hits = 0
  for (let i = 0; i < 2_000; i++) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    const text = TEXTS[(state >>> 16) % (i < 1_000 ? 2 : TEXTS.length)]!
    const slot = (state >>> 12) % 2
    const bytes = encoder.encode(`${text}"`)
    const length = repeated.lengthAt(slot, viewOf(bytes), 0, bytes.length)
    if (length !== text.length) repeated.note(slot, bytes, 0, text.length)
    else hits++
    const number = repeated.textAt(slot)
    if (number > 0) expect(byNumber.get(number) ?? text).toBe(text)
    if (number > 0) byNumber.set(number, text)
    places.push({ text, word: table.indexOf(bytes, 0, text.length, number) })
  }
  expect(hits).toBeGreaterThan(500)
  expect(table.wordCount).toBe(TEXTS.length)
  const words = new Map(places.map(({ text, word }) => [text, word]))
  expect(places.every(({ text, word }) => words.get(text) === word)).toBe(true)
})
