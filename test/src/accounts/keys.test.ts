// Keys in a real SQLite file: made, found, ended.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openAccountsDatabase } from '../../../src/accounts/accounts-database.ts'
import { secretDigest } from '../../../src/accounts/key-secret.ts'
import { createKey, deleteKey, findKey, readActiveKeys, readRevision } from '../../../src/accounts/keys.ts'
import { temporaryFolder } from '../../support/server.ts'

test('keys are found by digest, deleted or not, and only active ones are listed', async () => {
  using folder = temporaryFolder()
  const database = await openAccountsDatabase(`sqlite://${join(folder.path, 'a.sqlite')}`)
  const first = await createKey(database, { userId: "o'brien; --", name: 'é"\\' })
  const second = await createKey(database, { userId: "o'brien; --", name: 'b', plan: 'pro' })
  const third = await createKey(database, { userId: "o'brien; --", name: 'c' })
  expect(await readRevision(database.read)).toBe(3)
  expect(await deleteKey(database, { userId: first.userId, keyId: second.keyId })).toBe(true)
  expect(await readRevision(database.read)).toBe(4)

  const digest = (secret: string) => secretDigest(secret).toString('hex')
  expect(await findKey(database.read, digest(first.secret))).toEqual({
    keyId: first.keyId,
    userId: "o'brien; --",
    name: 'é"\\',
    plan: 'pro',
    secretSha256: digest(first.secret),
    deletedAt: null,
  })
  expect((await findKey(database.read, digest(second.secret)))?.deletedAt).toBeString()
  expect(await findKey(database.read, 'none')).toBeUndefined()
  const active = (await readActiveKeys(database.read)).map(({ keyId }) => keyId)
  expect(active.sort()).toEqual([first.keyId, third.keyId].sort())
  await database.close()
})
