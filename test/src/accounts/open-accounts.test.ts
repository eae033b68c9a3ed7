// The accounts as a whole: a key works, ends, and leaves nothing secret in the file.

import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { accountsUrl, openAccounts } from '../../../src/accounts/open-accounts.ts'
import { temporaryFolder } from '../../support/server.ts'

test('a key works at once, ends with its deletion, and is in the file as its digest only', async () => {
  using folder = temporaryFolder()
  const accounts = await openAccounts(accountsUrl(null, folder.path))
  const { secret, keyId, createdAt } = await accounts.createKey({ userId: 'ann', name: 'laptop' })
  expect(secret).toMatch(/^bb_[A-Za-z0-9_-]{43}$/)
  expect(new Date(createdAt).toISOString()).toBe(createdAt)
  expect(await accounts.authenticate(secret)).toEqual({ ok: true, key: { keyId, userId: 'ann', plan: 'free' } })
  expect(await accounts.authenticate(`bb_${'x'.repeat(43)}`)).toEqual({ ok: false, reason: 'unknown' })
  await accounts.check()
  await accounts.close()

  for (const file of readdirSync(folder.path)) {
    const text = readFileSync(join(folder.path, file), 'latin1')
    expect(text).not.toContain(secret)
    expect(text).not.toContain(secret.slice(3))
  }
})

test('a key of another process works at once, and its deletion there ends it within a second', async () => {
  using folder = temporaryFolder()
  const url = accountsUrl(null, folder.path)
  const [server, other] = [await openAccounts(url), await openAccounts(url)]
  const { secret, keyId } = await other.createKey({ userId: 'ann', name: 'laptop', plan: 'pro' })
  expect(await server.authenticate(secret)).toMatchObject({ ok: true, key: { plan: 'pro' } })
  expect(await other.deleteKey({ userId: 'bob', keyId })).toBe(false)
  expect(await other.deleteKey({ userId: 'ann', keyId })).toBe(true)
  expect(await other.deleteKey({ userId: 'ann', keyId })).toBe(false)
  await Bun.sleep(1_010)
  expect(await server.authenticate(secret)).toEqual({ ok: false, reason: 'revoked' })
  await Promise.all([server.close(), other.close()])
})

test('an address of its own takes the place of the file', () => {
  expect(accountsUrl('postgres://host/db', 'data')).toBe('postgres://host/db')
  expect(accountsUrl(null, 'data')).toBe('sqlite://data/accounts.sqlite')
})
