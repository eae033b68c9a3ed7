// Splits a text into JSON values, a piece at a time. If the text begins with an array, the values are its elements.
// Else the values follow each other, and a line may have several. The reader of a value checks that it is JSON.

import { ArchiveFault } from '../archive-fault.ts'
import type { ByteFile } from '../byte-file.ts'
import { LineBatch, textPieces } from './text-lines.ts'

const VALUE_BYTES_MAX = 256 << 20
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Yields batches of values, numbered from 1. Throws ArchiveFault if a value is neither an array nor an object, or if
 *  the text ends within one. */
export async function* jsonValues(file: ByteFile): AsyncGenerator<LineBatch> {
  const splitter = new ValueSplitter(file.name)
  for await (const { bytes, fileBytes } of textPieces(file)) {
    const batch = splitter.push(bytes)
    batch.fileBytes = fileBytes
    if (batch.length > 0) yield batch
  }
  splitter.end()
}

class ValueSplitter {
  readonly #name: string
  /** Number of open arrays and objects, not counting the outer array. */
  #depth = 0
  #isInArray = false
  #isInText = false
  #isEscaped = false
  /** Whether the outer array is closed. */
  #isOver = false
  #count = 0
  /** Earlier bytes of a value that continues in the next piece. */
  #rest: Uint8Array[] = []
  #restBytes = 0

  constructor(name: string) {
    this.#name = name
  }

  push(piece: Uint8Array): LineBatch {
    const batch = new LineBatch()
    let start = this.#depth > 0 ? 0 : -1
    for (let at = 0; at < piece.length; at++) {
      if (this.#isInText) {
        at = this.#textEnd(piece, at)
        continue
      }
      const byte = piece[at]!
      if (byte === QUOTE) {
        if (this.#depth === 0) this.#refuse(byte)
        this.#isInText = true
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        if (this.#depth === 0 && this.#isFirstArray(byte)) continue
        if (this.#isOver) this.#refuse(byte)
        if (this.#depth++ === 0) start = at
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        if (this.#depth === 0) this.#closeAll(byte)
        else if (--this.#depth === 0) {
          this.#emit(batch, piece, start, at + 1)
          start = -1
        }
      } else if (this.#depth === 0 && byte > 0x20 && byte !== COMMA && !isMark(byte)) this.#refuse(byte)
    }
    if (start >= 0) this.#append(piece.subarray(start))
    return batch
  }

  end(): void {
    if (this.#depth > 0 || (this.#isInArray && !this.#isOver)) throw new ArchiveFault(this.#name, 'is cut off')
  }

  /** Returns the place of the quote that ends a text, or the end of the piece. */
  #textEnd(piece: Uint8Array, from: number): number {
    for (let at = from; at < piece.length; at++) {
      const byte = piece[at]!
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === BACKSLASH) this.#isEscaped = true
      else if (byte === QUOTE) {
        this.#isInText = false
        return at
      }
    }
    return piece.length
  }

  #isFirstArray(byte: number): boolean {
    if (byte !== OPEN_ARRAY || this.#isInArray || this.#count > 0) return false
    this.#isInArray = true
    return true
  }

  #closeAll(byte: number): void {
    if (byte !== CLOSE_ARRAY || !this.#isInArray || this.#isOver) this.#refuse(byte)
    this.#isOver = true
  }

  #emit(batch: LineBatch, piece: Uint8Array, start: number, end: number): void {
    this.#count++
    if (this.#restBytes === 0) return batch.add(piece, start, end, this.#count)
    this.#append(piece.subarray(start, end))
    const whole = new Uint8Array(Buffer.concat(this.#rest))
    this.#rest = []
    this.#restBytes = 0
    batch.add(whole, 0, whole.length, this.#count)
  }

  #append(bytes: Uint8Array): void {
    this.#rest.push(bytes.slice())
    this.#restBytes += bytes.length
    if (this.#restBytes <= VALUE_BYTES_MAX) return
    throw new ArchiveFault(this.#name, `has a JSON value of more than ${VALUE_BYTES_MAX} bytes`)
  }

  #refuse(byte: number): never {
    const shown = byte === COLON || (byte > 0x20 && byte < 0x7f) ? JSON.stringify(String.fromCharCode(byte)) : `${byte}`
    throw new ArchiveFault(this.#name, `has no JSON object after item ${this.#count}: found ${shown}`)
  }
}

/** Returns whether the byte is part of a byte order mark. */
const isMark = (byte: number): boolean => byte === 0xef || byte === 0xbb || byte === 0xbf
