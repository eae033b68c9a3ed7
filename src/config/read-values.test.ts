// Tests the values of settings: given values are checked, others have defaults, and each wrong value has a message.

import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { readValues, unknownSetting } from './read-values.ts'
import { optionalText, text, texts, whole, yesOrNo } from './setting-kinds.ts'

const description = ''
const SCHEMA = Type.Object({
  port: whole({ description, minimum: 1, maximum: 9, unlessGiven: 5 }),
  double: whole({
    ...{ description, minimum: 1, maximum: 99 },
    unlessGiven: ({ processors, values }) => processors * 10 + (values['port'] as number),
  }),
  place: optionalText({ description, accepts: 'an address', unlessGiven: null, pattern: '^[a-z]+:' }),
  token: optionalText({ description, accepts: 'a token', unlessGiven: null, minLength: 8, secret: 'all' }),
  even: text({
    description,
    accepts: 'of even length',
    unlessGiven: 'ab',
    isAccepted: ({ length }) => length % 2 === 0,
  }),
  isOpen: yesOrNo({ description, unlessGiven: false }),
  names: texts({ description, accepts: 'a list of names', pattern: '^[a-z]+$' }),
})

function read(given: Record<string, unknown>, isInFile = false) {
  const wrong: string[] = []
  const values = readValues(
    SCHEMA,
    (name) => (name in given ? { value: given[name], called: `--${name}`, isInFile } : undefined),
    { wrong, processors: 2 },
  )
  return { wrong, values }
}

test('a missing value takes its default, which may depend on a given value', () => {
  expect(read({})).toEqual({
    wrong: [],
    values: { port: 5, double: 25, even: 'ab', isOpen: false, names: [] },
  })
  expect(read({ port: 7, place: 'a:', names: ['a', 'b'] })).toEqual({
    wrong: [],
    values: { port: 7, double: 27, place: 'a:', even: 'ab', isOpen: false, names: ['a', 'b'] },
  })
})

test.each<[Record<string, unknown>, string]>([
  [{ port: 10 }, '--port must be a whole number from 1 to 9, got 10'],
  [{ port: '5' }, '--port must be a whole number from 1 to 9, got "5"'],
  [{ place: 'http' }, '--place must be an address, got "http"'],
  [{ place: '1://ann:secret@host?api_key=secret&b=1' }, 'got "1://***@host?api_key=********&b=1"'],
  [{ place: { secret: 1 } }, '--place must be an address, got a section'],
  [{ token: 'secret' }, '--token must be a token'],
  [{ even: 'abc' }, '--even must be of even length, got "abc"'],
  [{ isOpen: 'yes' }, '--isOpen must be true or false, got "yes"'],
  [{ names: ['a', 'b', 'a'] }, '--names must name each only once, got "a" more than once'],
  [{ names: ['a', 'A', 'a'] }, '--names must be a list of names, got ["a","A","a"]'],
])('%j is refused', (given, message) => {
  const [sentence, ...more] = read(given).wrong
  expect([sentence, more]).toEqual([expect.stringMatching(new RegExp(`${RegExp.escape(message)}$`)), []])
})

test('refuses a number in quotes only in a file', () => {
  expect(read({ port: '5', even: 'abc' }, true).wrong).toEqual([
    '--port must be a whole number from 1 to 9 without quotes, got "5"',
    '--even must be of even length, got "abc"',
  ])
})

test('the error for an unknown setting suggests a similar one, else what to do', () => {
  const known = { names: ['port', 'data'], advice: 'see the help' }
  expect(unknownSetting('PROT', '--PROT', known)).toBe('unknown setting --PROT: did you mean port?')
  expect(unknownSetting('colour', '--colour', known)).toBe('unknown setting --colour: see the help')
})
