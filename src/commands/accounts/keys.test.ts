// Tests the commands `keys` and `plans` on a data folder.

import { expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runBackbook } from '../../../test/support/programs/program.ts'
import { temporaryFolder } from '../../../test/support/server.ts'
import { accountsUrl, openAccounts } from '../../accounts/open-accounts.ts'

const backbook = (data: string, words: string[], env: Record<string, string> = {}) =>
  runBackbook([...words, '--data', data], { env })

async function json(data: string, words: string[]): Promise<Record<string, unknown>> {
  const { out, err, exitCode } = await backbook(data, [...words, '--json'])
  expect([err, exitCode]).toEqual(['', 0])
  return JSON.parse(out)
}

test('a key is made, listed, shown, rotated and revoked', async () => {
  using folder = temporaryFolder()
  const data = folder.path
  const made = await json(data, ['keys', 'create', '--user', 'ann', '--name', 'laptop', '--plan', 'pro'])
  expect(Object.keys(made)).toEqual(['key_id', 'api_key', 'user_id', 'name', 'created_at', 'expires_at', 'scopes'])
  expect(made).toMatchObject({ expires_at: null, scopes: null })
  const { key_id: id, created_at } = made as { key_id: string; created_at: string }
  const entry = { id, name: 'laptop', status: 'active', created_at, last_used_at: null, expires_at: null, scopes: null }
  expect(await json(data, ['keys', 'list', '--user', 'ann'])).toEqual({ user_id: 'ann', api_keys: [entry], total: 1 })
  expect(await json(data, ['keys', 'show', id])).toEqual({ user_id: 'ann', ...entry })

  const rotated = await json(data, ['keys', 'rotate', id, '--user', 'ann'])
  const accounts = await openAccounts(accountsUrl(null, data))
  const reasonOf = async (secret: unknown) => await accounts.authenticate(String(secret))
  expect(await reasonOf(made['api_key'])).toEqual({ ok: false, reason: 'revoked' })
  expect(await reasonOf(rotated['api_key'])).toMatchObject({ ok: true, key: { plan: 'pro' } })
  await accounts.close()

  expect(await json(data, ['keys', 'revoke', id, '--user', 'ann'])).toEqual({ key_id: id, status: 'revoked' })
  expect(await json(data, ['keys', 'show', id])).toMatchObject({ status: 'revoked' })
}, 30_000)

test('JSON has the terms of a key that is created or rotated, like the list', async () => {
  using folder = temporaryFolder()
  const data = folder.path
  const terms = { expires_at: '2999-01-01T00:00:00.000Z', scopes: ['kalshi'] }
  const words = ['--expires', '2999-01-01T01:00:00+01:00', '--scopes', 'kalshi']
  const made = await json(data, ['keys', 'create', '--user', 'ann', '--name', 'desk', ...words])
  expect(made).toMatchObject(terms)
  expect(await json(data, ['keys', 'rotate', String(made['key_id']), '--user', 'ann'])).toMatchObject(terms)
  expect(await json(data, ['keys', 'list', '--user', 'ann'])).toMatchObject({ api_keys: [terms] })
}, 30_000)

test('the output shows the secret once, and tables', async () => {
  using folder = temporaryFolder()
  const made = await backbook(folder.path, ['keys', 'create', '--user', 'ann', '--name', 'desk', '--scopes', 'kalshi'])
  expect(made.out).toMatch(/^bb_[A-Za-z0-9_-]{43}\n\nKey key_[0-9a-f]{24} of user ann, named desk\./)
  const { out } = await backbook(folder.path, ['keys', 'list', '--user', 'ann'])
  const [head, row] = out.split('\n')
  expect(head?.split(/ {2,}/)).toEqual(['KEY', 'USER', 'NAME', 'STATUS', 'CREATED', 'LAST USED', 'EXPIRES', 'SCOPES'])
  expect(row?.split(/ {2,}/).slice(1, 4)).toEqual(['ann', 'desk', 'active'])
  expect(row?.split(/ {2,}/).slice(5)).toEqual(['-', '-', 'kalshi'])
  expect(out).not.toContain('bb_')
}, 30_000)

