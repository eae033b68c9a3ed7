// Tests ids as names of files.

import { expect, test } from 'bun:test'
import { partOfPath } from './part-of-path.ts'

test.each([
  ['KXTEST-26AUG10.5_a', 'KXTEST-26AUG10.5_a'],
  ['0xab', '0xab'],
  ['a/b', 'a%2Fb'],
  ['a b%', 'a%20b%25'],
  ['.', '%2E'],
  ['..', '%2E%2E'],
  ['...', '%2E%2E%2E'],
  ['..a', '..a'],
  ['a..', 'a..'],
])('%p is %p', (id, name) => {
  expect(partOfPath(id)).toBe(name)
  expect(decodeURIComponent(name)).toBe(id)
})
