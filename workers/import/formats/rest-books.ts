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
        frames.line(line, 0, line.length, batch.numbers[i]!)
      }
      onProgress(batch.fileBytes)
    }
  },
)

/** Bodies of Kalshi, each under the ticker that stands beside it, in an envelope with their time of receipt: one, or
 *  those of GET /markets/orderbooks. */
function withTicker(line: Uint8Array): Uint8Array {
  const value = refused(() => JSON.parse(decoder.decode(line)) as unknown)
  if (!isObject(value) || !isObject(value['body'])) return line.slice()
  const { ticker, received_at: received, body } = value
  const books = body['orderbooks']
  const isBatch = ticker === undefined && Array.isArray(books) && books.every(hasTicker)
  if (!isBatch && typeof ticker !== 'string') return line.slice()
  const messages = isBatch ? books.map(({ ticker: name, ...book }) => named(name, book)) : named(ticker, body)
  return encoder.encode(JSON.stringify(received == null ? messages : { received_at: received, msg: messages }))
}

const named = (ticker: unknown, msg: object) => ({ type: 'orderbook', ticker, msg })
const hasTicker = (book: unknown) => isObject(book) && typeof book['ticker'] === 'string'
