// The words of a column are decoded once, and again only if they were replaced.

import { expect, test } from 'bun:test'
import { Words } from '../parquet/words.ts'
import { WordTexts } from './word-texts.ts'

const add = (words: Words, text: string) => words.add(Buffer.from(text), 0, Buffer.byteLength(text))

test('returns texts of rows, empty without a word, each decoded once', () => {
  const words = new Words()
  for (const text of ['yes', 'é']) add(words, text)
  let decoded = 0
  const texts = new WordTexts((cell) => {
    decoded++
    return Buffer.from(cell).toString()
  })
  const column = { places: Int32Array.of(1, 0, -1, 1), words }
  expect([0, 1, 2, 3, 4].map((row) => texts.of(column, row))).toEqual(['é', 'yes', '', 'é', ''])
  expect(decoded).toBe(2)
})

test('words that stay are cached, others are read again after an exchange', () => {
  const [words, other] = [new Words(), new Words()]
  add(words, 'stays')
  words.keep()
  add(words, 'old')
  add(other, 'other')
  const texts = new WordTexts()
  const column = { places: Int32Array.of(0, 1), words }
  expect([texts.of(column, 0), texts.of(column, 1)]).toEqual(['stays', 'old'])
  for (const next of ['new', 'newer']) {
    words.exchange()
    add(words, next)
    expect([texts.of(column, 0), texts.of(column, 1)]).toEqual(['stays', next])
    if (next === 'new') expect(texts.of({ places: Int32Array.of(0), words: other }, 0)).toBe('other')
  }
})
