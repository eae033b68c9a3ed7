// Tests what a backup and a restore report while they run.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { dataFolder } from '../../test/support/disk/data-folder.ts'
import { makeBackup } from './make-backup.ts'
import { restoreBackup } from './restore-backup.ts'

test('a backup and a restore report their progress in each step', async () => {
  using given = await dataFolder()
  const source = { data: given.data, accountsFile: join(given.data, 'accounts.sqlite') }
  const progress = new Map<string, [done: number, of: number]>()
  const onProgress = (step: string, done: number, of: number) => void progress.set(step, [done, of])
  const { files } = await makeBackup(source, given.backup, { verify: true, onProgress })
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  expect([...progress.keys()]).toEqual(['copying', 'verifying', 'checking'])
  expect([progress.get('verifying'), progress.get('checking')]).toEqual([
    [0, 1],
    [bytes, bytes],
  ])
  progress.clear()
  await restoreBackup(given.backup, join(given.folder, 'restored'), { force: false, onProgress })
  const whole: [number, number] = [bytes, bytes]
  expect([...progress.keys()]).toEqual(['restoring'])
  expect([...progress.values()]).toEqual([whole])
})
