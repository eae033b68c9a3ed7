// The migrations, run by several processes at a time.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openAccountsDatabase } from '../../../src/accounts/accounts-database.ts'
import { temporaryFolder } from '../../support/server.ts'

const MODULE = join(import.meta.dir, '../../../src/accounts/accounts-database.ts')

async function openElsewhere(url: string): Promise<number> {
  const script = `const { openAccountsDatabase } = await import(${JSON.stringify(MODULE)})
    const database = await openAccountsDatabase(${JSON.stringify(url)})
    await database.close()`
  return Bun.spawn([process.execPath, '-e', script], { stderr: 'inherit' }).exited
}

test('each step runs once, from however many processes the file is opened at a time', async () => {
  using folder = temporaryFolder()
  const url = `sqlite://${join(folder.path, 'a.sqlite')}`
  expect(await Promise.all([1, 2, 3, 4].map(() => openElsewhere(url)))).toEqual([0, 0, 0, 0])
  const database = await openAccountsDatabase(url)
  const rows: { name: string }[] = await database.read`SELECT name FROM schema_migrations ORDER BY name`
  expect(rows.map(({ name }) => name)).toEqual(['001-users-and-keys'])
  await database.close()
})
