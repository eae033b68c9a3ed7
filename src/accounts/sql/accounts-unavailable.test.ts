// How long a question to the accounts may take.

import { expect, test } from 'bun:test'
import { AccountsUnavailable, within } from './accounts-unavailable.ts'

test('an answer in time is given, and so is its failure', async () => {
  expect(await within(60_000, Promise.resolve(1))).toBe(1)
  expect(await within(60_000, Promise.reject('no')).catch(String)).toBe('no')
})

test('an answer that never comes fails, and tells who asked for it', async () => {
  let isTold = false
  const never = within(1, new Promise<void>(() => undefined), () => {
    isTold = true
  })
  expect(await never.catch((error: unknown) => error)).toBeInstanceOf(AccountsUnavailable)
  expect(isTold).toBe(true)
})
