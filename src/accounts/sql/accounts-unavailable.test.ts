// Tests how long a query to the accounts may take.

import { expect, test } from 'bun:test'
import { AccountsUnavailable, within } from './accounts-unavailable.ts'

test('passes on an answer in time, and a failure in time', async () => {
  expect(await within(60_000, Promise.resolve(1))).toBe(1)
  expect(await within(60_000, Promise.reject('no')).catch(String)).toBe('no')
})

test('a query that is never answered fails, and calls the callback of the caller', async () => {
  let isCallbackCalled = false
  const never = within(1, new Promise<void>(() => undefined), () => {
    isCallbackCalled = true
  })
  expect(await never.catch((error: unknown) => error)).toBeInstanceOf(AccountsUnavailable)
  expect(isCallbackCalled).toBe(true)
})
