// A text of an archive is inflated to its end, according to its first bytes, whatever its name. Anything after the text
// except more text or padding is a fault.

import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { openByteFile } from '../byte-file.ts'
import { textLines } from './text-lines.ts'

const folder = mkdtempSync(join(tmpdir(), 'backbook-text-lines-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function linesOf(bytes: Uint8Array): Promise<string[]> {
  const path = join(folder, 'a.csv')
  writeFileSync(path, bytes)
  const file = await openByteFile(path)
  const lines: string[] = []
  try {
    for await (const batch of textLines(file)) {
      for (let i = 0; i < batch.length; i++) lines.push(Buffer.from(batch.line(i)).toString())
    }
  } finally {
    file.close()
  }
  return lines
}

const [one, other] = ['a,b\n1,2\n', '3,4\r\n5,6']
const LINES = ['a,b', '1,2', '3,4', '5,6']
const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 7])
const zeros = Buffer.alloc(3 << 20)

test.each<[string, Uint8Array]>([
  ['plain', Buffer.from(one + other)],
  ['plain behind a byte order mark', Buffer.from(`\ufeff${one}${other}`)],
  ['gzip', Buffer.concat([gzipSync(''), gzipSync(one), gzipSync(other)])],
  ['gzip with zeros within and behind', Buffer.concat([gzipSync(one), zeros, gzipSync(other), zeros])],
  ['zstd', Buffer.concat([skipped, zstdCompressSync(one), skipped, zstdCompressSync(other)])],
])('%s', async (_, bytes) => {
  expect(await linesOf(bytes)).toEqual(LINES)
})

test.each<[string, Uint8Array, string]>([
  ['gzip with a text behind it', Buffer.concat([gzipSync(one), Buffer.from('hello')]), 'is damaged or cut off'],
  ['gzip with a text behind zeros', Buffer.concat([gzipSync(one), zeros, Buffer.from('x')]), 'is damaged or cut off'],
  ['gzip that is cut off', gzipSync(one).subarray(0, 20), 'is damaged or cut off'],
  ['zstd with a text behind it', Buffer.concat([zstdCompressSync(one), Buffer.from('hello')]), 'is damaged or cut off'],
  ['zstd with a window of 2 GB', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0xa8, 9, 0, 0, 0x7b]), 'zstd -d --long=31'],
])('%s is a fault', async (_, bytes, why) => {
  await expect(linesOf(bytes)).rejects.toThrow(why)
})
