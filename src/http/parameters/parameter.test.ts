// Tests each kind of parameter: what it accepts and what it refuses.

import { expect, test } from 'bun:test'
import { oneOf, type Parameter, patternText, utcDay, wholeNumber } from './parameter.ts'

const check = (schema: Parameter, accepted: string[], refused: string[]) => {
  expect(accepted.filter((text) => !schema.matches(text))).toEqual([])
  expect(refused.filter((text) => schema.matches(text))).toEqual([])
}

test('wholeNumber takes decimal digits within its range and nothing else', () =>
  check(
    wholeNumber({ min: 1, max: 3600 }),
    ['1', '60', '3600', '0060'],
    [
      '',
      '0',
      '3601',
      '1e3',
      '+5',
      '-5',
      ' 5',
      '5 ',
      '5.0',
      '0x10',
      'NaN',
      'Infinity',
      '٥',
      '1_000',
      '99999999999999999',
    ],
  ))

test('wholeNumber stays within safe integers', () =>
  check(wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }), ['9007199254740991'], ['9007199254740992']))

test('utcDay takes calendar days that exist', () =>
  check(
    utcDay(),
    ['1970-01-01', '2024-02-29', '2026-08-10', '9999-12-31'],
    ['', '2026-02-29', '2026-13-01', '2026-00-10', '2026-04-31', '2026-8-1', '20260810', '2026-08-10T00:00:00Z'],
  ))
test('utcDay refuses days before 1970, blanks and words', () =>
  check(utcDay(), [], ['1969-12-31', ' 2026-08-10', '2026-08-10 ', 'today', '2026-08-10\n', '-026-08-10']))

test('oneOf accepts its words only in their own case', () =>
  check(oneOf(['none', 'range']), ['none'], ['None', '', 'none,range']))
test('patternText accepts exactly the texts of its pattern', () =>
  check(patternText(/^a+$/, 'letters a'), ['aa'], ['', 'b', 'aa\n']))
