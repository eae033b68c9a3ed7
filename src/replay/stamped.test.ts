// Tests the line before a stamped message.

import { expect, test } from 'bun:test'
import { stampOf } from './stamped.ts'

test('the event time and the receive time, where they are known and wanted', () => {
  const stamp = stampOf(true)
  expect([stamp(5, 7), stamp(5, 0), stamp(5, -1), stampOf(false)(5, 7)]).toEqual(['5 7\n', '5 0\n', '5 -\n', ''])
})
