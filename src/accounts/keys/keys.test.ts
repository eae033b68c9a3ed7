// Tests keys in the database: created, found, listed, rotated and revoked.

import { expect, test } from 'bun:test'
import { onEachDatabase, openEmpty } from '../../../test/support/accounts.ts'
import { secretDigestHex } from './key-secret.ts'
import { createKey, findKey, listKeys, readKey, readKeysSince, revokeKey, rotateKey } from './keys.ts'
import { readRevision, setBasePlan } from './users.ts'

/** A user name with SQL in it, which must never run. */
const USER = "o'brien; DROP TABLE users; --"

onEachDatabase((make) => {
  test('a key is found by the digest of its secret', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    const terms = { expiresAt: '2999-01-01T00:00:00.000Z', scopes: ['kalshi'] as const }
    const { secret, keyId } = await createKey(database, { userId: USER, name: 'é"\\', plan: 'pro', ...terms }, 'free')
    expect(await findKey(database.read, secretDigestHex(secret))).toEqual({
      ...{ keyId, userId: USER, plan: 'pro', secretSha256: secretDigestHex(secret), deletedAt: null },
      ...{ expiresAt: terms.expiresAt, scopes: ['kalshi'] },
    })
    expect(await findKey(database.read, 'none')).toBeUndefined()
    expect(await readKey(database.read, 'none')).toBeUndefined()
  })

  test('a user gets the default plan, keeps it, and changes it with a key that names another', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    const planAfter = async (plan?: string) => {
      const { secret } = await createKey(database, { userId: 'ann', name: 'a', plan }, 'free')
      return (await findKey(database.read, secretDigestHex(secret)))?.plan
    }
    expect([await planAfter(), await planAfter('pro'), await planAfter()]).toEqual(['free', 'pro', 'pro'])
  })

  test('a revoked key stays in the list, and only its owner can end it, once', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    const { keyId, createdAt, secret } = await createKey(database, { userId: 'ann', name: 'a' }, 'free')
    expect(await revokeKey(database, { userId: 'bob', keyId })).toBe(false)
    expect(await revokeKey(database, { userId: 'ann', keyId })).toBe(true)
    expect(await revokeKey(database, { userId: 'ann', keyId })).toBe(false)
    expect(await rotateKey(database, { userId: 'ann', keyId })).toBeUndefined()
    const { keys, total } = await listKeys(database.read, { userId: 'ann', offset: 0, limit: 10 })
    expect([keys.map(({ status }) => status), total]).toEqual([['revoked'], 1])
    expect(keys[0]?.createdAt).toBe(createdAt)
    expect((await findKey(database.read, secretDigestHex(secret)))?.deletedAt).toBeString()
  })

  test('a rotated key keeps everything but its secret, and the old one counts as deleted', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    const made = await createKey(database, { userId: 'ann', name: 'a', scopes: ['polymarket'] }, 'free')
    expect(await rotateKey(database, { userId: 'bob', keyId: made.keyId })).toBeUndefined()
    const rotated = await rotateKey(database, { userId: 'ann', keyId: made.keyId })
    expect(rotated).toEqual({ ...made, secret: rotated!.secret })
    expect(rotated!.secret).not.toBe(made.secret)
    expect((await findKey(database.read, secretDigestHex(made.secret)))?.deletedAt).toBeString()
    expect((await findKey(database.read, secretDigestHex(rotated!.secret)))?.deletedAt).toBeNull()
  })

  test('a key past its time is expired, and is not rotated', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    const past = { userId: 'ann', name: 'a', expiresAt: '2020-01-01T00:00:00.000Z' }
    const { keyId } = await createKey(database, past, 'free')
    expect((await readKey(database.read, keyId))?.status).toBe('expired')
    expect(await rotateKey(database, { userId: 'ann', keyId })).toBeUndefined()
  })

  test('pages of the list follow each other', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    for (const name of ['a', 'b', 'c']) await createKey(database, { userId: 'ann', name }, 'free')
    await createKey(database, { userId: 'bob', name: 'x' }, 'free')
    const page = (offset: number) => listKeys(database.read, { userId: 'ann', offset, limit: 2 })
    const names = [...(await page(0)).keys, ...(await page(2)).keys].map(({ name }) => name)
    expect(names.sort()).toEqual(['a', 'b', 'c'])
    expect((await page(2)).total).toBe(3)
  })

  test('changes are read from a revision on: new keys, ended ones, and those of a user whose plan changed', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    const a = await createKey(database, { userId: 'ann', name: 'a' }, 'free')
    const b = await createKey(database, { userId: 'bob', name: 'b' }, 'free')
    const first = await readRevision(database.read)
    const since = async (revision: number | undefined) =>
      (await readKeysSince(database.read, revision)).map(({ keyId }) => keyId).sort()
    expect(await since(undefined)).toEqual([a.keyId, b.keyId].sort())
    expect(await since(first)).toEqual([])

    await revokeKey(database, { userId: 'ann', keyId: a.keyId })
    expect(await since(first)).toEqual([a.keyId])
    const second = await readRevision(database.read)
    await setBasePlan(database, 'bob', 'pro')
    expect(await since(second)).toEqual([b.keyId])
    expect(await since(undefined)).toEqual([b.keyId])
  })
})
