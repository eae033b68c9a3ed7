// A segment: one object with pieces of many partitions, one after the other. It is named by the SHA-256 of its bytes,
// under the date it was made on, and never changes.

import { createHash } from 'node:crypto'

export const SEGMENTS = 'segments/'
const MARK = new TextEncoder().encode('backbook segment 1\n')
/** Makes every segment another one: an object that a sweep has removed is never put again. */
export const NONCE_BYTES = 16

/** Whether an object is called as segments are. */
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

  /** The bytes are not copied before `finish`. */
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
