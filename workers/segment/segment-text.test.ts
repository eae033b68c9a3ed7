// The text of a segment is read in complete frames, from an offset on or from the end.

import { expect, test } from 'bun:test'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../test/support/server.ts'
import { SEGMENT_START, segmentText, textFromEnd } from './segment-text.ts'

const TEXTS = ['one\n', `${'two '.repeat(5_000)}\n`, 'three\n']
const textOf = (pieces: Iterable<Uint8Array>) => Array.from(pieces, (piece) => Buffer.from(piece).toString())

test('as it grows, and the last frame first', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 's.zst')
  const place = { ...SEGMENT_START }
  let read = 0
  for (const text of TEXTS) {
    const frame = Bun.zstdCompressSync(Buffer.from(text))
    appendFileSync(path, frame.subarray(0, 5))
    expect(textOf(segmentText(path, place))).toEqual([])
    appendFileSync(path, frame.subarray(5))
    expect(textOf(segmentText(path, place))).toEqual([text])
    read += text.length
    expect(place.textBytes).toBe(read)
  }
  expect(textOf(segmentText(path, { ...SEGMENT_START }))).toEqual(TEXTS)
  expect(textOf(textFromEnd(path))).toEqual(TEXTS.toReversed())
})

test('from the end, damage hides only the text after it', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 's.zst')
  for (const text of TEXTS.slice(0, 2)) appendFileSync(path, Bun.zstdCompressSync(Buffer.from(text)))
  appendFileSync(path, 'no frame at all')
  expect(textOf(textFromEnd(path))).toEqual(TEXTS.slice(0, 2).toReversed())
  expect(() => textOf(segmentText(path, { ...SEGMENT_START }))).toThrow()
})
