// What a backup has of a folder that a recorder works on: the audits are in the store, the segments are files of their
// own.

import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeBackup } from '../../../src/backup/make-backup.ts'
import { restoreBackup } from '../../../src/backup/restore-backup.ts'
import { openStore } from '../../../storage/open-store.ts'
import { DAY, NOON, TICKER } from '../../model/lines.ts'
import { dataFolder } from '../../support/disk/data-folder.ts'

test('a backup has the audits of a recorder, and leaves its segments where they are', async () => {
  using given = await dataFolder()
  const key = { venue: 'kalshi', market: TICKER, date: DAY } as const
  const audits = (['exact', 'inconsistent'] as const).map((result, n) => ({
    atUs: NOON * 1_000 + n,
    book: null,
    result,
  }))
  const store = openStore(given.data)
  await store.catalogue.putAudits([{ ...key, audits }])
  await store.close()
  const segment = join(given.data, 'segments/loaded/kalshi', DAY, '120000-a-kalshi-1.ndjson.zst')
  mkdirSync(dirname(segment), { recursive: true })
  writeFileSync(segment, 'a segment')
  const accountsFile = join(given.data, 'accounts.sqlite')
  const manifest = await makeBackup({ data: given.data, accountsFile }, given.backup, {
    verify: true,
    onProgress: () => {},
  })
  expect(manifest.not_included).toEqual(['segments'])
  const restored = join(given.folder, 'restored')
  await restoreBackup(given.backup, restored, { force: false, onProgress: () => {} })
  expect(existsSync(join(restored, 'segments'))).toBe(false)
  const other = openStore(restored)
  expect(await other.catalogue.audits('kalshi', TICKER)).toEqual([{ ...key, audits }])
  await other.close()
})
