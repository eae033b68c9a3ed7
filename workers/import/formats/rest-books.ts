// Books of the venues' REST APIs, saved one after the other: bodies of Polymarket's GET /book as they came, which carry
// the venue's hash, and bodies of Kalshi's GET /markets/{ticker}/orderbook beside their `ticker` and the time of
// receipt, since they say neither.

import type { ArchiveFormat, ArchiveOptions, ArchivePart } from '../archive.ts'
import type { ByteFile } from '../byte-file.ts'
import { FrameLines } from '../frames/frame-lines.ts'
import { textLines } from '../text/text-lines.ts'
import { isObject, refused } from '../trades/trade-values.ts'

export const restBooks: ArchiveFormat = {
  name: 'rest-books',
  description: "bodies of both venues' REST books (JSON lines)",
  source: 'rest-books',
  clock: 'frame',
  order: 'file',
  hashKept: true,
  isRebuilt: false,
  licence: null,
  attribution: null,
  async *open(file, options) {
    yield partOf(file, options)
  },
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

const partOf = (file: ByteFile, options: ArchiveOptions): ArchivePart => ({
  next: null,
  read: async (lines, onProgress) => {
    const frames = new FrameLines(lines, options)
    for await (const batch of textLines(file)) {
      for (let i = 0; i < batch.length; i++) {
        const line = withTicker(batch.line(i))
        await frames.line(line, 0, line.length, batch.numbers[i]!)
      }
      onProgress(batch.fileBytes)
    }
    return { rows: frames.rows, leftOut: frames.leftOut }
  },
})

/** A body of Kalshi under the ticker that stands beside it, in an envelope with its time of receipt. */
function withTicker(line: Uint8Array): Uint8Array {
  const value = refused(() => JSON.parse(decoder.decode(line)) as unknown)
  if (!isObject(value) || typeof value['ticker'] !== 'string' || !isObject(value['body'])) return line.slice()
  const { ticker, received_at: received, body } = value
  const message = { type: 'orderbook', ticker, msg: body }
  return encoder.encode(JSON.stringify(received == null ? message : { received_at: received, msg: message }))
}
