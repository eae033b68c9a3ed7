// Tests the checksum of a file, and a copy that returns it.

import { afterEach, expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TemporaryFolders } from '../../test/support/disk/temporary-folders.ts'
import { copyFileWithDigest, digestFile } from './file-digest.ts'

const folders = new TemporaryFolders()
afterEach(() => folders.remove())

const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

test.each([
  ['', EMPTY],
  ['abc', ABC],
])('%p has the digest of the standard', async (text, sha256) => {
  const path = join(folders.make(), 'a')
  writeFileSync(path, text)
  expect(await digestFile(path, () => undefined)).toEqual({ bytes: text.length, sha256 })
})

test('a file of more than one piece is copied whole, and progress is reported after each piece', async () => {
  const folder = folders.make()
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  const bytes = Buffer.alloc((4 << 20) + 7, 'abcdefghijk')
  writeFileSync(from, bytes)
  const pieces: number[] = []
  const digest = await copyFileWithDigest(from, to, (length) => pieces.push(length))
  expect(digest).toEqual({ bytes: bytes.length, sha256: new Bun.CryptoHasher('sha256').update(bytes).digest('hex') })
  expect(pieces).toEqual([4 << 20, 7])
  expect(readFileSync(to).equals(bytes)).toBe(true)
  expect(statSync(to).mode & 0o777).toBe(0o600)
})

test('a copy replaces no file', async () => {
  const folder = folders.make()
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  writeFileSync(from, 'new')
  writeFileSync(to, 'old')
  await expect(copyFileWithDigest(from, to, () => undefined)).rejects.toThrow('EEXIST')
  expect(readFileSync(to, 'utf8')).toBe('old')
  await expect(copyFileWithDigest(join(folder, 'none'), join(folder, 'other'), () => undefined)).rejects.toThrow(
    'ENOENT',
  )
  expect(existsSync(join(folder, 'none'))).toBe(false)
})
