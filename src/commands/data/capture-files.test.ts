// Tests the captures that a load finds, and what it reports about other files.

import { afterEach, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TemporaryFolders } from '../../../test/support/disk/temporary-folders.ts'
import { captureFiles } from './capture-files.ts'

const folders = new TemporaryFolders()
afterEach(() => folders.remove())

function folderOf(files: Record<string, string | Uint8Array>): string {
  const folder = folders.make()
  mkdirSync(join(folder, 'sub'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

test('finds files that are named, and in folders the files with the name of a capture', () => {
  const folder = folderOf({ 'a.ndjson': '', 'sub/b.jsonl.gz': '', 'c.md': '', odd: '{}' })
  const found = captureFiles([folder, join(folder, 'odd')])
  expect(found.map((path) => path.slice(folder.length + 1)).sort()).toEqual(['a.ndjson', 'odd', 'sub/b.jsonl.gz'])
})

test.each([
  ['a.parquet', 'parquet'],
  ['a.CSV.gz', 'csv'],
])('%s is a %s file', (name, kind) => {
  const path = join(folderOf({ [name]: '' }), name)
  expect(() => captureFiles([path])).toThrow(`${JSON.stringify(path)} is a ${kind} file; a capture is NDJSON`)
})

test('a path that does not exist, and a folder without captures', () => {
  expect(() => captureFiles([])).toThrow('name at least one capture, or a folder of captures')
  const path = join(folders.make(), 'none')
  expect(() => captureFiles([path])).toThrow(`there is no file or folder ${JSON.stringify(path)}`)
  const empty = folderOf({})
  expect(() => captureFiles([empty])).toThrow(`no capture in ${JSON.stringify(empty)}; a capture is`)
  const other = folderOf({ 'a.md': '', 'sub/b.md': '', LICENSE: '' })
  expect(() => captureFiles([other])).toThrow(`no capture in ${JSON.stringify(other)}; a capture is`)
})
