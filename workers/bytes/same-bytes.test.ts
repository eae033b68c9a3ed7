// Two values are the same if their bytes are; null equals only null.

import { expect, test } from 'bun:test'
import { isSameBytes } from './same-bytes.ts'

const bytes = (...values: number[]) => new Uint8Array(values)

test.each([
  [bytes(1, 2), new Uint8Array([0, 1, 2]).subarray(1), true],
  [bytes(1, 2), bytes(1, 3), false],
  [bytes(1, 3), bytes(1, 2), false],
  [bytes(1, 2), bytes(1, 2, 0), false],
  [bytes(), bytes(), true],
  [null, null, true],
  [null, bytes(), false],
  [bytes(), null, false],
])('%p and %p: %p', (one, other, expected) => expect(isSameBytes(one, other)).toBe(expected))
