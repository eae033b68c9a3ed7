// Text of any length is one gzip member, written piece by piece.

import { expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { MemoryNewFile } from '../../test/support/export/memory-file.ts'
import { GzipText } from './gzip-text.ts'

test.each([0, 1, 3])('%d MB of rows', (megabytes) => {
  const file = new MemoryNewFile()
  const gzip = new GzipText(file)
  let expected = ''
  for (let i = 0; expected.length < megabytes << 20; i++) {
    const row = `${i},${'0.48,'.repeat(2_000)}\n`
    gzip.text.write(Buffer.from(row))
    gzip.rowEnded()
    expected += row
  }
  gzip.finish('a/b.gz', 7)
  expect([file.path, file.rows]).toEqual(['a/b.gz', 7])
  expect(gunzipSync(file.bytes).toString() === expected).toBe(true)
  expect(Buffer.from(Bun.gunzipSync(file.bytes)).toString() === expected).toBe(true)
})

test('text is packed when there is a piece of it, and a file that is aborted is not finished', () => {
  const file = new MemoryNewFile()
  const gzip = new GzipText(file)
  gzip.text.write(new Uint8Array(100))
  gzip.rowEnded()
  expect(gzip.text.length).toBe(100)
  gzip.text.write(new Uint8Array(1 << 20))
  gzip.rowEnded()
  expect(gzip.text.length).toBe(0)
  gzip.abort()
  expect([file.isAborted, file.path]).toEqual([true, undefined])
})
