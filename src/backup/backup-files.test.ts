// Tests the check of a backup's files: each file exists, is not a link, and has its size and its checksum.

import { afterEach, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TemporaryFolders } from '../../test/support/disk/temporary-folders.ts'
import { assertComplete, bytesOf, readFiles } from './backup-files.ts'
import type { BackupFile } from './manifest.ts'

const folders = new TemporaryFolders()
afterEach(() => folders.remove())

const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')

function backup(): { at: string; files: BackupFile[] } {
  const at = folders.make()
  mkdirSync(join(at, 'rejects'))
  const files = Object.entries({ 'rejects/a': 'abc', 'accounts.sqlite': 'defgh' }).map(([path, text]) => {
    writeFileSync(join(at, path), text)
    return { path, bytes: text.length, sha256: sha256(text) }
  })
  return { at, files }
}

test('a whole backup is read to its last byte, file by file', async () => {
  const { at, files } = backup()
  const reports: number[][] = []
  assertComplete(at, { files })
  await readFiles(at, { files }, null, (...progress) => reports.push(progress))
  expect(reports).toEqual([
    [3, 8],
    [8, 8],
  ])
  expect([bytesOf({ files }), bytesOf({ files: [] })]).toEqual([8, 0])
})

function replaced(path: string, make: () => void): void {
  rmSync(path, { recursive: true })
  make()
}

test.each<[string, (path: string, at: string) => void, string]>([
  ['missing', (path) => rmSync(path), 'is incomplete: rejects/a is missing'],
  ['longer', (path) => writeFileSync(path, 'abcd'), 'is damaged: rejects/a has 4 bytes, the manifest says 3'],
  ['other text', (path) => writeFileSync(path, 'abd'), 'is damaged: rejects/a does not match its checksum'],
  [
    'a folder',
    (path) => replaced(path, () => mkdirSync(path)),
    'is damaged: rejects/a is a link, a folder or a special file',
  ],
  [
    'a link',
    (path) => replaced(path, () => symlinkSync(join(other(), 'a'), path)),
    'is damaged: rejects/a is a link, a folder or a special file',
  ],
  [
    'below a link',
    (_, at) => replaced(join(at, 'rejects'), () => symlinkSync(other(), join(at, 'rejects'))),
    'is damaged: rejects/a is a link, a folder or a special file',
  ],
])('a file that is %s is refused', async (_, damage, message) => {
  const { at, files } = backup()
  damage(join(at, 'rejects/a'), at)
  const check = async () => {
    assertComplete(at, { files })
    await readFiles(at, { files }, null, () => undefined)
  }
  await expect(check()).rejects.toThrow(`${at} ${message}`)
})

/** Returns a new folder with the same file `a` in it. */
function other(): string {
  const folder = folders.make()
  writeFileSync(join(folder, 'a'), 'abc')
  return folder
}

test('files are copied as they are read, and a copy of other text is refused', async () => {
  const { at, files } = backup()
  const to = folders.make()
  await readFiles(at, { files }, to, () => undefined)
  expect(files.map(({ path }) => readFileSync(join(to, path), 'utf8'))).toEqual(['abc', 'defgh'])
  writeFileSync(join(at, 'rejects/a'), 'abd')
  await expect(readFiles(at, { files }, folders.make(), () => undefined)).rejects.toThrow('rejects/a does not match')
})
