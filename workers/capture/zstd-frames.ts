// Checks that a zstd file ends where a frame ends. Walks the headers of its frames and blocks (RFC 8878, section 3.1)
// without decompressing anything.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const FRAME_MAGIC = 0xfd2f_b528
const SKIPPABLE_MAGIC = 0x184d_2a50
const DICTIONARY_ID_BYTES = [0, 1, 2, 4]
const CONTENT_SIZE_BYTES = [0, 2, 4, 8]
const RLE_BLOCK = 1
const RESERVED_BLOCK = 3

/** Thrown or returned if the file ends within a frame. */
export class CutOff extends Error {}

const END_OF_FILE = 'unexpected end of file'

/** Returns what is wrong with a zstd file; undefined if it is whole. */
export function zstdDamage(path: string): Error | undefined {
  const file = openSync(path, 'r')
  try {
    return new FrameWalker(file).walk()
  } finally {
    closeSync(file)
  }
}

/** Yields the ends of the whole frames from `start` on. Stops at a truncated frame. Throws if the data are damaged. */
export function* frameEnds(file: number, start: number): Generator<number> {
  yield* new FrameWalker(file, start).ends()
}

class FrameWalker {
  readonly #file: number
  readonly #size: number
  readonly #window = new Uint8Array(1 << 16)
  #windowStart = 0
  #windowLength = 0
  #at = 0

  constructor(file: number, start = 0) {
    this.#file = file
    this.#at = start
    this.#size = fstatSync(file).size
  }

  walk(): Error | undefined {
    while (this.#at < this.#size) {
      const start = this.#at
      const damage = this.#frame()
      if (damage === undefined) continue
      const message = `${damage} in the frame that begins at byte ${start}`
      return damage === END_OF_FILE ? new CutOff(message) : new Error(message)
    }
    return undefined
  }

  *ends(): Generator<number> {
    while (this.#at < this.#size) {
      const damage = this.#frame()
      if (damage === END_OF_FILE) return
      if (damage !== undefined) throw new Error(damage)
      yield this.#at
    }
  }

  #frame(): string | undefined {
    const magic = this.#number(4)
    if (magic === undefined) return END_OF_FILE
    if ((magic & 0xffff_fff0) >>> 0 === SKIPPABLE_MAGIC) {
      const length = this.#number(4)
      return length === undefined ? END_OF_FILE : this.#skip(length)
    }
    if (magic !== FRAME_MAGIC) return 'no zstd data'
    const descriptor = this.#number(1)
    if (descriptor === undefined) return END_OF_FILE
    const isSingleSegment = (descriptor & 0x20) !== 0
    const sizeFlag = descriptor >>> 6
    const sizeBytes = sizeFlag === 0 && isSingleSegment ? 1 : CONTENT_SIZE_BYTES[sizeFlag]!
    const headerBytes = (isSingleSegment ? 0 : 1) + DICTIONARY_ID_BYTES[descriptor & 3]! + sizeBytes
    return this.#skip(headerBytes) ?? this.#blocks() ?? this.#skip((descriptor & 4) !== 0 ? 4 : 0)
  }

  #blocks(): string | undefined {
    for (;;) {
      const header = this.#number(3)
      if (header === undefined) return END_OF_FILE
      const type = (header >>> 1) & 3
      if (type === RESERVED_BLOCK) return 'damaged data'
      const damage = this.#skip(type === RLE_BLOCK ? 1 : header >>> 3)
      if (damage !== undefined) return damage
      if ((header & 1) === 1) return undefined
    }
  }

  #skip(bytes: number): string | undefined {
    this.#at += bytes
    return this.#at > this.#size ? END_OF_FILE : undefined
  }

  /** Reads a little-endian number; undefined beyond the end of the file. */
  #number(bytes: number): number | undefined {
    if (this.#at + bytes > this.#size) return undefined
    if (this.#at < this.#windowStart || this.#at + bytes > this.#windowStart + this.#windowLength) {
      this.#windowStart = this.#at
      this.#windowLength = readSync(this.#file, this.#window, 0, this.#window.length, this.#at)
    }
    let value = 0
    for (let i = bytes - 1; i >= 0; i--) value = value * 256 + this.#window[this.#at - this.#windowStart + i]!
    this.#at += bytes
    return value
  }
}
