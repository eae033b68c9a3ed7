// Tests files that are written together: either all are complete, or none exists.

import { afterEach, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TemporaryFolders } from '../../test/support/disk/temporary-folders.ts'
import { NewFiles } from './new-files.ts'

const folders = new TemporaryFolders()
afterEach(() => folders.remove())

function made() {
  const folder = folders.make()
  let started = 0
  return { folder, files: new NewFiles(folder, () => join(folder, String(++started))) }
}
const bytes = (text: string) => new TextEncoder().encode(text)

test('a finished file is complete under its temporary name, and reports its bytes and rows', () => {
  const { folder, files } = made()
  const [one, other] = [files.begin(), files.begin()]
  one.write(bytes('ab'))
  other.write(bytes('x'))
  one.write(bytes('c'))
  one.finish('data/one', 2)
  other.finish('data/other', 1)
  expect(files.take()).toEqual([
    { path: 'data/one', bytes: 3, rows: 2, temporary: join(folder, '1') },
    { path: 'data/other', bytes: 1, rows: 1, temporary: join(folder, '2') },
  ])
  expect(readFileSync(join(folder, '1'), 'utf8')).toBe('abc')
  expect(files.take()).toEqual([])
})

test('an unfinished file, and two files of one name, are errors', () => {
  const { files } = made()
  files.begin()
  expect(() => files.take()).toThrow('a file of an export was neither finished nor aborted')
  const twice = made().files
  for (const rows of [1, 2]) twice.begin().finish('same', rows)
  expect(() => twice.take()).toThrow('two files of an export have one path: same, same')
})

test('an aborted write leaves nothing', () => {
  const { folder, files } = made()
  const [one, other] = [files.begin(), files.begin()]
  one.finish('one', 1)
  other.abort()
  expect(files.take().map(({ path }) => path)).toEqual(['one'])
  for (const finish of [true, false]) {
    const file = files.begin()
    if (finish) file.finish('two', 1)
  }
  files.abort()
  expect([readdirSync(folder), files.take()]).toEqual([['1'], []])
})

test('a temporary file of another process is not overwritten', () => {
  const folder = folders.make()
  const files = new NewFiles(folder, () => join(folder, 'same'))
  files.begin()
  expect(() => files.begin()).toThrow('EEXIST')
  expect(existsSync(join(folder, 'same'))).toBe(true)
})
