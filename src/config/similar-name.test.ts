// Tests the suggestion for a misspelled name.

import { expect, test } from 'bun:test'
import { similarName } from './similar-name.ts'

test.each([
  ['prot', 1, 'port'],
  ['por', 1, 'port'],
  ['portt', 1, 'port'],
  ['pxrt', 1, 'port'],
  ['ost', 1, 'host'],
  ['sport', 2, 'port'],
  ['port', 2, 'host'],
  ['port', 1, undefined],
  ['xxxx', 2, undefined],
])('%s, with at most %d slips, suggests %s', (given, slipsMax, expected) =>
  expect(similarName(given, ['host', 'port'], slipsMax)).toBe(expected),
)
