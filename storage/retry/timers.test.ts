// Tests the timers of the machine.

import { expect, spyOn, test } from 'bun:test'
import { systemTimers } from './timers.ts'

test('a time that is over sets no timer below 0, of which the runtime warns', async () => {
  const timer = spyOn(globalThis, 'setTimeout')
  await new Promise<void>((resolve) => void systemTimers.after(-5, resolve))
  const delays = timer.mock.calls.map(([, ms]) => ms)
  timer.mockRestore()
  expect(delays).toEqual([0])
})
