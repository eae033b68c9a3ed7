// Measures the rows and bytes of an answer before its download. Requests the answer itself, cancels it if it is long,
// and estimates the rest from the part received.

import { ask } from '../data/ask.ts'
import { withFormat } from './code.ts'
import type { Format, Take } from './requests.ts'
import { type Measured, type Read, sizeOf } from './size-of.ts'

const LINES_READ_MAX = 8_000_000
const BINARY_READ_MAX = 64_000_000

export async function measured(take: Take, format: Format, signal: AbortSignal): Promise<Measured> {
  const { path, query } = take
  const response = await ask(path, Object.fromEntries(withFormat({ take, format })), signal)
  const rowCount = response.headers.get('x-data-count')
  const hasMore = response.headers.get('x-has-more') === 'true'
  const isBinary = format === 'arrow' || format === 'parquet'
  const read = await readSome(response.body!, isBinary ? BINARY_READ_MAX : LINES_READ_MAX)
  return { ...sizeOf(read, { format, rows: rowCount === null ? null : Number(rowCount), query }), hasMore }
}

const NEWLINE = 10

async function readSome(body: ReadableStream<Uint8Array>, bytesMax: number): Promise<Read> {
  const reader = body.getReader()
  const read = { bytes: 0, lines: 0 }
  let last: Uint8Array = new Uint8Array(0)
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { ...read, lastLine: '', isAll: true }
    read.bytes += value.length
    for (const byte of value) if (byte === NEWLINE) read.lines++
    last = value
    if (read.bytes < bytesMax) continue
    await reader.cancel()
    const lines = new TextDecoder().decode(last).split('\n')
    return { ...read, lastLine: lines.at(-2) ?? '', isAll: false }
  }
}
