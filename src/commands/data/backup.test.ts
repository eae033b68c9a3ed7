// Tests what `backup`, `restore` and `compact` print, and how they end.

import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../../storage/open-store.ts'
import { runBackbook } from '../../../test/support/programs/program.ts'
import { temporaryFolder } from '../../../test/support/server.ts'
import { accountsUrl, openAccounts } from '../../accounts/open-accounts.ts'

const backbook = (words: string[], env: Record<string, string> = {}) => runBackbook(words, { env })

async function dataIn(folder: string): Promise<string> {
  const data = join(folder, 'data')
  await openStore(data).close()
  await (await openAccounts(accountsUrl(null, data))).close()
  return data
}

test('a backup is made, checked, restored and compacted, in words', async () => {
  using folder = temporaryFolder()
  const data = await dataIn(folder.path)
  const backup = join(folder.path, 'backups', 'monday')
  const made = await backbook(['backup', backup, '--data', data, '--verify'])
  expect([made.err, made.exitCode]).toEqual(['', 0])
  expect(made.out).toMatch(
    /monday: [0-9.]+ MB in 2 files, in [0-9.]+ s\n0 records in 0 market days of 0 markets, all read/,
  )
  expect(made.out).toEndWith('accounts: included\n')
  const checked = await backbook(['restore', backup, '--check'])
  expect([checked.err, checked.exitCode]).toEqual(['', 0])
  expect(checked.out).toMatch(/monday of [0-9T:.-]+Z is whole: 0 records in 0 market days/)
  const refused = await backbook(['restore', backup, '--data', data])
  expect([refused.err, refused.exitCode]).toEqual([expect.stringContaining('has a store already: name another'), 2])
  const restored = await backbook(['restore', backup, '--data', join(folder.path, 'new')])
  expect([restored.err, restored.exitCode]).toEqual(['', 0])
  expect(restored.out).toContain('new: 0 records in 0 market days')
  expect(restored.out).toEndWith(
    'keys, plans and usage are as in the backup: revoke again any key that was revoked after the backup\n',
  )
  const compacted = await backbook(['compact', '--data', join(folder.path, 'new')])
  expect([compacted.err, compacted.exitCode]).toEqual(['', 0])
  expect(compacted.out).toMatch(/^[0-9.]+ MB before, [0-9.]+ MB after, in [0-9.]+ s\n$/)
}, 30_000)

test('the same as JSON, one line each', async () => {
  using folder = temporaryFolder()
  const data = await dataIn(folder.path)
  const backup = join(folder.path, 'b')
  const json = async (words: string[]) => JSON.parse((await backbook([...words, '--json'])).out)
  expect(await json(['backup', backup, '--data', data])).toMatchObject({
    backup,
    verified: false,
    format: 1,
    store: { format: 5, records: 0 },
    accounts: 'sqlite',
    files: [{ path: 'accounts.sqlite' }, { path: 'store/data.mdb' }],
  })
  expect(await json(['restore', backup, '--data', data, '--force'])).toMatchObject({
    data,
    moved_to: expect.stringContaining('replaced-'),
  })
  expect(await json(['compact', '--data', data])).toMatchObject({ data, bytes_before: expect.any(Number) })
}, 30_000)

test('a backup omits accounts in PostgreSQL, and says so', async () => {
  using folder = temporaryFolder()
  const data = await dataIn(folder.path)
  const words = ['backup', join(folder.path, 'b'), '--data', data]
  const { out, exitCode } = await backbook(words, { ACCOUNTS_URL: 'postgres://u:p@127.0.0.1/accounts' })
  expect(exitCode).toBe(0)
  expect(out).toContain('accounts: not included (in PostgreSQL); back them up with pg_dump\n')
  expect(existsSync(join(folder.path, 'b', 'accounts.sqlite'))).toBe(false)
}, 30_000)

test.each([
  [['backup', 'DIR/b', '--data', 'DIR/none'], 2, 'there is no store in "DIR/none": ingest makes one'],
  [['compact', '--data', 'DIR/none'], 2, 'there is no store in "DIR/none"'],
  [['backup', '--data', 'DIR/data'], 2, 'missing required argument'],
  [['backup', 'DIR/data', '--data', 'DIR/data'], 2, 'DIR/data exists already: name a new folder'],
  [['restore', 'DIR/none', '--data', 'DIR/new'], 1, 'DIR/none is not a backbook backup, or was not finished'],
  [['restore', 'DIR/none', '--data', 'DIR/data'], 1, 'DIR/none is not a backbook backup, or was not finished'],
  [['restore', 'DIR/data', '--check'], 1, 'DIR/data is not a backbook backup, or was not finished'],
])(
  '%j ends with %d',
  async (words, exitCode, message) => {
    using folder = temporaryFolder()
    await dataIn(folder.path)
    const ended = await backbook(words.map((word) => word.replace('DIR', folder.path)))
    expect([ended.exitCode, ended.out]).toEqual([exitCode, ''])
    expect(ended.err).toContain(message.replace('DIR', folder.path))
    expect(ended.err).not.toContain('    at ')
  },
  30_000,
)
