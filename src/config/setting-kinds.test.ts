// Tests the kinds of settings: what each accepts, and how its default is described.

import { expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { decimal, defaultWords, HTTP_ADDRESS, ORIGINS, oneOf, TOKEN, text, texts, whole } from './setting-kinds.ts'

const description = ''

test('a number states its bounds, and accepts them', () => {
  const port = whole({ description, minimum: 0, maximum: 9, unlessGiven: 5 })
  const share = decimal({ description, minimum: 0, maximum: 1, unlessGiven: 0.5 })
  expect([port.accepts, share.accepts]).toEqual(['a whole number from 0 to 9', 'a number from 0 to 1'])
  expect([0, 9, -1, 10, 1.5, '5'].map((value) => Value.Check(port, value))).toEqual([
    ...[true, true, false, false, false, false],
  ])
  expect([0.25, 1, 1.25].map((value) => Value.Check(share, value))).toEqual([true, true, false])
})

test('a list has each of its texts once', () => {
  const names = texts({ description, accepts: 'names', minLength: 1, pattern: '^[a-z]*$' })
  const lists = [[], ['a', 'b'], ['a', 'a'], [''], ['A'], 'a']
  expect(lists.map((value) => Value.Check(names, value))).toEqual([true, true, false, false, false, false])
  expect(defaultWords(names)).toBe('none')
})

test('a choice is one of its words, whole', () => {
  const level = text({ description, accepts: '', unlessGiven: 'a', ...oneOf('a', 'bc') })
  expect(['a', 'bc', 'ab', 'xa', 'ax', ''].map((value) => Value.Check(level, value))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})

test('addresses, origins and tokens', () => {
  const takes = (pattern: string, value: string) => new RegExp(pattern).test(value)
  const origins = ['*', 'https://a.example', 'http://a:8080, https://b', 'https://a/', 'a.example', '*,https://a', '']
  expect(origins.map((value) => takes(ORIGINS.pattern, value))).toEqual([true, true, true, false, false, false, false])
  expect(['http://a', 'https://a/b', 'ftp://a', 'https://'].map((value) => takes(HTTP_ADDRESS.pattern, value))).toEqual(
    [...[true, true, false, false]],
  )
  const token = text({ description, unlessGiven: '', ...TOKEN })
  expect(['1234567', '12345678'].map((value) => Value.Check(token, value))).toEqual([false, true])
})

test('the words of a default', () => {
  const words = { description, accepts: '' }
  expect(defaultWords({ ...words, unlessGiven: 5 })).toBe('5')
  expect(defaultWords({ ...words, unlessGiven: null })).toBe('none')
  expect(defaultWords({ ...words, unlessGiven: null, otherwise: 'as the folder says' })).toBe('as the folder says')
})
