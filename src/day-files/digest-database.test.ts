// Tests the digests of files, and which files exceed the size limit.

import { Database } from 'bun:sqlite'
import { afterEach, expect, test } from 'bun:test'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TemporaryFolders } from '../../test/support/disk/temporary-folders.ts'
import { DigestDatabase } from './digest-database.ts'

const folders = new TemporaryFolders()
afterEach(() => folders.remove())
const newPath = () => join(folders.make(), 'digests.sqlite')
const file = (sha256: string, bytes = 1) => ({ bytes, sha256, rows: 3 })

test('a digest is found for the version that it was made from', () => {
  const path = newPath()
  const database = new DigestDatabase(path)
  database.put('a', 'v1', file('11'))
  expect([database.find('a', 'v1'), database.find('a', 'v2'), database.find('b', 'v1')]).toEqual([
    ...[file('11'), undefined, undefined],
  ])
  database.put('a', 'v2', file('22'))
  expect([database.find('a', 'v1'), database.find('a', 'v2')]).toEqual([undefined, file('22')])
  database.close()
  const again = new DigestDatabase(path)
  expect(again.find('a', 'v2')).toEqual(file('22'))
  again.close()
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('files beyond the room are those used longest ago, and the last one used is never among them', () => {
  const database = new DigestDatabase(newPath())
  for (const [nowMs, name] of ['a', 'b', 'c', 'd'].entries()) database.use(file(name, 4_097), nowMs)
  // Each file takes two blocks of 4,096 bytes.
  const room = (files: number) => database.beyond(files * 8_192)
  expect([room(4), room(2), room(0)]).toEqual([[], ['a', 'b'], ['a', 'b', 'c']])
  database.use(file('a', 4_097), 9)
  expect(room(2)).toEqual(['b', 'c'])
  expect(database.beyond(2 * 8_192 - 1)).toEqual(['b', 'c', 'd'])
  database.forget('b')
  expect([database.isStored('a'), database.isStored('b'), room(2)]).toEqual([true, false, ['c']])
  database.close()
})

test('recreates a damaged database, and one with another layout', () => {
  const [damaged, other] = [newPath(), newPath()]
  writeFileSync(damaged, 'not a database at all, whatever its name says')
  const sqlite = new Database(other, { create: true })
  sqlite.run('CREATE TABLE digest (place TEXT); PRAGMA user_version = 9')
  sqlite.close()
  for (const path of [damaged, other]) {
    const database = new DigestDatabase(path)
    database.put('a', 'v1', file('11'))
    expect(database.find('a', 'v1')).toEqual(file('11'))
    database.close()
  }
})
