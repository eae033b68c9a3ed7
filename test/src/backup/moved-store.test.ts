// Goal: nobody can begin to write to a store in the moment in which a restore moves it aside.

import { expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { makeBackup } from '../../../src/backup/make-backup.ts'
import { restoreBackup } from '../../../src/backup/restore-backup.ts'
import * as replacement from '../../../storage/data-folder/replacement.ts'
import { writerOf } from '../../../storage/lmdb/store-file.ts'
import { dataFolder } from '../../support/disk/data-folder.ts'

const onProgress = () => undefined

test('a restore moves a store while it has the lock of its writers', async () => {
  using given = await dataFolder()
  const accountsFile = join(given.data, 'accounts.sqlite')
  await makeBackup({ data: given.data, accountsFile }, given.backup, { verify: false, onProgress })
  const writers: (number | undefined)[] = []
  const moved = spyOn(replacement, 'commitReplacement').mockImplementation(() => {
    writers.push(writerOf(join(given.data, 'store', 'lock.mdb')))
  })
  await restoreBackup(given.backup, given.data, { force: true, onProgress })
  moved.mockRestore()
  expect(writers).toEqual([process.platform === 'linux' ? process.pid : undefined])
})
