// A text that parses as a decimal prints the same bytes again; every other text stays a text.

import { describe, expect, test } from 'bun:test'
import { Random } from '../../../workers/synthetic/random.ts'
import { parseDecimal, parsedDecimal, printDecimal, printTrimmedDecimal } from './decimal-text.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Parses the text and prints it again; returns undefined if the text does not parse as a decimal. */
function reprinted(text: string): string | undefined {
  const bytes = encoder.encode(`<${text}>`)
  const mantissa = parseDecimal(bytes, 1, bytes.length - 1)
  if (Number.isNaN(mantissa)) return undefined
  const target = new Uint8Array(64)
  return decoder.decode(target.subarray(3, printDecimal(mantissa, parsedDecimal.places, target, 3)))
}

describe('parseDecimal and printDecimal', () => {
  test.each([
    '0',
    '7',
    '10',
    '-1',
    '0.48',
    '0.4800',
    '-40.00',
    '0.000001',
    '-0.5',
    '999999999999999',
    '0.000000000001',
    '123456789.123456',
    '2147483647',
    '2147483648',
    '-4294967296.5',
    '100000000000000',
    '0.0',
    '0.00',
  ])('%s prints again', (text) => expect(reprinted(text)).toBe(text))

  test.each([
    '',
    '-',
    '.',
    '.48',
    '48.',
    '-.5',
    '+1',
    '00',
    '01',
    '-01',
    '00.5',
    '-0',
    '-0.0',
    '1e3',
    '1E5',
    '1.2.3',
    '0x10',
    ' 1',
    '1 ',
    '1,000',
    'NaN',
    'Infinity',
    '--1',
    '1-',
    '1234567890123456',
    '0.1234567890123',
    'é',
    '１',
  ])('"%s" is left as text', (text) => expect(reprinted(text)).toBeUndefined())

  test('every random text that parses prints back unchanged', () => {
    const random = new Random(7, 'decimals')
    let read = 0
    for (let i = 0; i < 20_000; i++) {
      const text = Array.from({ length: random.between(1, 17) }, () => random.pick([...'0123456789.-0005'])).join('')
      const again = reprinted(text)
      if (again === undefined) continue
      read++
      if (again !== text) expect(again).toBe(text)
    }
    expect(read).toBeGreaterThan(1_000)
  })
})

describe('printDecimal, of sums that no record holds', () => {
  test.each([
    [2 ** 53 - 1, 0, '9007199254740991'],
    [2 ** 53 - 1, 6, '9007199254.740991'],
    [-(2 ** 53 - 1), 12, '-9007.199254740991'],
    [2 ** 53 + 2, 6, '9007199254.740994'],
    [2 ** 60, 0, '1152921504606846976'],
    [-(2 ** 60), 6, '-1152921504606.846976'],
    [2 ** 60, 20, '0.01152921504606846976'],
  ])('%d at scale %d is %s', (mantissa, scale, expected) => {
    const target = new Uint8Array(32)
    expect(decoder.decode(target.subarray(0, printDecimal(mantissa, scale, target, 0)))).toBe(expected)
  })
})

describe('printTrimmedDecimal', () => {
  test.each([
    [4_800, 4, '0.48'],
    [480_000, 4, '48'],
    [0, 6, '0'],
    [-5_000, 4, '-0.5'],
    [1, 6, '0.000001'],
    [10, 0, '10'],
    [9_007_199_254_740_000, 6, '9007199254.74'],
  ])('%d at scale %d is %s', (mantissa, scale, expected) => {
    const target = new Uint8Array(32)
    expect(decoder.decode(target.subarray(0, printTrimmedDecimal(mantissa, scale, target, 0)))).toBe(expected)
  })
})
