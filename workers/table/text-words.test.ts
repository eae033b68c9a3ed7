// ASCII texts are written in whole words, and nothing after their end changes.

import { expect, test } from 'bun:test'
import { putText, wordText } from './text-words.ts'

test('texts of any length, one after the other at any place', () => {
  const bytes = new Uint8Array(800)
  const view = new DataView(bytes.buffer)
  let [at, expected] = [3, '']
  for (let length = 0; length < 26; length++) {
    const text = '{"price":0.48,"size":12.5}'.slice(0, length)
    at = putText(view, at, wordText(text))
    expected += text
  }
  expect(Buffer.from(bytes.subarray(3, at)).toString()).toBe(expected)
})

test.each(['é', '⚽'])('%s is refused', (text) => expect(() => wordText(text)).toThrow(`not ASCII: ${text}`))
