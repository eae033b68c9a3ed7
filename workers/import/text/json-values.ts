// Parses a text of JSON documents or JSON lines, one piece at a time. An array counts as several values: its
// elements.

import { ArchiveFault } from '../archive-fault.ts'
import type { ByteFile } from '../byte-file.ts'
import { textPieces } from './text-lines.ts'

const VALUE_BYTES_MAX = 64 << 20
const PARSED_MIN = 1 << 20

/** Yields the values of each piece. Throws ArchiveFault for anything that is not JSON, and if the text ends within a
 *  value. */
export async function* jsonValues(file: ByteFile): AsyncGenerator<{ values: unknown[]; fileBytes: number }> {
  const fault = (why: string) => new ArchiveFault(file.name, why)
  let rest = Buffer.alloc(0)
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  let count = 0
  const wait = (bytes: Uint8Array) => {
    waiting.push(bytes)
    waitingBytes += bytes.length
  }
  const parse = () => {
    const text = Buffer.concat([rest, ...waiting])
    waiting = []
    waitingBytes = 0
    const { values, read, error } = Bun.JSONL.parseChunk(text)
    count += values.length
    if (error !== null) throw fault(`has no JSON after document ${count}: ${error.message}`)
    rest = text.subarray(read)
    if (rest.length > VALUE_BYTES_MAX) throw fault(`has a JSON value of more than ${VALUE_BYTES_MAX} bytes`)
    return values.flat()
  }
  for await (const { bytes, fileBytes } of textPieces(file)) {
    wait(bytes.slice())
    // Parse a long value again only when its text has doubled.
    if (waitingBytes >= Math.max(PARSED_MIN, rest.length)) yield { values: parse(), fileBytes }
  }
  // The parser reports a wrong line only when the line has ended.
  wait(Buffer.from('\n'))
  yield { values: parse(), fileBytes: file.byteLength }
  if (rest.some((byte) => byte > 0x20)) throw fault('is cut off')
}
