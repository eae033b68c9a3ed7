// Keys sort like their names. A range holds exactly the keys that begin with its names.

import { describe, expect, test } from 'bun:test'
import { after, below, keyOf, lastNameOf, namesOf } from './keys.ts'

const NAMES = [
  [],
  ['a'],
  ['a', ''],
  ['a', '2'],
  ['a', 'b'],
  ['a\0'],
  ['a\0b', 'c'],
  ['a-'],
  ['a-1'],
  ['aa'],
  ['b'],
  ['é'],
]

describe('keys', () => {
  test.each(NAMES)('give their names back', (...names) => {
    if (names.length > 0) expect(namesOf(keyOf('m', ...names))).toEqual(names)
  })

  test('are in the order of names', () => {
    const keys = NAMES.map((names) => keyOf('m', ...names))
    expect([...keys].sort()).toEqual(keys)
  })

  test('below a name are those that begin with the name', () => {
    const { from, to } = below(keyOf('m', 'a'))
    const isIn = (names: string[]) => {
      const key = keyOf('m', ...names)
      return key >= from && key < to
    }
    expect(NAMES.filter(isIn)).toEqual(NAMES.filter(([first]) => first === 'a'))
  })

  test('after a key exclude the key and the keys with more names', () => {
    const bound = after(keyOf('m', 'a'))
    expect(NAMES.filter((names) => keyOf('m', ...names) > bound)).toEqual(NAMES.slice(5))
  })
})

test('a damaged end of a key gives another name', () => {
  const key = keyOf('d', 'kalshi', 'KX', '2026-07-19')
  const damaged = `${key.slice(0, -1)}\x02`
  expect(namesOf(damaged)).toEqual(['kalshi', 'KX', '2026-07-19\x02'])
  expect(lastNameOf(damaged, below(keyOf('d', 'kalshi', 'KX')))).toBe('2026-07-19\x02')
})
