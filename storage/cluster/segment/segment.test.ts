// A segment holds its pieces at the offsets that it states, and its name has its day and the digest of its bytes.

import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { isSegmentKey, NONCE_BYTES, SegmentWriter } from './segment.ts'

const HASH = 'a'.repeat(64)
const NOW = Date.UTC(2026, 7, 10, 23, 59)

test('pieces are where they were placed', () => {
  const writer = new SegmentWriter(new Uint8Array(NONCE_BYTES))
  const pieces = [Uint8Array.of(1, 2, 3), new Uint8Array(0), Uint8Array.of(4)]
  const placed = pieces.map((piece) => writer.add(piece))
  const { key, bytes } = writer.finish(NOW)
  expect(placed.map(({ start, length }) => [...bytes.subarray(start, start + length)])).toEqual([[1, 2, 3], [], [4]])
  expect([bytes.length, new TextDecoder().decode(bytes.subarray(0, 19))]).toEqual([
    writer.length,
    'backbook segment 1\n',
  ])
  expect(key).toBe(`segments/2026-08-10/${createHash('sha256').update(bytes).digest('hex')}`)
  expect(isSegmentKey(key)).toBe(true)
})

test('the same pieces at another time are another segment', () => {
  const keyOf = (nonce: number) => new SegmentWriter(new Uint8Array(NONCE_BYTES).fill(nonce)).finish(NOW).key
  expect(keyOf(1)).not.toBe(keyOf(2))
})

test.each(['segments/2026-08-10/ab', `x/segments/2026-08-10/${HASH}`, `segments/20260810/${HASH}`])(
  '%s is not a segment',
  (key) => {
    expect(isSegmentKey(key)).toBe(false)
  },
)
