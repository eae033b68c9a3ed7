// Tests the weekly maintenance.

import { expect, test } from 'bun:test'
import { isMaintenance } from './venue.ts'

test.each([
  ['2026-08-13T06:59:59.999Z', false],
  ['2026-08-13T07:00:00.000Z', true],
  ['2026-08-13T08:59:59.999Z', true],
  ['2026-08-13T09:00:00.000Z', false],
  ['2026-08-12T08:00:00.000Z', false],
  // In winter, the maintenance is an hour later in UTC.
  ['2026-12-10T07:30:00.000Z', false],
  ['2026-12-10T08:30:00.000Z', true],
])('isMaintenance %s: %p', (at, expected) => expect(isMaintenance(Date.parse(at))).toBe(expected))
