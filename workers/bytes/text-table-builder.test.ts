// Texts have numbers in the order of their first appearance, the same text the same number.

import { expect, test } from 'bun:test'
import { Random } from '../synthetic/random.ts'
import { TextTableBuilder } from './text-table-builder.ts'

const push = (table: TextTableBuilder, text: string, number = 0) => {
  const bytes = Buffer.from(`<${text}>`)
  return table.indexOf(bytes, 1, bytes.length - 1, number)
}

test.each([1, 2, 3])('as a Map does, seed %d', (seed) => {
  const random = new Random(seed, 'texts')
  const table = new TextTableBuilder()
  const model = new Map<string, number>()
  for (let i = 0; i < 800; i++) {
    const text = random.chance(0.1) ? '' : `${random.pick(['0x', '', 'é'])}${random.below(300)}`
    const bytes = Buffer.from(text)
    expect(table.has(bytes, 0, bytes.length)).toBe(model.has(text))
    if (!model.has(text)) model.set(text, model.size)
    expect(push(table, text)).toBe(model.get(text)!)
  }
  expect(table.wordCount).toBe(model.size)
  const { arena, offsets, wordCount } = table.table(new Float64Array(0))
  const words = Array.from({ length: wordCount }, (_, i) =>
    Buffer.from(arena.subarray(offsets[i], offsets[i + 1])).toString(),
  )
  expect(words).toEqual([...model.keys()])
})

test('a number finds its text without reading the bytes, until another number takes its slot', () => {
  const table = new TextTableBuilder()
  expect(push(table, 'YES', 1)).toBe(0)
  expect(push(table, 'not read', 1)).toBe(0)
  expect(push(table, 'NO', 2)).toBe(1)
  expect(push(table, 'YES', 5)).toBe(0)
  expect(push(table, 'read', 1)).toBe(2)
})
