// A text that parses as a time prints the same bytes again; every other spelling stays a text.

import { describe, expect, test } from 'bun:test'
import { Random } from '../../../workers/synthetic/random.ts'
import { parseInstant, printInstant } from './instant-text.ts'

const encoder = new TextEncoder()

function parsed(text: string): number {
  const bytes = encoder.encode(`<${text}>`)
  return parseInstant(bytes, 1, bytes.length - 1)
}

function printed(instantUs: number): string {
  const target = new Uint8Array(64)
  return new TextDecoder().decode(target.subarray(2, printInstant(instantUs, target, 2)))
}

describe('parseInstant', () => {
  test.each([
    ['2026-08-10T12:00:00Z', Date.UTC(2026, 7, 10, 12) * 1_000],
    ['2026-08-10T23:46:17.241218Z', Date.UTC(2026, 7, 10, 23, 46, 17) * 1_000 + 241_218],
    ['2024-02-29T00:00:00.1Z', Date.UTC(2024, 1, 29) * 1_000 + 100_000],
    ['1970-01-01T00:00:00Z', 0],
    ['2030-12-31T23:59:59.000001Z', Date.UTC(2030, 11, 31, 23, 59, 59) * 1_000 + 1],
  ])('reads %s, which prints again', (text, expectedUs) => {
    expect(parsed(text)).toBe(expectedUs)
    expect(printed(expectedUs)).toBe(text)
  })

  test.each([
    '',
    '2026-08-10',
    '2026-08-10T12:00:00',
    '2026-08-10 12:00:00Z',
    '2026-08-10T12:00:00+00:00',
    '2026-08-10T12:00:00z',
    '2026-08-10T12:00:00.Z',
    '2026-08-10T12:00:00.10Z',
    '2026-08-10T12:00:00.1234567Z',
    '2026-13-10T12:00:00Z',
    '2026-02-29T12:00:00Z',
    '2026-00-10T12:00:00Z',
    '2026-08-32T12:00:00Z',
    '2026-08-10T24:00:00Z',
    '2026-08-10T12:60:00Z',
    '2026-08-10T12:00:60Z',
    '2026-08-10T12:00:0aZ',
    '0026-08-10T12:00:00Z',
    '1969-12-31T23:59:59.999999Z',
    '2200-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999999Z',
    'aaaa-08-10T12:00:00Z',
    '2026/08/10T12:00:00Z',
    '2026-08-10T12-00-00Z',
    '2026-08-10T12:00:00,5Z',
  ])('leaves "%s" as text', (text) => expect(parsed(text)).toBeNaN())

  test('every random text that parses prints back unchanged, in any year', () => {
    const random = new Random(11, 'instants')
    const two = (below: number) => String(random.below(below)).padStart(2, '0')
    let read = 0
    for (let i = 0; i < 10_000; i++) {
      const fraction = random.pick(['', `.${random.between(0, 999_999)}`, '.000001', '.5'])
      const date = `${random.pick([random.between(1_000, 9_999), 2_026])}-${two(14)}-${two(33)}`
      const text = `${date}T${two(25)}:${two(61)}:${two(61)}${fraction}Z`
      const instantUs = parsed(text)
      if (Number.isNaN(instantUs)) continue
      read++
      if (printed(instantUs) !== text) expect(printed(instantUs)).toBe(text)
    }
    expect(read).toBeGreaterThan(1_000)
  })
})
