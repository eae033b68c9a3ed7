// Books of the venues' REST APIs, saved one after the other: bodies of Polymarket's GET /book as they came, which carry
// the venue's hash, and bodies of Kalshi's GET /markets/{ticker}/orderbook beside their `ticker` and the time of
// receipt, since they say neither.

import { frameArchive } from '../frames/frame-archive.ts'
import { textLines } from '../text/text-lines.ts'
import { isObject, refused } from '../trades/trade-values.ts'

const decoder = new TextDecoder()
const encoder = new TextEncoder()

export const restBooks = frameArchive(
  {
    name: 'rest-books',
    description: "bodies of both venues' REST books (JSON lines)",
    source: 'rest-books',
    attribution: null,
  },
  async (file, frames, _, onProgress) => {
    for await (const batch of textLines(file)) {
      for (let i = 0; i < batch.length; i++) {
        const line = withTicker(batch.line(i))
        await frames.line(line, 0, line.length, batch.numbers[i]!)
      }
      onProgress(batch.fileBytes)
    }
  },
)

/** A body of Kalshi under the ticker that stands beside it, in an envelope with its time of receipt. */
function withTicker(line: Uint8Array): Uint8Array {
  const value = refused(() => JSON.parse(decoder.decode(line)) as unknown)
  if (!isObject(value) || typeof value['ticker'] !== 'string' || !isObject(value['body'])) return line.slice()
  const { ticker, received_at: received, body } = value
  const message = { type: 'orderbook', ticker, msg: body }
  return encoder.encode(JSON.stringify(received == null ? message : { received_at: received, msg: message }))
}
