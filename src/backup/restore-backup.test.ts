// long: it waits for threads and processes
// A restore writes exactly what was backed up, or changes nothing.

import { describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { dataFolder } from '../../test/support/disk/data-folder.ts'
import { backupSource, contentOf, userOf } from '../../test/support/disk/folder-content.ts'
import { makeBackup } from './make-backup.ts'
import { checkBackup, restoreBackup } from './restore-backup.ts'

const ROOT = join(import.meta.dir, '../..')
const QUIET = { verify: true, onProgress: () => {} }
const PLAIN = { force: false, onProgress: () => {} }

/** Returns the content of each file of a folder by its path, except LMDB's table of readers. */
const snapshot = (folder: string) =>
  Object.fromEntries(
    [...new Bun.Glob('**/*').scanSync({ cwd: folder, dot: true })]
      .filter((path) => !path.endsWith('lock.mdb'))
      .sort()
      .map((path) => [path, Bun.hash(readFileSync(join(folder, path))).toString()]),
  )

describe('a restore', () => {
  const damages: [string, (backup: string) => void, string][] = [
    ['without a manifest', (at) => rmSync(join(at, 'manifest.json')), 'is not a backbook backup, or was not finished'],
    [
      'with half a manifest',
      (at) => truncateSync(join(at, 'manifest.json'), 100),
      'manifest.json is damaged: it must be a JSON object',
    ],
    ['with a changed manifest', (at) => change(at, { files: [{ path: 'x' }] }), 'manifest.json is damaged: /files/0/'],
    ['that names a path outside', (at) => change(at, { files: [entry('../x')] }), 'damaged: it names "../x"'],
    ['that names an absolute path', (at) => change(at, { files: [entry('/etc/x')] }), 'damaged: it names "/etc/x"'],
    ['of a newer format', (at) => change(at, { format: 2 }), 'has format 2: it was made by a newer backbook'],
    [
      'with a store of another format',
      (at) => change(at, { store: { ...STORE, format: 2 } }),
      'has a store of format 2, and this program accepts format 5: restore it with the version that made it',
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
    await makeBackup(backupSource(given.data), given.backup, { ...QUIET, verify: false })
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
    await makeBackup(backupSource(given.data), given.backup, QUIET)
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

  test('is refused while a process has the store open', async () => {
    using given = await dataFolder()
    await makeBackup(backupSource(given.data), given.backup, QUIET)
    const words = [process.execPath, join(ROOT, 'src/main.ts'), 'serve', '--port', '0', '--data', given.data]
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
    await makeBackup(backupSource(given.data), given.backup, QUIET)
    truncateSync(join(given.data, 'store', 'data.mdb'), 5_000)
    await restoreBackup(given.backup, given.data, { ...PLAIN, force: true })
    expect(await contentOf(given.data)).toMatchObject({ records: 3_000, damage: [] })
  })

  test('that was killed while it moved entries into place is completed by the next one, with force', async () => {
    using given = await dataFolder()
    await makeBackup(backupSource(given.data), given.backup, QUIET)
    mkdirSync(join(given.data, '.restoring-999999999', 'store'), { recursive: true })
    mkdirSync(join(given.data, 'replaced-TIME'))
    renameSync(join(given.data, 'store'), join(given.data, 'replaced-TIME', 'store'))
    await expect(restoreBackup(given.backup, given.data, PLAIN)).rejects.toThrow('has accounts already')
    await restoreBackup(given.backup, given.data, { ...PLAIN, force: true })
    expect(readdirSync(given.data).filter((name) => name.startsWith('.'))).toEqual([])
    expect(existsSync(join(given.data, 'replaced-TIME', 'store', 'data.mdb'))).toBe(true)
    expect(await contentOf(given.data)).toMatchObject({ records: 3_000, damage: [] })
    expect(await userOf(given.data, given.secret)).toBe('ann')
  })
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
