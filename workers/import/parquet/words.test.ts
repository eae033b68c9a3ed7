// Words of a column are found by index. Words of a dictionary stay; others are replaced.

import { expect, test } from 'bun:test'
import { Words } from './words.ts'

const text = (words: Words, word: number) => Buffer.from(words.of(word)).toString()

test('words of any length, by the thousand', () => {
  const words = new Words()
  const all = Array.from({ length: 700 }, (_, i) => `${i}`.repeat(i % 40))
  for (const [i, word] of all.entries()) expect(words.add(Buffer.from(`<${word}>`), 1, word.length)).toBe(i)
  expect(all.map((_, i) => text(words, i))).toEqual(all)
  expect([words.count, words.startOf(1), words.endOf(1)]).toEqual([700, 0, 1])
})

test('an exchange drops the words that do not stay', () => {
  const words = new Words()
  words.add(Buffer.from('stays'), 0, 5)
  words.keep()
  words.exchange()
  expect(words.exchanges).toBe(0)
  words.add(Buffer.from('goes'), 0, 4)
  words.exchange()
  expect([words.count, words.exchanges, words.add(Buffer.from('new'), 0, 3), text(words, 0), text(words, 1)]).toEqual([
    ...[1, 1, 1, 'stays', 'new'],
  ])
})

test('a word is not added again if it is the last', () => {
  const words = new Words()
  const places = ['a', 'a', 'b', 'bb', 'ba', 'ba', 'a'].map((word) =>
    words.addUnlessLast(Buffer.from(word), 0, word.length),
  )
  expect(places).toEqual([0, 0, 1, 2, 3, 3, 4])
})
