// Finds the ends of the frames of a zstd file, and whether the file ends within one, without decompressing it.

import { expect, test } from 'bun:test'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import { temporaryFolder } from '../../test/support/server.ts'
import { CutOff, frameEnds, zstdDamage } from './zstd-frames.ts'

const text = Buffer.from(Array.from({ length: 30_000 }, (_, i) => `${i * i} `).join(''))
const FRAMES = [
  zstdCompressSync(Buffer.from('short')),
  zstdCompressSync(text),
  zstdCompressSync(Buffer.alloc(400_000)),
  zstdCompressSync(text, { params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
  zstdCompressSync(Buffer.from('no size'), { params: { [constants.ZSTD_c_contentSizeFlag]: 0 } }),
  Buffer.from([0x55, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9]),
]
const ends = FRAMES.map((_, i) => Buffer.concat(FRAMES.slice(0, i + 1)).length)

function look(bytes: Uint8Array, start = 0) {
  using folder = temporaryFolder()
  const path = join(folder.path, 'a.zst')
  writeFileSync(path, bytes)
  const file = openSync(path, 'r')
  try {
    return { ends: [...frameEnds(file, start)], damage: zstdDamage(path) }
  } finally {
    closeSync(file)
  }
}
const whole = Buffer.concat(FRAMES)

test('frames of every kind, from the start or from one of them', () => {
  expect(look(whole)).toEqual({ ends, damage: undefined })
  expect(look(whole, ends[1]).ends).toEqual(ends.slice(2))
  expect(look(new Uint8Array(0))).toEqual({ ends: [], damage: undefined })
})

test('a file that is cut anywhere ends with its last whole frame', () => {
  for (let at = 0; at < FRAMES.length; at++) {
    const start = ends[at - 1] ?? 0
    for (const length of [1, 3, 4, 5, 8, FRAMES[at]!.length - 1]) {
      const { ends: found, damage } = look(whole.subarray(0, start + length))
      expect(found).toEqual(ends.slice(0, at))
      expect(damage).toBeInstanceOf(CutOff)
      expect(damage!.message).toBe(`unexpected end of file in the frame that begins at byte ${start}`)
    }
  }
})

test('bytes that are not a frame, and a block that no frame may have', () => {
  const { damage } = (() => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'a.zst')
    writeFileSync(path, Buffer.concat([FRAMES[0]!, Buffer.from('text')]))
    return { damage: zstdDamage(path) }
  })()
  expect([damage instanceof CutOff, damage!.message]).toEqual([
    false,
    `no zstd data in the frame that begins at byte ${ends[0]}`,
  ])
  const reserved = Buffer.from(FRAMES[0]!)
  reserved[6]! |= 0b110
  expect(() => look(reserved)).toThrow('damaged data')
})
