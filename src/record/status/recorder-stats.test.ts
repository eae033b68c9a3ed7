// Tests what the status says if the machine's clock differs from the venue's.

import { expect, test } from 'bun:test'
import { clockProblem, MessageAge } from './recorder-stats.ts'

test('a clock that is off by more than 100 ms is a problem', () => {
  for (const age of [null, 0, 100, -100]) expect(clockProblem('kalshi', age)).toBeNull()
  expect(clockProblem('kalshi', -300)).toBe(
    'The clock of this machine is 300 ms behind that of kalshi, or more: set it',
  )
  expect(clockProblem('kalshi', 2_000)).toBe(
    'The clock of this machine is 2000 ms ahead of that of kalshi, or messages take that long',
  )
})

test('the lowest age of a message shows how far apart the clocks are', () => {
  const age = new MessageAge()
  age.assume(250)
  expect([age.min, age.clockAheadMs]).toEqual([-250, -251])
  for (const [second, ms] of [40, 20, 90].entries()) age.add(ms, second * 1_000)
  expect([age.min, age.max, age.clockAheadMs]).toEqual([20, 90, 0])
  age.add(-300, 3_000)
  expect([age.min, age.clockAheadMs]).toEqual([-300, -301])
  age.forget()
  expect([age.min, age.max]).toEqual([null, null])
})
