// A file is named by its digest when it is complete, and leaves nothing behind when it is aborted.

import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../test/support/server.ts'
import { DigestedFile, UNFINISHED } from './digested-file.ts'

test('its bytes and its name', () => {
  using folder = temporaryFolder()
  const file = new DigestedFile(folder.path)
  for (const text of ['order ', '', 'book']) file.write(Buffer.from(text))
  expect(readdirSync(folder.path).every((name) => name.endsWith(UNFINISHED))).toBe(true)
  const sha256 = createHash('sha256').update('order book').digest('hex')
  expect([file.bytes, file.finish()]).toEqual([10, sha256])
  expect(readdirSync(folder.path)).toEqual([`${sha256}.file`])
  const path = join(folder.path, `${sha256}.file`)
  expect([readFileSync(path).toString(), statSync(path).mode & 0o777]).toEqual(['order book', 0o600])
})

test('an aborted file is gone, and another one is not touched', () => {
  using folder = temporaryFolder()
  const [one, other] = [new DigestedFile(folder.path), new DigestedFile(folder.path)]
  one.write(new Uint8Array(5))
  one.abort()
  other.finish()
  expect(readdirSync(folder.path)).toEqual([`${createHash('sha256').digest('hex')}.file`])
})
