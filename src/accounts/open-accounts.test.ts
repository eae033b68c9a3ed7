// Tests the accounts as a whole: processes share keys, usage can be read at once, and nothing secret is on disk.

import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { handClock, type MakeEmpty, onEachDatabase } from '../../test/support/accounts.ts'
import { temporaryFolder } from '../../test/support/server.ts'
import type { ActiveKey } from './keys/key-directory.ts'
import { secretDigestHex } from './keys/key-secret.ts'
import { type Accounts, accountsUrl, openAccounts } from './open-accounts.ts'

const CALL = {
  method: 'GET',
  path: '/kalshi/market/data',
  venue: 'kalshi',
  market: 'KXTEST',
  isBillable: true,
} as const

/** Opens the accounts of two processes on one database. */
async function openTwo(make: MakeEmpty) {
  const empty = await make()
  const { elapsedMs, pass } = handClock()
  const [server, other] = [await openAccounts(empty.url, { elapsedMs }), await openAccounts(empty.url)]
  return {
    pass,
    server,
    other,
    async [Symbol.asyncDispose]() {
      await Promise.all([server.close(), other.close()])
      await empty[Symbol.asyncDispose]()
    },
  }
}

async function call({ meter }: Accounts, key: ActiveKey, status = 200): Promise<void> {
  await meter.ready(key)
  meter.settle(meter.admit(key, CALL), status)
}

async function activeKey(accounts: Accounts, secret: string): Promise<ActiveKey> {
  const answer = await accounts.authenticate(secret)
  if (!answer.ok) throw new Error(answer.reason)
  return answer.key
}

onEachDatabase((make) => {
  test('a key that another process makes works at once, and ends within a second after its end there', async () => {
    await using two = await openTwo(make)
    const { server, other, pass } = two
    const { secret, keyId } = await other.createKey({ userId: 'ann', name: 'laptop', plan: 'pro' })
    expect(await server.authenticate(secret)).toEqual({
      ok: true,
      key: { keyId, secretSha256: secretDigestHex(secret), userId: 'ann', plan: 'pro', scopes: null },
    })
    expect(await other.revokeKey({ userId: 'ann', keyId })).toBe(true)
    pass(1_000)
    expect(await server.authenticate(secret)).toEqual({ ok: false, reason: 'revoked' })
  })

  test('a new secret, a new plan and the end of the old secret also count within a second', async () => {
    await using two = await openTwo(make)
    const { server, other, pass } = two
    const { secret, keyId } = await other.createKey({ userId: 'ann', name: 'laptop' })
    expect((await activeKey(server, secret)).plan).toBe('free')
    const rotated = await other.rotateKey({ userId: 'ann', keyId })
    await other.setPlan('ann', 'starter')
    pass(1_000)
    expect(await server.authenticate(secret)).toEqual({ ok: false, reason: 'revoked' })
    expect(await activeKey(server, rotated!.secret)).toMatchObject({ keyId, plan: 'starter' })
  })

  test('the old secret of a rotated key ends in a process that has just used it', async () => {
    await using two = await openTwo(make)
    const { server, other, pass } = two
    const { secret, keyId } = await other.createKey({ userId: 'ann', name: 'laptop' })
    await activeKey(server, secret)
    pass(1_000)
    await activeKey(server, secret)
    await other.rotateKey({ userId: 'ann', keyId })
    pass(1_000)
    expect(await server.authenticate(secret)).toEqual({ ok: false, reason: 'revoked' })
  })

  test('usage can be read at once in the process that counted it, and adds up over processes', async () => {
    await using two = await openTwo(make)
    const { server, other } = two
    const { secret, keyId } = await server.createKey({ userId: 'ann', name: 'laptop' })
    const [here, there] = [await activeKey(server, secret), await activeKey(other, secret)]
    await call(server, here)
    await call(server, here, 404)
    expect(await server.usage('ann')).toMatchObject({ plan: { id: 'free' }, calls: 1 })
    await call(other, there)
    expect(await other.usage('ann')).toMatchObject({ calls: 2 })
    expect(await server.requestCount('ann')).toBe(3)
    expect((await server.readKey(keyId))?.lastUsedAt).toBeString()
    expect(await server.usage('nobody')).toMatchObject({ plan: { id: 'free' }, calls: 0 })
  })

  test('a process takes over the counts of another one', async () => {
    await using two = await openTwo(make)
    const { server, other } = two
    const { secret } = await server.createKey({ userId: 'ann', name: 'laptop' })
    const [here, there] = [await activeKey(server, secret), await activeKey(other, secret)]
    await call(other, there)
    for (let each = 0; each < 5; each++) await call(server, here)
    await server.usage('ann')
    await call(other, there)
    await other.usage('ann')
    const { allowance } = other.meter.admit(there, { ...CALL, isBillable: false })
    expect(allowance.callsLeft).toBe(10_000 - 7)
  })

  test('reports plans that the configuration lacks', async () => {
    await using two = await openTwo(make)
    await two.server.setPlan('ann', 'gold')
    await two.server.setPlan('bob', 'free')
    expect(await two.server.unknownPlans()).toEqual(['gold'])
  })
})

test('a secret is in the file as its digest only', async () => {
  using folder = temporaryFolder()
  const accounts = await openAccounts(accountsUrl(null, folder.path))
  const { secret } = await accounts.createKey({ userId: 'ann', name: 'laptop' })
  await accounts.check()
  await accounts.close()
  for (const file of readdirSync(folder.path)) {
    const text = readFileSync(join(folder.path, file), 'latin1')
    expect(text).not.toContain(secret.slice(3))
  }
})

test('a configured address replaces the file in the data folder', () => {
  expect(accountsUrl('postgres://host/db', 'data')).toBe('postgres://host/db')
  expect(accountsUrl(null, 'data')).toBe('sqlite://data/accounts.sqlite')
})
