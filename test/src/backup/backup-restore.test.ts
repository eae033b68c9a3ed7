// long: it waits for threads and processes
// Goal: a backup made while everything is written to is one consistent state, and a restore brings exactly that back, or
// changes nothing.

import { describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { accountsUrl, openAccounts } from '../../../src/accounts/open-accounts.ts'
import { makeBackup } from '../../../src/backup/make-backup.ts'
import { checkBackup, restoreBackup } from '../../../src/backup/restore-backup.ts'
import { blockPart } from '../../../storage/block-store.ts'
import type { StoredDay } from '../../../storage/catalogue.ts'
import { openStore } from '../../../storage/open-store.ts'
import { verifyStore } from '../../../workers/verify/verify-store.ts'
import { dataFolder, tradeLines } from '../../support/disk/data-folder.ts'
import { killedAtChange } from '../../support/programs/killed-at-change.ts'

const ROOT = join(import.meta.dir, '../../..')
const MAIN = join(ROOT, 'src/main.ts')
const QUIET = { verify: true, onProgress: () => {} }
const PLAIN = { force: false, onProgress: () => {} }
const source = (data: string) => ({ data, accountsFile: join(data, 'accounts.sqlite') })

async function contentOf(data: string): Promise<unknown> {
  const store = openStore(data)
  const heads = []
  for await (const key of store.catalogue.partitions('kalshi'))
    heads.push({ key, head: await store.catalogue.head(key) })
  const { records, damage } = await verifyStore(store)
  await store.close()
  return { heads, records, damage }
}

async function userOf(data: string, secret: string): Promise<unknown> {
  const accounts = await openAccounts(accountsUrl(null, data))
  const answer = await accounts.authenticate(secret)
  await accounts.close()
  return answer.ok ? answer.key.userId : answer.reason
}

/** Everything in a folder by its path, as far as it is not LMDB's table of readers. */
const snapshot = (folder: string) =>
  Object.fromEntries(
    [...new Bun.Glob('**/*').scanSync({ cwd: folder, dot: true })]
      .filter((path) => !path.endsWith('lock.mdb'))
      .sort()
      .map((path) => [path, Bun.hash(readFileSync(join(folder, path))).toString()]),
  )

describe('a backup', () => {
  test('is restored to the same records, keys and rejects, with cursors of its own', async () => {
    using given = await dataFolder()
    const manifest = await makeBackup(source(given.data), given.backup, QUIET)
    expect(manifest).toMatchObject({ format: 1, program: 'backbook', accounts: 'sqlite', not_included: [] })
    expect(manifest.store).toMatchObject({ format: 3, markets: 1, market_days: 1, records: 3_000 })
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
      Bun.spawn([process.execPath, MAIN, ...words, '--data', given.data], { stdout: 'pipe', stderr: 'pipe' })
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
      const { store } = await makeBackup(source(given.data), join(given.folder, `backup-${n}`), QUIET)
      counts.push(store.records)
    }
    expect(await loads.exited).toBe(0)
    isLoading = false
    await keys
    await accounts.close()
    // Whole captures, since each is one transaction here, and never less than before.
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

  test('never replaces what is there', async () => {
    using given = await dataFolder()
    mkdirSync(given.backup)
    await expect(makeBackup(source(given.data), given.backup, QUIET)).rejects.toThrow('exists already: name a folder')
    expect(readdirSync(given.backup)).toEqual([])
  })

  test('is not made of a damaged store where it is to be verified', async () => {
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
    await expect(makeBackup(source(given.data), given.backup, QUIET)).rejects.toThrow(
      'the store is damaged, and no backup was made of it: kalshi',
    )
    expect(readdirSync(given.folder)).toEqual([])
    await makeBackup(source(given.data), given.backup, { ...QUIET, verify: false })
  })

  test('names what it leaves out', async () => {
    using given = await dataFolder()
    for (const name of ['captures', 'day-files']) mkdirSync(join(given.data, name))
    const { not_included, accounts } = await makeBackup({ data: given.data, accountsFile: null }, given.backup, QUIET)
    expect([not_included, accounts]).toEqual([['captures'], 'postgresql'])
  })
})

describe('a restore', () => {
  const damages: [string, (backup: string) => void, string][] = [
    ['without a manifest', (at) => rmSync(join(at, 'manifest.json')), 'is not a backbook backup, or was not finished'],
    [
      'with half a manifest',
      (at) => truncateSync(join(at, 'manifest.json'), 100),
      'manifest.json is damaged: it is not',
    ],
    ['with a changed manifest', (at) => change(at, { files: [{ path: 'x' }] }), 'manifest.json is damaged: /files/0/'],
    ['that names a path outside', (at) => change(at, { files: [entry('../x')] }), 'damaged: it names "../x"'],
    ['that names an absolute path', (at) => change(at, { files: [entry('/etc/x')] }), 'damaged: it names "/etc/x"'],
    ['of a newer format', (at) => change(at, { format: 2 }), 'has format 2: it was made by a newer backbook'],
    [
      'with a store of another format',
      (at) => change(at, { store: { ...STORE, format: 2 } }),
      'has a store of format 2, and this program accepts format 3: restore it with the version that made it',
    ],
    [
      'without its store',
      (at) => rmSync(join(at, 'store'), { recursive: true }),
      'incomplete: store/data.mdb is missing',
    ],
    [
      'cut short',
      (at) => truncateSync(join(at, 'store/data.mdb'), 9_000),
      'store/data.mdb has 9000 bytes, the manifest',
    ],
    ['with a byte more', (at) => appendFileSync(join(at, 'accounts.sqlite'), 'x'), 'damaged: accounts.sqlite has'],
    ['with a changed byte', flip, 'damaged: store/data.mdb does not match its checksum'],
  ]
  const STORE = { format: 1, transaction: 1, markets: 1, market_days: 1, records: 1 }
  const entry = (path: string) => ({ path, bytes: 1, sha256: '0'.repeat(64) })

  test.each(damages)('of a backup %s changes nothing', async (_, damage, message) => {
    using given = await dataFolder()
    await makeBackup(source(given.data), given.backup, { ...QUIET, verify: false })
    damage(given.backup)
    const fresh = join(given.folder, 'fresh')
    await expect(restoreBackup(given.backup, fresh, PLAIN)).rejects.toThrow(message)
    expect(existsSync(fresh)).toBe(false)
    const before = snapshot(given.data)
    await expect(restoreBackup(given.backup, given.data, { ...PLAIN, force: true })).rejects.toThrow(message)
    expect(snapshot(given.data)).toEqual(before)
    await expect(checkBackup(given.backup, () => {})).rejects.toThrow(message)
  })

  test('does not touch a store or accounts that are there, unless it is forced, and then it moves them aside', async () => {
    using given = await dataFolder()
    await makeBackup(source(given.data), given.backup, QUIET)
    await expect(restoreBackup(given.backup, given.data, PLAIN)).rejects.toThrow('has a store already')
    rmSync(join(given.data, 'store'), { recursive: true })
    await expect(restoreBackup(given.backup, given.data, PLAIN)).rejects.toThrow('has accounts already')
    writeFileSync(join(given.data, 'accounts.sqlite'), 'mine')
    writeFileSync(join(given.data, 'accounts.sqlite-wal'), 'mine too')
    const { movedTo } = await restoreBackup(given.backup, given.data, { ...PLAIN, force: true })
    expect(movedTo).toStartWith(join(given.data, 'replaced-20'))
    expect(readFileSync(join(movedTo!, 'accounts.sqlite'), 'utf8')).toBe('mine')
    expect(readFileSync(join(movedTo!, 'accounts.sqlite-wal'), 'utf8')).toBe('mine too')
    expect(await userOf(given.data, given.secret)).toBe('ann')
    expect(await contentOf(given.data)).toMatchObject({ records: 3_000, damage: [] })
  })

  test('is refused while somebody has the store open', async () => {
    using given = await dataFolder()
    await makeBackup(source(given.data), given.backup, QUIET)
    const words = [process.execPath, MAIN, 'serve', '--port', '0', '--data', given.data]
    const server = Bun.spawn(words, { stdout: 'pipe', stderr: 'inherit' })
    for await (const _ of server.stdout) break
    await expect(restoreBackup(given.backup, given.data, { ...PLAIN, force: true })).rejects.toThrow(
      `is used by process ${server.pid}: stop the server`,
    )
    server.kill()
    expect(await server.exited).toBe(0)
  })

  test('replaces a store that cannot be opened', async () => {
    using given = await dataFolder()
    await makeBackup(source(given.data), given.backup, QUIET)
    truncateSync(join(given.data, 'store', 'data.mdb'), 5_000)
    await restoreBackup(given.backup, given.data, { ...PLAIN, force: true })
    expect(await contentOf(given.data)).toMatchObject({ records: 3_000, damage: [] })
  })

  const RESTORE = `
    import { restoreBackup } from '${ROOT}/src/backup/restore-backup.ts'
    const [backup, data] = process.argv.slice(1)
    await restoreBackup(backup, data, { force: true, onProgress: () => {} })
  `
  test('that is killed leaves what was there, or everything that was restored', async () => {
    using given = await dataFolder()
    await makeBackup(source(given.data), given.backup, QUIET)
    const later = new Date().toISOString()
    const seen = new Set<string>()
    const target = join(given.folder, 'target')
    const restore = () =>
      Bun.spawn([process.execPath, '-e', RESTORE, given.backup, target], { stdout: 'inherit', stderr: 'inherit' })
    const loadOld = async () => {
      rmSync(target, { recursive: true, force: true })
      const store = openStore(target)
      await store.catalogue.putSlugs({ events: [{ event: { slug: 'old', title: later }, markets: [] }], markets: [] })
      await store.close()
      const accounts = await openAccounts(accountsUrl(null, target))
      await accounts.createKey({ userId: 'old', name: 'k', plan: undefined })
      await accounts.close()
    }
    for (const change of [1, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 30]) {
      await loadOld()
      await killedAtChange(restore(), given.folder, change)
      const store = openStore(target)
      const isOld = (await store.catalogue.slug('old')) !== undefined
      const { records } = await verifyStore(store, () => {})
      await store.close()
      expect([isOld, records, await userOf(target, given.secret)]).toEqual(
        isOld ? [true, 0, 'unknown'] : [false, 3_000, 'ann'],
      )
      seen.add(isOld ? 'old' : 'restored')
    }
    expect(seen.has('old')).toBe(true)
    await restoreBackup(given.backup, target, { ...PLAIN, force: true })
    expect(readdirSync(target).filter((name) => name.startsWith('.'))).toEqual([])
  }, 120_000)
})

function change(backup: string, changes: object): void {
  const path = join(backup, 'manifest.json')
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...changes }))
}

function flip(backup: string): void {
  const path = join(backup, 'store', 'data.mdb')
  const bytes = readFileSync(path)
  bytes[bytes.length >> 1]! ^= 1
  writeFileSync(path, bytes)
}
