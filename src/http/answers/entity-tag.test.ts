// Tests entity tags: what makes two tags differ, and which lists contain a tag.

import { expect, test } from 'bun:test'
import { isAmong, tagsOf } from './entity-tag.ts'

const tagsOfStore = (fill: number) => tagsOf(async () => new Uint8Array(32).fill(fill))

test('a tag depends on its parts and its store, and on nothing else', async () => {
  const tagOf = tagsOfStore(1)
  expect(await tagOf(['a', 1])).toBe(await tagsOfStore(1)(['a', 1]))
  const others = [tagOf(['a', 2]), tagOf(['a']), tagOf(['a1']), tagsOfStore(2)(['a', 1])]
  expect(new Set(await Promise.all([tagOf(['a', 1]), ...others])).size).toBe(5)
  expect(await tagOf([])).toMatch(/^W\/"[0-9a-z]+"$/)
})

test.each([
  ['W/"a"', true],
  ['"a"', true],
  ['*', true],
  [' * ', true],
  ['"b", W/"a"', true],
  ['"b","a"', true],
  ['"x, y", "a"', true],
  ['"b"', false],
  ['"ab"', false],
  ['"x\\"a"', false],
  ['a', false],
  ['', false],
  ['"b", "*"', false],
])('%s holds W/"a": %p', (list, holds) => expect(isAmong('W/"a"', list)).toBe(holds))
