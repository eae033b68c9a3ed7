// Reads a capture file line by line.

import { decompressCapture, isOpenSegment } from './decompress-capture.ts'
import { CutOff } from './zstd-frames.ts'

const LINE_BYTES_MAX = 64 << 20
/** Bytes to keep of a line that is longer than LINE_BYTES_MAX. */
const LINE_HEAD_BYTES = 1 << 20
const LINE_FEED = 0x0a

export interface LineReader {
  line(bytes: Uint8Array, start: number, end: number, number: number): void
  /** Receives a line that is too long: its first bytes, and the maximum length of a line. */
  longLine(head: Uint8Array, bytesMax: number, number: number): void
  /** Receives the number of lines, blank lines included. */
  end(lineCount: number): void
}

/** Reads a file to its end. `onProgress` receives the number of bytes read from the file, before decompression. A
 *  line's bytes are valid only during the call. If the compressed data is incomplete, passes on the lines before that
 *  point and then rejects. */
export async function readCaptureLines(
  path: string,
  reader: LineReader,
  onProgress: (fileBytes: number) => void,
): Promise<void> {
  const lines = new LineSplitter(reader)
  let isCutOff = false
  try {
    await decompressCapture(path, (chunk, fileBytes) => {
      lines.push(chunk)
      onProgress(fileBytes)
    })
  } catch (error) {
    isCutOff = error instanceof CutOff && isOpenSegment(path)
    throw error
  } finally {
    if (isCutOff) lines.abandon()
    else lines.finish()
  }
}

export function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

export class LineSplitter {
  readonly #reader: LineReader
  /** Pieces of a line that continues in the next chunk. */
  #rest: Uint8Array[] = []
  #restBytes = 0
  #number = 0
  #isTooLong = false

  constructor(reader: LineReader) {
    this.#reader = reader
  }

  push(chunk: Uint8Array): void {
    let start = 0
    if (this.#restBytes > 0) {
      const end = chunk.indexOf(LINE_FEED)
      if (end < 0) return this.#append(chunk)
      this.#append(chunk.subarray(0, end))
      this.#endRest()
      start = end + 1
    }
    for (let end = chunk.indexOf(LINE_FEED, start); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      this.#line(chunk, start, end)
      start = end + 1
    }
    if (start < chunk.length) this.#append(chunk.subarray(start))
  }

  /** Like `finish`, but drops the incomplete line after the last line feed. */
  abandon(): void {
    this.#rest = []
    this.#restBytes = 0
    this.finish()
  }

  finish(): void {
    if (this.#restBytes > 0) this.#endRest()
    this.#reader.end(this.#number)
  }

  // Copies the bytes, because a chunk is not valid after the call.
  #append(bytes: Uint8Array): void {
    if (this.#isTooLong) return
    this.#rest.push(bytes.slice())
    this.#restBytes += bytes.length
    if (this.#restBytes <= LINE_BYTES_MAX) return
    this.#isTooLong = true
    this.#rest = [joined(this.#rest).slice(0, LINE_HEAD_BYTES)]
  }

  #endRest(): void {
    const line = joined(this.#rest)
    this.#rest = []
    this.#restBytes = 0
    if (this.#isTooLong) this.#reader.longLine(line, LINE_BYTES_MAX, ++this.#number)
    else this.#line(line, 0, line.length)
    this.#isTooLong = false
  }

  #line(bytes: Uint8Array, start: number, end: number): void {
    this.#number++
    const last = end > start && bytes[end - 1] === 0x0d ? end - 1 : end
    if (last > start) this.#reader.line(bytes, start, last, this.#number)
  }
}

function joined(pieces: Uint8Array[]): Uint8Array {
  return pieces.length === 1 ? pieces[0]! : new Uint8Array(Buffer.concat(pieces))
}
