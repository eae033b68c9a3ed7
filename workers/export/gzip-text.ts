// Writes text as one gzip member (RFC 1952) to a file. Each piece is compressed on its own and ends at a byte boundary
// (RFC 1951, section 3.2.4), so the whole text is never in memory. The file has a single member, because many readers
// stop after the first.

import { constants, crc32, deflateRawSync } from 'node:zlib'
import { ByteWriter } from '../bytes/byte-writer.ts'
import type { NewFile } from './new-file.ts'

const PIECE_BYTES = 1 << 20
/** Magic number, deflate, no flags, no time, unknown system. */
const HEAD = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255)
const EMPTY_LAST_BLOCK = Uint8Array.of(3, 0)
const PACKING = { level: 6, finishFlush: constants.Z_SYNC_FLUSH }

export class GzipText {
  /** Text to write; `#pack` moves it to the file. */
  readonly text = new ByteWriter(PIECE_BYTES + (PIECE_BYTES >> 2))
  readonly #file: NewFile
  #crc = 0
  #length = 0

  constructor(file: NewFile) {
    this.#file = file
    file.write(HEAD)
  }

  /** Ends a row. Call it after each row. */
  rowEnded(): void {
    if (this.text.length >= PIECE_BYTES) this.#pack()
  }

  finish(path: string, rows: number): void {
    if (this.text.length > 0) this.#pack()
    const tail = new Uint8Array(10)
    tail.set(EMPTY_LAST_BLOCK)
    const view = new DataView(tail.buffer)
    view.setUint32(2, this.#crc, true)
    view.setUint32(6, this.#length >>> 0, true)
    this.#file.write(tail)
    this.#file.finish(path, rows)
  }

  abort(): void {
    this.#file.abort()
  }

  #pack(): void {
    const { bytes, length } = this.text
    const piece = bytes.subarray(0, length)
    this.#crc = crc32(piece, this.#crc)
    this.#length += length
    this.#file.write(deflateRawSync(piece, PACKING))
    this.text.length = 0
  }
}
