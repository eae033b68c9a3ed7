// long: each case in every kind of store or of compression
// Passes on the text of a damaged file up to the damage: the text of the longest start of the file that inflates
// without an error.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { MAGIC_BYTES } from '../bytes/compression.ts'
import { decompressCapture } from './decompress-capture.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'backbook-decompress-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Read = { bytes: Buffer; hasFailed: boolean }

async function read(name: string, file: Uint8Array): Promise<Read> {
  const path = join(folder, name)
  writeFileSync(path, file)
  const chunks: Uint8Array[] = []
  const work = decompressCapture(path, (chunk) => void chunks.push(chunk.slice()))
  const hasFailed = await work.then(
    () => false,
    () => true,
  )
  return { bytes: Buffer.concat(chunks), hasFailed }
}

function inflatedBeginning(file: Uint8Array, length: number): Buffer | undefined {
  try {
    return gunzipSync(file.subarray(0, length), { finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    return undefined
  }
}

function wholeOf(file: Uint8Array): { length: number; isAll: boolean } {
  let [whole, failing] = [0, file.length + 1]
  while (failing - whole > 1) {
    const middle = (whole + failing) >> 1
    if (inflatedBeginning(file, middle) === undefined) failing = middle
    else whole = middle
  }
  return { length: whole, isAll: whole === file.length }
}

/** Returns text that compresses to about half of `bytes`. */
function text(bytes: number, seed: number): string {
  const words: string[] = []
  for (let i = 0; i * 16 < bytes; i++) words.push(Bun.hash(`${seed} ${i}`).toString(16).padStart(16, '0'))
  return words.join('').slice(0, bytes)
}

type Damage = { kind: 'flip' | 'fill' | 'cut' | 'append'; at: number; length: number; byte: number }
const damages: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom('flip', 'fill', 'cut', 'append'),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  length: fc.integer({ min: 1, max: 600 }),
  byte: fc.integer({ min: 1, max: 255 }),
})

/** Damages a file, but not its first bytes, which show how the file is compressed. */
function damaged(file: Uint8Array, { kind, at, length, byte }: Damage): Uint8Array {
  const place = Math.max(MAGIC_BYTES, Math.floor(at * file.length))
  if (kind === 'cut') return file.slice(0, place)
  if (kind === 'append') return Buffer.concat([file, new Uint8Array(length).fill(byte)])
  const copy = file.slice()
  if (kind === 'flip') copy[place] = copy[place]! ^ byte
  else copy.fill(byte, place, Math.min(file.length, place + length))
  return copy
}

describe('of a damaged .gz', () => {
  test('of one or several members, the text before the damage is passed on', async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 200_000 }), { minLength: 1, maxLength: 4 })
    const holds = async (sizes: number[], damage: Damage) => {
      const file = damaged(Buffer.concat(sizes.map((size, index) => gzipSync(text(size, index)))), damage)
      const { length, isAll } = wholeOf(file)
      const { bytes, hasFailed } = await read('damaged.ndjson.gz', file)
      expect(bytes.equals(inflatedBeginning(file, length) ?? Buffer.alloc(0))).toBe(true)
      if (!isAll) expect(hasFailed).toBe(true)
    }
    await fc.assert(fc.asyncProperty(sizes, damages, holds), { numRuns: 60, endOnFailure: true })
  })

  test('a file that is cut off gives all that it holds', async () => {
    const file = gzipSync(text(400_000, 1)).subarray(0, 150_000)
    const { bytes, hasFailed } = await read('cut.ndjson.gz', file)
    expect(bytes.equals(inflatedBeginning(file, file.length)!)).toBe(true)
    expect(hasFailed).toBe(true)
  })
})

test.each([1, 2, 9])('the frames before damaged frame %i of a .zst are passed on', async (at) => {
  const frames = Array.from({ length: 10 }, (_, index) => zstdCompressSync(text(30_000, index)))
  frames[at] = Buffer.from(frames[at]!).fill(0xff, 0, 4)
  const { bytes, hasFailed } = await read('frames.ndjson.zst', Buffer.concat(frames))
  expect(hasFailed).toBe(true)
  expect(bytes.toString()).toBe(Array.from({ length: at }, (_, index) => text(30_000, index)).join(''))
})

describe('the first bytes of a file show how it is compressed, whatever its name', () => {
  const [one, other] = [text(3_000, 1), text(200_000, 2)]
  const both = one + other
  const skipped = Buffer.from([0x5c, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3])
  const zstd = Buffer.concat([zstdCompressSync(one), zstdCompressSync(other)])
  const gzip = Buffer.concat([gzipSync(one), gzipSync(''), gzipSync(other)])

  test.each<[string, Uint8Array, string]>([
    ['gzip', gzip, both],
    ['gzip with nothing first', Buffer.concat([gzipSync(''), gzip]), both],
    ['gzip with zeros behind it', Buffer.concat([gzip, Buffer.alloc(100_000)]), both],
    ['gzip with zeros within it', Buffer.concat([gzipSync(one), Buffer.alloc(100_000), gzipSync(other)]), both],
    ['zstd', zstd, both],
    ['zstd behind a frame to be skipped', Buffer.concat([skipped, zstd, skipped]), both],
    ['zstd with a long window', zstdCompressSync(both, { params: { [constants.ZSTD_c_windowLog]: 27 } }), both],
    ['plain', Buffer.from(both), both],
    ['plain behind a byte order mark', Buffer.from(`\ufeff${both}`), `\ufeff${both}`],
    ['nothing', Buffer.alloc(0), ''],
  ])('%s', async (_, file, text) => {
    for (const name of ['a.ndjson', 'a.json', 'a.ndjson.zst', ...(file.length > 0 ? ['a.ndjson.gz'] : [])]) {
      const { bytes, hasFailed } = await read(name, file)
      expect([name, hasFailed]).toEqual([name, false])
      expect(bytes.equals(Buffer.from(text))).toBe(true)
    }
  })

  test.each<[string, Uint8Array]>([
    ['gzip with a text behind it', Buffer.concat([gzip, Buffer.from('hello')])],
    ['gzip with a text behind zeros', Buffer.concat([gzip, Buffer.alloc(9), Buffer.from('hello')])],
    ['gzip with zstd behind it', Buffer.concat([gzip, zstd])],
    ['zstd with a text behind it', Buffer.concat([zstd, Buffer.from('hello')])],
  ])('%s fails behind what is whole', async (_, file) => {
    for (const name of ['a.ndjson', 'a.ndjson.gz', 'a.ndjson.zst']) {
      const { bytes, hasFailed } = await read(name, file)
      expect([name, hasFailed]).toEqual([name, true])
      expect(bytes.equals(Buffer.from(both))).toBe(true)
    }
  })

  test.each(['a.ndjson.gz', 'a.ndjson.zst', 'a.ndjson.zst.part'])('%s of no known format fails', async (name) => {
    expect(await read(name, Buffer.from([1, 2, 3, 4, 5]))).toEqual({ bytes: Buffer.alloc(0), hasFailed: true })
  })

  test('a window that is too large to unpack reports what to do', async () => {
    // The file is a frame without its size, with a window of 2 GB and one block of one byte.
    const path = join(folder, 'window.ndjson.zst')
    writeFileSync(path, Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0xa8, 9, 0, 0, 0x7b]))
    await expect(decompressCapture(path, () => {})).rejects.toThrow('zstd -d --long=31')
  })
})
