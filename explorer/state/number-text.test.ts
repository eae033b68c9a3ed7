// Prints numbers. The unit fits the rounded number, so the number before a unit is always below 1,000.

import { expect, test } from 'bun:test'
import { bytesText, shortText } from './number-text.ts'

test.each([
  [0, '0'],
  [0.123456, '0.123'],
  [999.4, '999'],
  [999.5, '1k'],
  [1_000, '1k'],
  [1_234, '1.23k'],
  [999_499, '999k'],
  [999_500, '1M'],
  [999_600, '1M'],
  [1_006_000, '1.01M'],
  [999_600_000, '1G'],
  [1_234_000_000_000, '1230G'],
])('%p contracts are %s', (value, text) => expect(shortText(value)).toBe(text))

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1.0 KB'],
  [9_949, '9.9 KB'],
  [9_951, '10 KB'],
  [999_499, '999 KB'],
  [999_600, '1.0 MB'],
  [999_999_999, '1.0 GB'],
])('%p bytes are %s', (bytes, text) => expect(bytesText(bytes)).toBe(text))
