// Tests the system's timers.

import { expect, spyOn, test } from 'bun:test'
import { systemTimers } from './timers.ts'

test('a negative delay is set as 0, because the runtime warns about negative delays', async () => {
  const timer = spyOn(globalThis, 'setTimeout')
  await new Promise<void>((resolve) => void systemTimers.after(-5, resolve))
  const delays = timer.mock.calls.map(([, ms]) => ms)
  timer.mockRestore()
  expect(delays).toEqual([0])
})
