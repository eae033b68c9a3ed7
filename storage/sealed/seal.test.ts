// A value opens only under its own key, and only if no byte of it has changed.

import { expect, test } from 'bun:test'
import { checkedBody, withChecksum } from '../format/block.ts'
import { assertSealed, SEAL_BYTES, seal, sealBody, unseal } from './seal.ts'

const BODY = Uint8Array.of(1, 2, 3, 250)
const KEY = ['kalshi', 'KXA', 7]

test('a small value opens under its key', () => {
  const sealed = sealBody('slugs', KEY, BODY)
  assertSealed('slugs', KEY, sealed)
  expect([...sealed.subarray(SEAL_BYTES)]).toEqual([...BODY])
})

test.each([
  ['another place', 'heads', KEY],
  ['another key', 'slugs', ['kalshi', 'KXA', 8]],
  ['the same letters in other parts', 'slugs', ['kalshiK', 'XA', 7]],
  ['fewer parts', 'slugs', ['kalshi', 'KXA7']],
])('not under %s', (_, place, key) => {
  expect(() => assertSealed(place, key, sealBody('slugs', KEY, BODY))).toThrow('it does not match its checksum')
})

test('not with any byte changed', () => {
  const sealed = sealBody('slugs', KEY, BODY)
  for (let at = 0; at < sealed.length; at++) {
    const changed = sealed.slice()
    changed[at]! ^= 1
    expect(() => assertSealed('slugs', KEY, changed)).toThrow('it does not match its checksum')
  }
  expect(() => assertSealed('slugs', KEY, sealed.subarray(0, 8))).toThrow('it does not match its checksum')
})

test('a large value has a checksum, and the key is mixed into that checksum', () => {
  const value = withChecksum(BODY)
  const sealed = seal('heads', KEY, value)
  expect(sealed).not.toEqual(value)
  expect([...checkedBody(unseal('heads', KEY, sealed.slice()))]).toEqual([...BODY])
  expect(() => checkedBody(unseal('heads', ['kalshi', 'KXB', 7], sealed.slice()))).toThrow()
  // `seal` works on a copy: the value itself is unchanged.
  expect([...checkedBody(value)]).toEqual([...BODY])
})
