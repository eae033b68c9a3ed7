// Restores backups that an attacker wrote. Such a backup cannot write outside the data folder, or write unexpected
// files into it. It cannot copy files of this machine into the restored data.

import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { makeBackup } from '../../src/backup/make-backup.ts'
import { checkBackup, restoreBackup } from '../../src/backup/restore-backup.ts'
import { dataFolder } from '../support/disk/data-folder.ts'

const NO_PROGRESS = () => undefined
type Listed = { path: string; bytes: number; sha256: string }
type Written = { files: Listed[]; [name: string]: unknown }

/** Changes the manifest of a backup. Returns the error of restoring it; checking the backup must give the same
 *  error. */
async function restored(change: (manifest: Written, backup: string, folder: string) => void): Promise<string> {
  using given = await dataFolder()
  const accountsFile = join(given.data, 'accounts.sqlite')
  await makeBackup({ data: given.data, accountsFile }, given.backup, { verify: false, onProgress: NO_PROGRESS })
  const path = join(given.backup, 'manifest.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Written
  change(manifest, given.backup, given.folder)
  writeFileSync(path, JSON.stringify(manifest))
  const before = readdirSync(given.folder, { recursive: true }).sort()
  const target = join(given.folder, 'in', 'target')
  const failure = await messageOf(restoreBackup(given.backup, target, { force: false, onProgress: NO_PROGRESS }))
  expect(await messageOf(checkBackup(given.backup, NO_PROGRESS))).toBe(failure)
  expect(existsSync(target)).toBe(false)
  rmSync(join(given.folder, 'in'), { recursive: true, force: true })
  expect(readdirSync(given.folder, { recursive: true }).sort()).toEqual(before)
  return failure
}

async function messageOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'done'
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`
  }
}

const listed = (path: string, text: string): Listed => ({
  path,
  bytes: Buffer.byteLength(text),
  sha256: createHash('sha256').update(text).digest('hex'),
})

test.each([
  ['a link', (path: string) => symlinkSync('/etc/hostname', path)],
  ['a pipe', (path: string) => void Bun.spawnSync(['mkfifo', path])],
])('a manifest that is %s is not followed', async (_, make) => {
  using given = await dataFolder()
  const path = join(given.backup, 'manifest.json')
  mkdirSync(given.backup)
  make(path)
  const expectedError = `CommandError: ${given.backup} is damaged: manifest.json is a link, a folder or a special file`
  expect(await messageOf(checkBackup(given.backup, NO_PROGRESS))).toBe(expectedError)
  const target = join(given.folder, 'target')
  expect(await messageOf(restoreBackup(given.backup, target, { force: false, onProgress: NO_PROGRESS }))).toBe(
    expectedError,
  )
})

test.each([
  ...['../evil', '../../evil', 'store/../../evil', 'rejects/../../evil', 'rejects/..', 'rejects/.', 'rejects/'],
  ...['/tmp/backbook-evil', '//tmp/evil', 'store//data.mdb', './accounts.sqlite', 'rejects/a/b', 'rejects\\..\\evil/x'],
  ...['.restoring-1', '.restoring-1/x', 'replaced-1/x', 'manifest.json', 'store/lock.mdb', ''],
  ...[
    'accounts.sqlite-wal',
    'captures/a.ndjson',
    'rejects/a\nb',
    'rejects/a\0b',
    'backbook.toml',
    'store',
    '__proto__',
  ],
])('a manifest that names %p is refused', async (path) => {
  const failure = await restored((manifest, backup) => {
    manifest.files.push(listed(path, 'evil'))
    // The file also exists where the program would look for it.
    if (/^[\w.-]+$/.test(path) && !existsSync(join(backup, path))) writeFileSync(join(backup, path), 'evil')
  })
  expect(failure).toStartWith('CommandError: ')
  expect(failure).toContain('which a backup cannot contain')
})

test('a manifest that names a file twice is refused', async () => {
  expect(await restored(({ files }) => void files.push(files[0]!))).toContain('twice')
})

test.each([
  [
    'bytes that no disk has',
    (manifest: Written) => void Object.assign(manifest.files[0]!, { bytes: Number.MAX_SAFE_INTEGER }),
  ],
  ['bytes below zero', (manifest: Written) => void Object.assign(manifest.files[0]!, { bytes: -1 })],
  ['another digest', (manifest: Written) => void Object.assign(manifest.files[0]!, { sha256: '0'.repeat(64) })],
  [
    'a path that is no text',
    (manifest: Written) => void Object.assign(manifest.files[0]!, { path: ['store/data.mdb'] }),
  ],
  ['no list of files', (manifest: Written) => void Object.assign(manifest, { files: { length: 1 } })],
  ['a newer format', (manifest: Written) => void Object.assign(manifest, { format: 2 })],
])('a manifest with %s is refused', async (_, change) => {
  expect(await restored(change)).toStartWith('CommandError: ')
})

test('a link to a file of this machine is refused, even if its content matches the manifest', async () => {
  const failure = await restored((manifest, backup, folder) => {
    const secret = join(folder, 'secret')
    writeFileSync(secret, 'of this machine')
    symlinkSync(secret, join(backup, 'rejects', 'link.ndjson'))
    manifest.files.push(listed('rejects/link.ndjson', 'of this machine'))
  })
  expect(failure).toContain('is a link, a folder or a special file')
})

test('a link in place of a folder of the backup is refused', async () => {
  const failure = await restored((_, backup, folder) => {
    renameSync(join(backup, 'store'), join(folder, 'elsewhere'))
    symlinkSync(join(folder, 'elsewhere'), join(backup, 'store'))
  })
  expect(failure).toContain('is a link, a folder or a special file')
})

test('a file that never ends, such as a pipe, is refused', async () => {
  const failure = await restored((manifest, backup) => {
    const made = Bun.spawnSync(['mkfifo', join(backup, 'rejects', 'pipe')])
    if (!made.success) mkdirSync(join(backup, 'rejects', 'pipe'))
    manifest.files.push(listed('rejects/pipe', ''))
  })
  expect(failure).toContain('is a link, a folder or a special file')
})