test.each([
  ['kalshi,polymarket', null],
  ['polymarket,kalshi', null],
  ['polymarket', ['polymarket']],
])(
  'a key is made with --scopes %s',
  async (text, scopes) => {
    using folder = temporaryFolder()
    const made = await json(folder.path, ['keys', 'create', '--user', 'ann', '--name', 'desk', '--scopes', text])
    expect(await json(folder.path, ['keys', 'show', String(made['key_id'])])).toMatchObject({ scopes })
  },
  30_000,
)

test('a plan can be set, and its limits are shown', async () => {
  using folder = temporaryFolder()
  const plans = join(folder.path, 'plans.json')
  writeFileSync(plans, '{"default":"a","plans":[{"id":"a","name":"A","calls_per_month":7,"calls_per_second":2}]}')
  const on = { PLANS_FILE: plans }
  const set = await backbook(folder.path, ['plans', 'set', '--user', 'ann', '--plan', 'a'], on)
  expect([set.out, set.exitCode]).toEqual(['User ann is on plan a.\n', 0])
  const usage = await backbook(folder.path, ['plans', 'usage', '--user', 'ann', '--json'], on)
  expect(JSON.parse(usage.out)).toMatchObject({ user_id: 'ann', tier: 'a', api_calls: 0, limit: 7 })
  const list = await backbook(folder.path, ['plans', 'list'], on)
  expect(list.out.split('\n')[1]?.split(/ {2,}/)).toEqual(['a', 'A', '7', '2', '2'])
}, 30_000)

test('keys that an operator creates are unlimited unless a plan is given, and the plan is shown', async () => {
  using folder = temporaryFolder()
  const create = (user: string, ...words: string[]) =>
    backbook(folder.path, ['keys', 'create', '--user', user, '--name', 'n', ...words])
  expect((await create('ann')).out).toEndWith('User ann is new, on plan pro: unlimited calls.\n')
  expect((await create('bob', '--plan', 'free')).out).toEndWith(
    'User bob is new, on plan free: 10,000 calls a month.\n',
  )
  // Another key of the user does not undo the operator's choice of plan.
  expect((await create('bob')).out).toEndWith('User bob is on plan free: 10,000 calls a month.\n')
  expect(await json(folder.path, ['plans', 'usage', '--user', 'ann'])).toMatchObject({ tier: 'pro', limit: null })
}, 30_000)

test('without a plan named pro, a new user is on the default plan', async () => {
  using folder = temporaryFolder()
  const plans = join(folder.path, 'plans.json')
  writeFileSync(plans, '{"default":"a","plans":[{"id":"a","name":"A","calls_per_month":1,"calls_per_second":2}]}')
  const { out } = await backbook(folder.path, ['keys', 'create', '--user', 'ann', '--name', 'n'], { PLANS_FILE: plans })
  expect(out).toEndWith('User ann is new, on plan a: 1 call a month, 2 a second.\n')
}, 30_000)

test.each(['keys list --user anm', 'plans usage --user anm', 'keys list --user anm --json'])(
  '%s, a mistyped user, is an error',
  async (line) => {
    using folder = temporaryFolder()
    await backbook(folder.path, ['keys', 'create', '--user', 'ann', '--name', 'n'])
    const { out, err, exitCode } = await backbook(folder.path, line.split(' '))
    expect([out, err, exitCode]).toEqual(['', 'backbook: there is no user "anm"\n', 1])
  },
  30_000,
)

test.each(['keys create --user a --name b', 'plans set --user a --plan pro'])(
  '%s does not create a mistyped folder',
  async (line) => {
    using folder = temporaryFolder()
    const typo = join(folder.path, 'dta')
    for (const env of [{}, { ACCOUNTS_URL: `sqlite://${join(typo, 'a.sqlite')}` }]) {
      const { out, err, exitCode } = await backbook(typo, line.split(' '), env)
      expect([out, err, exitCode]).toEqual(['', expect.stringContaining('the data folder must exist, got'), 2])
    }
    expect(readdirSync(folder.path)).toEqual([])
  },
  30_000,
)

