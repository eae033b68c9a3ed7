// `keys create` as a process.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { accountsUrl, openAccounts } from '../../../src/accounts/open-accounts.ts'
import { temporaryFolder } from '../../support/server.ts'

const MAIN = join(import.meta.dir, '../../../src/main.ts')

async function keysCreate(data: string, ...words: string[]): Promise<string> {
  const child = Bun.spawn([process.execPath, MAIN, 'keys', 'create', '--data', data, ...words], { stderr: 'inherit' })
  const [text, exitCode] = await Promise.all([child.stdout.text(), child.exited])
  expect(exitCode).toBe(0)
  return text
}

test('keys create prints a key that works', async () => {
  using folder = temporaryFolder()
  const line = await keysCreate(folder.path, '--user', 'ann', '--name', 'laptop', '--plan', 'pro', '--json')
  const printed = JSON.parse(line)
  expect(Object.keys(printed)).toEqual(['key_id', 'api_key', 'user_id', 'name', 'created_at'])
  const plain = await keysCreate(folder.path, '--user', 'ann', '--name', 'desk')
  const accounts = await openAccounts(accountsUrl(null, folder.path))
  for (const secret of [printed.api_key, plain.split('\n')[0] ?? '']) {
    expect(await accounts.authenticate(secret)).toMatchObject({ ok: true, key: { userId: 'ann', plan: 'pro' } })
  }
  await accounts.close()
})
