// A segment: one object with pieces of many partitions, one after the other. Its name is its creation date and the
// SHA-256 of its bytes. It never changes.

import { createHash } from 'node:crypto'

export const SEGMENTS = 'segments/'
const MARK = new TextEncoder().encode('backbook segment 1\n')
/** Makes every segment unique, so that an object that a sweep has removed is never written again. */
export const NONCE_BYTES = 16

/** Returns whether an object's key is that of a segment. */
export const isSegmentKey = (key: string): boolean => /^segments\/\d{4}-\d{2}-\d{2}\/[0-9a-f]{64}$/.test(key)

const HASH_BYTES = 32
const DATE_BYTES = 10
const PACKED_BYTES = DATE_BYTES + HASH_BYTES

/** Encodes keys of segments, 42 bytes each. */
export function packSegmentKeys(keys: readonly string[]): Uint8Array {
  const packed = Buffer.alloc(PACKED_BYTES * keys.length)
  for (const [index, key] of keys.entries()) {
    const at = PACKED_BYTES * index
    packed.write(key.slice(SEGMENTS.length, SEGMENTS.length + DATE_BYTES), at, 'latin1')
    packed.write(key.slice(SEGMENTS.length + DATE_BYTES + 1), at + DATE_BYTES, 'hex')
  }
  return packed
}

export function unpackSegmentKeys(packed: Uint8Array): string[] {
  const bytes = Buffer.from(packed)
  return Array.from({ length: bytes.length / PACKED_BYTES }, (_, index) => {
    const hashAt = PACKED_BYTES * index + DATE_BYTES
    const date = bytes.toString('latin1', hashAt - DATE_BYTES, hashAt)
    return `${SEGMENTS}${date}/${bytes.toString('hex', hashAt, hashAt + HASH_BYTES)}`
  })
}

export type Place = { start: number; length: number }
export type Segment = { key: string; bytes: Uint8Array }

export class SegmentWriter {
  readonly #pieces: Uint8Array[]
  #length: number

  constructor(nonce: Uint8Array) {
    this.#pieces = [MARK, nonce]
    this.#length = MARK.length + nonce.length
  }

  get length(): number {
    return this.#length
  }

  /** Adds a piece. Its bytes must not change before `finish`, which copies them. */
  add(piece: Uint8Array): Place {
    const placed = { start: this.#length, length: piece.length }
    this.#pieces.push(piece)
    this.#length += piece.length
    return placed
  }

  finish(nowMs: number): Segment {
    const bytes = Bun.concatArrayBuffers(this.#pieces, this.#length, true)
    const name = createHash('sha256').update(bytes).digest('hex')
    return { key: `${SEGMENTS}${new Date(nowMs).toISOString().slice(0, 10)}/${name}`, bytes }
  }
}
