// Whether the accounts answer, on a clock that is set by hand.

import { afterEach, expect, spyOn, test } from 'bun:test'
import { AccountsProbe } from './accounts-probe.ts'

const clock = spyOn(performance, 'now')
afterEach(() => clock.mockRestore())

test('the accounts are queried once a second, and a failure reports them as down', async () => {
  let elapsedMs = 0
  clock.mockImplementation(() => elapsedMs)
  let asked = 0
  const probe = new AccountsProbe(async () => {
    asked++
    elapsedMs += 3
    if (asked === 2) throw new Error('away')
  })
  expect(await Promise.all([probe.state(), probe.state()])).toEqual([
    { isUp: true, answerMs: 3 },
    { isUp: true, answerMs: 3 },
  ])
  elapsedMs = 999
  await probe.state()
  expect(asked).toBe(1)
  elapsedMs = 1_000
  expect(await probe.state()).toEqual({ isUp: false, answerMs: null })
  elapsedMs = 2_000
  expect(await probe.state()).toEqual({ isUp: true, answerMs: 3 })
})
