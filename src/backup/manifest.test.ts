// Tests the manifest of a backup: which documents are accepted, and how others are refused.

import { afterEach, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { STORE_VERSION } from '../../storage/keep-store.ts'
import { TemporaryFolders } from '../../test/support/disk/temporary-folders.ts'
import { CommandError } from '../command-error.ts'
import { type Manifest, readManifest } from './manifest.ts'

const folders = new TemporaryFolders()
afterEach(() => folders.remove())

const file = (path: string) => ({ path, bytes: 1, sha256: '0'.repeat(64) })
const MANIFEST: Manifest = {
  ...{ format: 1, program: 'backbook', version: '1.0.0', created_at: '2026-08-10T00:00:00.000Z' },
  store: { format: STORE_VERSION, transaction: 1, markets: 1, market_days: 1, records: 1 },
  accounts: 'sqlite',
  files: ['store/data.mdb', 'accounts.sqlite', 'rejects/a b'].map(file),
  not_included: [],
}

function backupOf(text: string): string {
  const folder = folders.make()
  writeFileSync(join(folder, 'manifest.json'), text)
  return folder
}

test('a manifest is read as it was written', () => {
  expect(readManifest(backupOf(JSON.stringify(MANIFEST)))).toEqual(MANIFEST)
})

test.each<[string, Partial<Record<keyof Manifest, unknown>>, string]>([
  ['of a newer format', { format: 2 }, 'has format 2: it was made by a newer backbook, restore it with that'],
  ['of another program', { program: 'other' }, 'manifest.json is damaged: /program is invalid'],
  ['with a negative count', { store: { ...MANIFEST.store, records: -1 } }, 'damaged: /store/records is invalid'],
  ['with a short checksum', { files: [{ ...file('store/data.mdb'), sha256: '0' }] }, 'damaged: /files/0/sha256 is'],
  ['with an older store', { store: { ...MANIFEST.store, format: 1 } }, 'has a store of format 1, and this program'],
  ['with a file twice', { files: [file('store/data.mdb'), file('store/data.mdb')] }, '"store/data.mdb", twice'],
  ...['store/lock.mdb', 'rejects/', 'rejects/..', 'rejects/a/b', '/rejects/a', 'rejects/a\nb', 'x'].map(
    (path): [string, { files: unknown[] }, string] => [
      `with the file ${JSON.stringify(path)}`,
      { files: [file(path)] },
      `it names ${JSON.stringify(path)}, which a backup cannot contain`,
    ],
  ),
])('one %s is refused', (_, changes, message) => {
  const refused = () => readManifest(backupOf(JSON.stringify({ ...MANIFEST, ...changes })))
  expect(refused).toThrow(CommandError)
  expect(refused).toThrow(message)
})

test.each(['', '{', '5', 'null'])('%p is not a manifest', (text) => {
  expect(() => readManifest(backupOf(text))).toThrow('is damaged: it must be a JSON object')
})

test('a folder without a manifest, or with a link or a folder in its place, is refused', () => {
  const empty = folders.make()
  expect(() => readManifest(empty)).toThrow(`${empty} is not a backbook backup, or was not finished`)
  const [linked, nested] = [folders.make(), folders.make()]
  symlinkSync(join(backupOf(JSON.stringify(MANIFEST)), 'manifest.json'), join(linked, 'manifest.json'))
  mkdirSync(join(nested, 'manifest.json'))
  for (const folder of [linked, nested]) {
    expect(() => readManifest(folder)).toThrow(
      `${folder} is damaged: manifest.json is a link, a folder or a special file`,
    )
  }
})
