// Two ranges of bytes are equal only if all their bytes are, at any length and place.

import { expect, test } from 'bun:test'
import { sameRange, sameText, viewOf } from './byte-words.ts'

const text = new TextEncoder().encode('<{"type":"orderbook_delta","sid":1}>')

test.each([
  ['sameRange', sameRange],
  ['sameText', sameText],
])('%s finds a difference in any byte of any length', (_, isSame) => {
  for (let length = 1; length < 24; length++) {
    const other = new Uint8Array(40)
    other.set(text.subarray(2, 2 + length), 5)
    expect(isSame(viewOf(text), 2, viewOf(other), 5, length)).toBe(true)
    for (let at = 0; at < length; at++) {
      other[5 + at]! ^= 1
      expect(isSame(viewOf(text), 2, viewOf(other), 5, length)).toBe(false)
      other[5 + at]! ^= 1
    }
    other[5 + length] = 1
    other[4] = 1
    expect(isSame(viewOf(text), 2, viewOf(other), 5, length)).toBe(true)
  }
})

test('a view shows its own bytes, whichever were viewed before', () => {
  const arrays = [1, 2, 3].map((byte) => new Uint8Array([0, byte]).subarray(1))
  for (const index of [0, 1, 0, 2, 1, 0, 0, 2]) expect(viewOf(arrays[index]!).getUint8(0)).toBe(index + 1)
  expect(viewOf(arrays[0]!)).toBe(viewOf(arrays[0]!))
})