test.each(['keys list --user a', 'keys show key_1', 'plans usage --user a'])(
  '%s makes no accounts if ACCOUNTS_URL names a missing file',
  async (line) => {
    using folder = temporaryFolder()
    const env = { ACCOUNTS_URL: `sqlite://${join(folder.path, 'a.sqlite')}` }
    const { err, exitCode } = await backbook(folder.path, line.split(' '), env)
    expect([exitCode, err]).toEqual([2, expect.stringContaining('there are no accounts in')])
    expect(readdirSync(folder.path)).toEqual([])
  },
)

test.each([
  [
    ['keys', 'create', '--user', 'a', '--name', 'b', '--plan', 'gold'],
    2,
    '--plan must be one of free, starter, pro, got "gold"',
  ],
  [['keys', 'create', '--user', 'a', '--name', 'b', '--expires', '2020-01-01T00:00:00Z'], 2, 'a future time'],
  [
    ['keys', 'create', '--user', 'a', '--name', 'b', '--expires', '9999-12-31T23:59:59-12:00'],
    2,
    'before the year 10000 in UTC',
  ],
  [['keys', 'create', '--user', 'a', '--name', 'b', '--scopes', 'all'], 2, 'polymarket or kalshi'],
  [['keys', 'create', '--user', '', '--name', 'b'], 2, '1 to 200 characters'],
  [['keys', 'create', '--user', '..', '--name', 'b'], 2, 'not "." or "..", which cannot be used in the path'],
  [['plans', 'set', '--user', '.', '--plan', 'pro'], 2, '--user must be 1 to 200 characters'],
  [['keys', 'revoke', 'key_1', '--user', 'a'], 1, 'user "a" has no active key "key_1"'],
  [['keys', 'rotate', 'key_1', '--user', 'a'], 1, 'user "a" has no active key "key_1"'],
  [['keys', 'show', 'key_1'], 1, 'there is no key "key_1"'],
  [['plans', 'set', '--user', 'a', '--plan', 'gold'], 2, '--plan must be one of free, starter, pro, got "gold"'],
])('%j ends with %d', async (words, exitCode, message) => {
  using folder = temporaryFolder()
  await (await openAccounts(accountsUrl(null, folder.path))).close()
  const ended = await backbook(folder.path, words)
  expect([ended.exitCode, ended.out]).toEqual([exitCode, ''])
  expect(ended.err).toContain(message)
})

test('an existing user keeps working under an id that new users may not have', async () => {
  using folder = temporaryFolder()
  const accounts = await openAccounts(accountsUrl(null, folder.path))
  const { keyId } = await accounts.createKey({ userId: '..', name: 'old' })
  await accounts.close()
  const data = folder.path
  expect(await json(data, ['keys', 'list', '--user', '..'])).toMatchObject({ total: 1 })
  expect(await json(data, ['plans', 'set', '--user', '..', '--plan', 'pro'])).toMatchObject({ plan: 'pro' })
  expect(await json(data, ['plans', 'usage', '--user', '..'])).toMatchObject({ user_id: '..', tier: 'pro' })
  expect(await json(data, ['keys', 'rotate', keyId, '--user', '..'])).toMatchObject({ user_id: '..' })
  expect(await json(data, ['keys', 'revoke', keyId, '--user', '..'])).toMatchObject({ status: 'revoked' })
}, 30_000)

test.each([
  'plans set --user .. --plan pro',
  'keys list --user a',
  'keys show key_1',
  'keys rotate key_1 --user a',
  'keys revoke key_1 --user a',
  'plans usage --user a',
])('%s makes no accounts in a folder that has none', async (line) => {
  using folder = temporaryFolder()
  const { exitCode, err } = await backbook(folder.path, line.split(' '))
  expect([exitCode, err]).toEqual([2, expect.stringContaining('there are no accounts in')])
  expect(readdirSync(folder.path)).toEqual([])
})

test.each([
  ['plans list', 0],
  ['plans set --user a --plan gold', 2],
  ['keys create --user a --name b --plan gold', 2],
])('%s ends with %d, and makes no accounts', async (line, code) => {
  using folder = temporaryFolder()
  const { exitCode } = await backbook(folder.path, line.split(' '))
  expect([exitCode, readdirSync(folder.path)]).toEqual([code, []])
})
