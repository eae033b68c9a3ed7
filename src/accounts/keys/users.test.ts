// Tests which names of users are valid, and the plan of each user.

import { expect, test } from 'bun:test'
import { onEachDatabase, openEmpty } from '../../../test/support/accounts.ts'
import { ensureUser, isName, isNewUserId, readPlansInUse, readRevision, readUserPlans, setBasePlan } from './users.ts'

test('a name has 1 to 200 characters, without control characters and lone surrogates', () => {
  for (const name of ['a', 'Ann of "Acme"', '東', '😀'.repeat(200), '.'])
    expect([name, isName(name)]).toEqual([name, true])
  for (const name of ['', 'a\n', '\u0000', '\ud83d', 'a'.repeat(201), 5, null]) expect(isName(name)).toBe(false)
})

test('a new user cannot be named "." or ".."', () => {
  expect(['.', '..', '...', 'ann', ''].map(isNewUserId)).toEqual([false, false, true, true, false])
})

onEachDatabase((make) => {
  test('setting a plan replaces it, leaves an existing user as it is, and each plan in use is listed once', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    expect(await setBasePlan(database, 'ann', 'pro')).toEqual({ basePlan: 'pro', subscriptionPlan: null })
    expect(await setBasePlan(database, 'ann', 'free')).toEqual({ basePlan: 'free', subscriptionPlan: null })
    await database.write((sql) => ensureUser(sql, 'ann', 'other'))
    expect((await readUserPlans(database.read, 'ann'))?.basePlan).toBe('free')
    expect(await readUserPlans(database.read, 'bob')).toBeUndefined()
    await setBasePlan(database, 'bob', 'free')
    await setBasePlan(database, 'cid', 'starter')
    await database.write((sql) => sql`UPDATE users SET subscription_plan = 'pro' WHERE user_id = 'cid'`)
    expect((await readPlansInUse(database.read)).sort()).toEqual(['free', 'pro', 'starter'])
  })

  test('a change of a plan gives new revisions to the keys of its user, and to no others', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    await setBasePlan(database, 'ann', 'free')
    await setBasePlan(database, 'bob', 'free')
    for (const [key, user] of [
      ['key_a', 'ann'],
      ['key_b', 'bob'],
    ] as const) {
      await database.write(
        (sql) => sql`INSERT INTO api_keys (key_id, user_id, name, secret_sha256, created_at, revision)
                     VALUES (${key}, ${user}, 'k', ${key}, '2026-11-21T00:00:00.000Z', 0)`,
      )
    }
    const before = await readRevision(database.read)
    await setBasePlan(database, 'ann', 'pro')
    expect(await readRevision(database.read)).toBe(before + 1)
    const rows: { key_id: string; revision: number }[] =
      await database.read`SELECT key_id, revision FROM api_keys ORDER BY key_id`
    expect(rows.map(({ key_id, revision }) => [key_id, Number(revision)])).toEqual([
      ['key_a', before + 1],
      ['key_b', 0],
    ])
  })
})
