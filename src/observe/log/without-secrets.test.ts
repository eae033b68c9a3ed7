// A log line contains no secret, in plain text, in JSON or in an address. The rest of the line stays.

import { expect, test } from 'bun:test'
import { secretRemover } from './without-secrets.ts'

const clean = secretRemover(['pass"word with a space', 'short', null])

test('secrets of the configuration, as they are spelled anywhere', () => {
  expect(clean('a pass"word with a space b')).toBe('a [secret] b')
  expect(clean(JSON.stringify({ a: 'pass"word with a space' }))).toBe('{"a":"[secret]"}')
  expect(clean(`/x?y=${encodeURIComponent('pass"word with a space')}`)).toBe('/x?y=[secret]')
  // A short text may be an ordinary word.
  expect(clean('short and sweet')).toBe('short and sweet')
})

test.each([
  [`key bb_${'aB3_-'.repeat(9).slice(0, 43)} used`, 'key [secret] used'],
  ['got sk_live_12345678 and%20whsec_abcdefgh12', 'got [secret] and%20[secret]'],
  ['/files/a?x=1&ticket=abc-DEF_1 200', '/files/a?x=1&ticket=[secret] 200'],
  ['postgres://user:p@ss@host/db', 'postgres://user:[secret]@host/db'],
  ['header Bearer abcdef123 sent', 'header Bearer [secret] sent'],
  ['nothing here: task_12345678, https://host:8080/a', 'nothing here: task_12345678, https://host:8080/a'],
])('%s', (line, expected) => {
  expect(clean(line)).toBe(expected)
})
