// A sealed text opens with its own secret and purpose only, and as a whole.

import { expect, test } from 'bun:test'
import { openedBytes, openedText, sealedBytes, sealedText } from './sealed-text.ts'

const secret = new Uint8Array(32).fill(7)
const purpose = ['page', 'kalshi', 3]
const sealed = sealedText(secret, purpose, 'after 17 ⚽')

test('it opens to the sealed text', () => {
  expect(openedText(secret, purpose, sealed)).toBe('after 17 ⚽')
  const bytes = Buffer.from([0, 255, 10])
  expect(openedBytes(secret, purpose, sealedBytes(secret, purpose, bytes))).toEqual(bytes)
})

test('not with another secret or purpose', () => {
  expect(openedText(new Uint8Array(32).fill(8), purpose, sealed)).toBeUndefined()
  for (const other of [['page', 'kalshi'], ['page', 'kalshi', '3'], ['page', 'kalshi', 3, null], []]) {
    expect(openedText(secret, other, sealed)).toBeUndefined()
  }
})

test('it does not open if any character was changed, added or left out', () => {
  for (let at = 0; at < sealed.length; at++) {
    const other = sealed[at] === 'A' ? 'B' : 'A'
    expect(openedText(secret, purpose, sealed.slice(0, at) + other + sealed.slice(at + 1))).toBeUndefined()
    expect(openedText(secret, purpose, sealed.slice(0, at))).toBeUndefined()
  }
  for (const end of ['A', '=', '\n', '!']) expect(openedText(secret, purpose, sealed + end)).toBeUndefined()
})

test('an empty text is not a sealed text', () =>
  expect(openedText(secret, purpose, sealedText(secret, purpose, ''))).toBeUndefined())
