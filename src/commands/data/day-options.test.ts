// Tests the options that choose days of markets.

import { expect, test } from 'bun:test'
import { EXIT } from '../terminal/program.ts'
import { assertDay, marketOf } from './day-options.ts'

test('a date is omitted or a UTC date', () => {
  assertDay('--from', undefined)
  assertDay('--from', '2026-08-10')
  for (const given of ['2026-8-10', '2026-02-30', 'today', '']) {
    expect(() => assertDay('--from', given)).toThrow(
      expect.objectContaining({
        ...{ message: `--from must be a UTC date written YYYY-MM-DD, got "${given}"`, exitCode: EXIT.usage },
      }),
    )
  }
})

test('a market is named in the form of its venue, and stored in its spelling', () => {
  expect(marketOf('kalshi', 'kx-a')).toBe('KX-A')
  expect(marketOf('polymarket', 'AB'.repeat(32))).toBe(`0x${'ab'.repeat(32)}`)
  const refusal = (message: string) =>
    expect.objectContaining({ message: expect.stringContaining(message), exitCode: EXIT.usage })
  expect(() => marketOf(undefined, 'KX')).toThrow(refusal('--market needs --venue: name the venue of the market'))
  expect(() => marketOf('polymarket', 'KX')).toThrow(refusal('--market must be 64 hexadecimal digits'))
})
