// long: it waits for threads and processes
// A backup that runs while all data is being written has one consistent state of the store and of the accounts.

import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { blockPart } from '../../storage/block-store.ts'
import type { StoredDay } from '../../storage/catalogue.ts'
import { openStore } from '../../storage/open-store.ts'
import { DAY, NOON, TICKER } from '../../test/model/lines.ts'
import { dataFolder, tradeLines } from '../../test/support/disk/data-folder.ts'
import { backupSource, contentOf, userOf } from '../../test/support/disk/folder-content.ts'
import { accountsUrl, openAccounts } from '../accounts/open-accounts.ts'
import { makeBackup } from './make-backup.ts'
import { restoreBackup } from './restore-backup.ts'

const ROOT = join(import.meta.dir, '../..')
const QUIET = { verify: true, onProgress: () => {} }
const PLAIN = { force: false, onProgress: () => {} }

describe('a backup', () => {
  test('is restored to the same records, keys and rejects, with cursors of its own', async () => {
    using given = await dataFolder()
    const manifest = await makeBackup(backupSource(given.data), given.backup, QUIET)
    expect(manifest).toMatchObject({ format: 1, program: 'backbook', accounts: 'sqlite', not_included: [] })
    expect(manifest.store).toMatchObject({ format: 5, markets: 1, market_days: 1, records: 3_000 })
    expect(manifest.files.map(({ path }) => path.replace(/c\.ndjson-.*/, 'c'))).toEqual([
      'accounts.sqlite',
      'rejects/c',
      'store/data.mdb',
    ])
    expect(JSON.parse(readFileSync(join(given.backup, 'manifest.json'), 'utf8'))).toEqual(manifest)
    expect(readdirSync(given.folder)).toEqual(['backup'])

    const restored = join(given.folder, 'restored')
    expect(await restoreBackup(given.backup, restored, PLAIN)).toEqual({ manifest, movedTo: null })
    expect(readdirSync(restored).sort()).toEqual(['accounts.sqlite', 'rejects', 'store'])
    expect(await contentOf(restored)).toEqual(await contentOf(given.data))
    expect(await userOf(restored, given.secret)).toBe('ann')
    const [one, other] = [openStore(given.data), openStore(restored)]
    expect(Buffer.from(await one.catalogue.cursorSecret()).equals(await other.catalogue.cursorSecret())).toBe(false)
    await Promise.all([one.close(), other.close()])
  })

  test('made while loads, keys and a server are at work is one state of each', async () => {
    using given = await dataFolder()
    const run = (words: string[]) =>
      Bun.spawn([process.execPath, join(ROOT, 'src/main.ts'), ...words, '--data', given.data], {
        stdout: 'pipe',
        stderr: 'pipe',
      })
    const server = run(['serve', '--port', '0'])
    for await (const _ of server.stdout) break
    const captures = Array.from({ length: 8 }, (_, n) => join(given.folder, `${n}.ndjson`))
    for (const [n, path] of captures.entries())
      await Bun.write(path, tradeLines(n * 20_000, 20_000, `KX-${n}`).join('\n'))
    const loads = run(['ingest', ...captures])
    const accounts = await openAccounts(accountsUrl(null, given.data))
    let isLoading = true
    const keys = (async () => {
      for (let n = 0; isLoading; n++) {
        await accounts.createKey({ userId: `user${n}`, name: 'k', plan: undefined })
        await Bun.sleep(1)
      }
    })()
    const counts: number[] = []
    for (let n = 0; n < 4; n++) {
      const { store } = await makeBackup(backupSource(given.data), join(given.folder, `backup-${n}`), QUIET)
      counts.push(store.records)
    }
    expect(await loads.exited).toBe(0)
    isLoading = false
    await keys
    await accounts.close()
    // Each backup has only whole captures, because one capture is one transaction here. No backup has fewer records
    // than the one before it.
    expect(counts.map((count) => (count - 3_000) % 20_000)).toEqual([0, 0, 0, 0])
    expect([...counts].sort((a, b) => a - b)).toEqual(counts)
    for (let n = 0; n < 4; n++) {
      const restored = join(given.folder, `restored-${n}`)
      await restoreBackup(join(given.folder, `backup-${n}`), restored, PLAIN)
      expect(await contentOf(restored)).toMatchObject({ records: counts[n]!, damage: [] })
      expect(await userOf(restored, given.secret)).toBe('ann')
    }
    server.kill()
    expect(await server.exited).toBe(0)
  }, 120_000)

  test('never replaces an existing file', async () => {
    using given = await dataFolder()
    mkdirSync(given.backup)
    await expect(makeBackup(backupSource(given.data), given.backup, QUIET)).rejects.toThrow(
      'exists already: name a new folder',
    )
    expect(readdirSync(given.backup)).toEqual([])
  })

  test('is not made of a damaged store if it is to be verified', async () => {
    using given = await dataFolder()
    const store = openStore(given.data)
    const [market = ''] = (await store.catalogue.markets('kalshi', { prefix: '', offset: 0, limit: 1 })).markets
    const [{ date, head }] = (await store.catalogue.heads('kalshi', market)) as [StoredDay]
    const put = [{ ...blockPart(head.blocks[0]!.id), bytes: new Uint8Array(100) }]
    const change = {
      key: { venue: 'kalshi', market, date },
      before: head,
      head,
      books: null,
      put,
      removed: [],
    } as const
    const { revision } = await store.catalogue.revision('kalshi', market)
    await store.catalogue.commit([{ venue: 'kalshi', market, revision, partitions: [{ ...change, put, removed: [] }] }])
    await store.close()
    await expect(makeBackup(backupSource(given.data), given.backup, QUIET)).rejects.toThrow(
      'the store is damaged, and no backup was made of it: kalshi',
    )
    expect(readdirSync(given.folder)).toEqual([])
    await makeBackup(backupSource(given.data), given.backup, { ...QUIET, verify: false })
  })

  test('names what it leaves out', async () => {
    using given = await dataFolder()
    for (const name of ['captures', 'day-files']) mkdirSync(join(given.data, name))
    const { not_included, accounts } = await makeBackup({ data: given.data, accountsFile: null }, given.backup, QUIET)
    expect([not_included, accounts]).toEqual([['captures'], 'postgresql'])
  })
})

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
  const manifest = await makeBackup(backupSource(given.data), given.backup, QUIET)
  expect(manifest.not_included).toEqual(['segments'])
  const restored = join(given.folder, 'restored')
  await restoreBackup(given.backup, restored, PLAIN)
  expect(existsSync(join(restored, 'segments'))).toBe(false)
  const other = openStore(restored)
  expect(await other.catalogue.audits('kalshi', TICKER)).toEqual([{ ...key, audits }])
  await other.close()
})
