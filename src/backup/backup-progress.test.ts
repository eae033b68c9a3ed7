// Tests what a backup and a restore report while they run.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { dataFolder } from '../../test/support/disk/data-folder.ts'
import { makeBackup } from './make-backup.ts'
import { restoreBackup } from './restore-backup.ts'

test('a backup and a restore report their progress in each step', async () => {
  using given = await dataFolder()
  const source = { data: given.data, accountsFile: join(given.data, 'accounts.sqlite') }
  const told = new Map<string, [done: number, of: number]>()
  const onProgress = (step: string, done: number, of: number) => void told.set(step, [done, of])
  const { files } = await makeBackup(source, given.backup, { verify: true, onProgress })
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  expect([...told.keys()]).toEqual(['copying', 'verifying', 'checking'])
  expect([told.get('verifying'), told.get('checking')]).toEqual([
    [0, 1],
    [bytes, bytes],
  ])
  told.clear()
  await restoreBackup(given.backup, join(given.folder, 'restored'), { force: false, onProgress })
  const whole: [number, number] = [bytes, bytes]
  expect([...told.keys()]).toEqual(['restoring'])
  expect([...told.values()]).toEqual([whole])
})
