// A segment: one object with pieces of many partitions, one after the other. Its name is its creation date and the
// SHA-256 of its bytes. It never changes.

import { createHash } from 'node:crypto'

export const SEGMENTS = 'segments/'
const MARK = new TextEncoder().encode('backbook segment 1\n')
/** Makes every segment unique, so that an object that a sweep has removed is never written again. */
export const NONCE_BYTES = 16

/** Returns whether an object's key is that of a segment. */
export const isSegmentKey = (key: string): boolean => /^segments\/\d{4}-\d{2}-\d{2}\/[0-9a-f]{64}$/.test(key)

export type Placed = { start: number; length: number }
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
  add(piece: Uint8Array): Placed {
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
