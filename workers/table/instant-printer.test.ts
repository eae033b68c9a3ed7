// Goal: instants are printed in their one spelling, in any order.

import { expect, test } from 'bun:test'
import { InstantPrinter } from './instant-printer.ts'

const START = Date.UTC(2026, 7, 10, 12) * 1_000

test('without trailing zeros in the fraction', () => {
  const printer = new InstantPrinter()
  const view = new DataView(new ArrayBuffer(64))
  const printed = [0, 1, 100_000, 999_999, 1_000_000, 500, 86_400_000_000].map((us) =>
    new TextDecoder().decode(new Uint8Array(view.buffer, 3, printer.print(view, 3, START + us) - 3)),
  )
  expect(printed).toEqual([
    ...['2026-08-10T12:00:00Z', '2026-08-10T12:00:00.000001Z', '2026-08-10T12:00:00.1Z', '2026-08-10T12:00:00.999999Z'],
    ...['2026-08-10T12:00:01Z', '2026-08-10T12:00:00.0005Z', '2026-08-11T12:00:00Z'],
  ])
})
